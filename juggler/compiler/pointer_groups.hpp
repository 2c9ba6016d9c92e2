#pragma once
// Finds which pointers may lead to the same memory, for the check of section 4.1.

#include <map>
#include <set>
#include <vector>

#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

/// All variables through which an expression may reach memory. Includes both branches of `?:`, and
/// the arguments and results of calls.
[[nodiscard]] std::vector<clang::VarDecl const*> roots_of(clang::Expr const* e);

/// Whether the variable is an outside pointer or array that the region's function can name, and may
/// lead to memory that tasks write.
[[nodiscard]] bool is_lead_named_in(region const& of, clang::VarDecl const* variable);

/// Whether the expression reads through a pointer that is itself stored in memory or in a
/// structure. The type of `from` and the number of pointers that the expression follows decide.
[[nodiscard]] bool is_read_by_inner_pointer(clang::Expr const* of, clang::VarDecl const* root,
                                            clang::VarDecl const* from);

/// Groups of pointers and of structures that contain pointers. Two are in one group if one may be
/// set from the other.
class pointer_groups {
 public:
  /// Adds all assignments in code outside of tasks, including the functions that it calls.
  void take(clang::Stmt const* code);
  [[nodiscard]] clang::VarDecl const* representative(clang::VarDecl const* variable) const;
  /// All variables that are in a group with another one.
  [[nodiscard]] std::set<clang::VarDecl const*> members() const;

 private:
  void unite(clang::VarDecl const* a, clang::VarDecl const* b);
  void take_definitions(clang::Stmt const* code);

  std::map<clang::VarDecl const*, clang::VarDecl const*> united_;
  std::set<clang::FunctionDecl const*> taken_;
};

/// For each pointer that the region declares and tasks get: the only mapped array that it can point
/// into. It may point one past the end, where another array may begin.
[[nodiscard]] std::map<clang::VarDecl const*, clang::VarDecl const*> sole_arrays(
    clang::ASTContext& context, region const& of);
/// The end of a mapped array, such as `x + (n)`; empty if unknown.
[[nodiscard]] std::string end_of(clang::ASTContext& context, mapping const& of);

}  // namespace gridloom::juggler::cc
