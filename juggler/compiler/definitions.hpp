#pragma once
// Finds the values that variables can have, for the check of section 4.1.

#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

/// The variable through which an expression reaches memory, or null.
inline clang::VarDecl const* root_of(clang::Expr const* e) {
  using namespace clang;
  using llvm::dyn_cast;
  e = e->IgnoreParenCasts();
  if (auto const* element = dyn_cast<ArraySubscriptExpr>(e)) return root_of(element->getBase());
  if (auto const* part = dyn_cast<OMPArraySectionExpr>(e)) return root_of(part->getBase());
  if (auto const* member = dyn_cast<MemberExpr>(e)) return root_of(member->getBase());
  if (auto const* op = dyn_cast<UnaryOperator>(e)) return root_of(op->getSubExpr());
  if (auto const* sum = dyn_cast<BinaryOperator>(e)) {
    if (sum->getLHS()->getType()->isPointerType() || sum->getLHS()->getType()->isArrayType())
      return root_of(sum->getLHS());
    return root_of(sum->getRHS());
  }
  return variable_of(e);
}

/// The indices of an element, the last one first: j and i for `a[i][j]`.
inline std::vector<clang::Stmt const*> indices_of(clang::Expr const* lvalue) {
  std::vector<clang::Stmt const*> result;
  clang::Expr const* at = lvalue->IgnoreParenImpCasts();
  while (auto const* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(at)) {
    result.push_back(element->getIdx());
    at = element->getBase()->IgnoreParenImpCasts();
  }
  return result;
}

/// Calls visit(variable, value) for each value stored in a variable or through it, outside of
/// tasks.
template <class Visit>
void definitions(clang::Stmt const* code, Visit const& visit) {
  using namespace clang;
  using llvm::dyn_cast;
  walk(code, [&](Stmt const* s) {
    if (isa<OMPTaskDirective>(s)) return false;
    if (auto const* op = dyn_cast<BinaryOperator>(s); op != nullptr && op->isAssignmentOp()) {
      if (VarDecl const* v = root_of(op->getLHS())) visit(v, op->getRHS());
    }
    if (auto const* declared = dyn_cast<DeclStmt>(s)) {
      for (Decl const* d : declared->decls()) {
        auto const* v = dyn_cast<VarDecl>(d);
        if (v != nullptr && v->hasInit()) visit(v, v->getInit());
      }
    }
    if (auto const* call = dyn_cast<CallExpr>(s)) for_each_argument(callee_of(call), call, visit);
    return true;
  });
}

}  // namespace gridloom::juggler::cc
