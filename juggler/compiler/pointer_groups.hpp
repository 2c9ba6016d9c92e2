#pragma once
// Which pointers may lead to the same memory, for the check of section 4.1.

#include <map>
#include <set>
#include <vector>

#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

/// All variables through which an expression may reach memory: both branches of a choice, and what a call is
/// handed or returns.
[[nodiscard]] std::vector<clang::VarDecl const*> roots_of(clang::Expr const* e);

/// Whether a region's function can look where a pointer or an array leads, and others may have written there.
[[nodiscard]] bool is_lead_named_in(region const& of, clang::VarDecl const* variable);

/// Whether something is read through a pointer that lies in memory, or in a structure: of the type of `from`, and
/// by the steps that the expression takes.
[[nodiscard]] bool is_read_by_inner_pointer(clang::Expr const* of, clang::VarDecl const* root,
                                            clang::VarDecl const* from);

/// Pointers, and structures that hold some, are of one group when one may be set from the other.
class pointer_groups {
 public:
  /// Takes in what code outside of tasks sets, with the functions that it calls.
  void take(clang::Stmt const* code);
  [[nodiscard]] clang::VarDecl const* representative(clang::VarDecl const* variable) const;
  /// All that are in a group with another.
  [[nodiscard]] std::set<clang::VarDecl const*> members() const;

 private:
  void unite(clang::VarDecl const* a, clang::VarDecl const* b);
  void take_definitions(clang::Stmt const* code);

  std::map<clang::VarDecl const*, clang::VarDecl const*> united_;
  std::set<clang::FunctionDecl const*> taken_;
};

/// Pointers of a region's own that tasks get, and that lead into one mapped array and no other: an end of it is
/// not where the next one begins.
[[nodiscard]] std::map<clang::VarDecl const*, clang::VarDecl const*> sole_arrays(
    clang::ASTContext& context, region const& of);
/// `x + (n)` of a mapped array; empty where that is not known.
[[nodiscard]] std::string end_of(clang::ASTContext& context, mapping const& of);

}  // namespace gridloom::juggler::cc
