#pragma once
// Finds which elements of an array a region accesses, from the loops around the accesses.
// Polynomials in variables from outside the region bound the indices. The search enters called
// functions whose body is known.

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "compiler/parallel_loop.hpp"
#include "compiler/polynomial.hpp"

namespace gridloom::juggler::cc {

/// All accessed elements lie in [first, end). An unknown bound is empty.
struct element_range {
  std::optional<polynomial> first;
  std::optional<polynomial> end;
};

struct array_use {
  /// Empty if no access was found. If the address escapes, there may be more accesses.
  std::optional<element_range> touched;
  std::optional<element_range> written;
  /// The target of one assignment to the array, or null.
  clang::Expr const* write = nullptr;
  /// Whether the array's address is stored elsewhere, or passed to a function without a body.
  bool escapes = false;
};

/// Assumes that outside variables are never negative and that no index overflows.
class array_uses {
 public:
  /// `within` is the function that contains the region.
  array_uses(clang::ASTContext& context, clang::Stmt const* region,
             clang::FunctionDecl const* within);

  [[nodiscard]] array_use of(clang::VarDecl const* array);
  /// The largest or smallest value of an expression in the region; empty if unknown.
  [[nodiscard]] std::optional<polynomial> bound(clang::Expr const* of, bool largest);

 private:
  using maybe = std::optional<polynomial>;
  struct offset {
    maybe least;
    maybe most;
  };

  void collect(clang::Stmt const* code);
  void follow(clang::Stmt const* code, clang::VarDecl const* pointer, offset const& from,
              array_use& into);
  void follow_call(clang::CallExpr const* call, clang::VarDecl const* pointer, offset const& from,
                   std::set<clang::Expr const*>& known, array_use& into);
  [[nodiscard]] offset plus(offset const& from, clang::Expr const* index);
  maybe bound_of_product(clang::Expr const* left, clang::Expr const* right, bool largest);
  maybe bound_of(clang::VarDecl const* variable, clang::Expr const* at, bool largest);
  maybe bound_of_loop(loop_header const& loop, bool largest);
  [[nodiscard]] bool is_hidden(clang::VarDecl const* variable) const;

  clang::ASTContext& context_;
  clang::Stmt const* region_;
  clang::FunctionDecl const* within_;
  std::multimap<clang::VarDecl const*, loop_header> loops_;
  std::map<clang::VarDecl const*, std::vector<clang::Expr const*>> arguments_;
  std::map<clang::VarDecl const*, unsigned> assignments_;
  std::set<clang::VarDecl const*> locals_;
  std::set<clang::FunctionDecl const*> called_;
  std::set<std::pair<clang::Stmt const*, clang::VarDecl const*>> followed_;
  std::vector<clang::VarDecl const*> bounding_;
};

/// Warns about map clauses that lose results: tasks write an array mapped `to`, or only a part of
/// an array mapped `from`.
void warn_of_lost_writes(clang::ASTContext& context, region const& of, reporter const& report);

}  // namespace gridloom::juggler::cc
