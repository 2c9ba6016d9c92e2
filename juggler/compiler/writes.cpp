#include <set>

#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

/// The variable that an lvalue is or is a part of.
VarDecl const* whole_of(Expr const* lvalue) {
  Expr const* at = lvalue->IgnoreParens();
  for (;;) {
    auto const* member = dyn_cast<MemberExpr>(at);
    auto const* element = dyn_cast<ArraySubscriptExpr>(at);
    if (member != nullptr && !member->isArrow()) {
      at = member->getBase()->IgnoreParens();
    } else if (element != nullptr &&
               element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType()) {
      at = element->getBase()->IgnoreParenImpCasts();
    } else {
      return variable_of(at);
    }
  }
}

bool is_in_memory(Expr const* lvalue, std::function<bool(VarDecl const*)> const& is_memory) {
  Expr const* at = lvalue->IgnoreParenImpCasts();
  for (;;) {
    if (auto const* member = dyn_cast<MemberExpr>(at)) {
      if (member->isArrow()) return true;
      at = member->getBase()->IgnoreParenImpCasts();
    } else if (auto const* element = dyn_cast<ArraySubscriptExpr>(at)) {
      at = element->getBase()->IgnoreParenImpCasts();
      if (!at->getType()->isArrayType()) return true;
    } else {
      break;
    }
  }
  if (auto const* op = dyn_cast<UnaryOperator>(at)) return op->getOpcode() == UO_Deref;
  VarDecl const* const variable = variable_of(at);
  return variable != nullptr && (variable->getType()->isReferenceType() || is_memory(variable));
}

}  // namespace

bool is_written_in(Stmt const* code, VarDecl const* variable) {
  std::set<Stmt const*> only_read;
  return any_in(code, [&](Stmt const* s) {
    Expr const* const to = assigned_by(s);
    bool written = to != nullptr && whole_of(to) == variable;
    if (auto const* cast = dyn_cast<CastExpr>(s)) {
      QualType const to = cast->getType();
      if (to->isPointerType() && to->getPointeeType().isConstQualified())
        only_read.insert(cast->getSubExpr()->IgnoreParens());
      if (cast->getCastKind() == CK_ArrayToPointerDecay && only_read.count(cast) == 0)
        written = written || whole_of(cast->getSubExpr()) == variable;
    }
    if (auto const* element = dyn_cast<ArraySubscriptExpr>(s))
      only_read.insert(element->getBase()->IgnoreParens());
    auto const* one = dyn_cast<UnaryOperator>(s);
    if (one != nullptr && one->getOpcode() == UO_AddrOf && only_read.count(one) == 0)
      written = written || whole_of(one->getSubExpr()) == variable;
    if (auto const* call = dyn_cast<CallExpr>(s)) {
      for_each_argument(call->getDirectCallee(), call,
                        [&](ParmVarDecl const* parameter, Expr const* argument) {
                          if (is_changing_reference(parameter->getType()))
                            written = written || whole_of(argument) == variable;
                        });
    }
    auto const* declared = dyn_cast<DeclStmt>(s);
    for (Decl const* d : declared == nullptr ? DeclGroupRef() : declared->getDeclGroup()) {
      auto const* v = dyn_cast<VarDecl>(d);
      if (v != nullptr && v->hasInit() && is_changing_reference(v->getType()))
        written = written || whole_of(v->getInit()) == variable;
    }
    return written;
  });
}

bool loads_memory(Expr const* value, std::function<bool(VarDecl const*)> const& is_memory) {
  return any_in(value, [&](Stmt const* s) {
    auto const* load = dyn_cast<CastExpr>(s);
    if (load != nullptr && load->getCastKind() == CK_LValueToRValue)
      return is_in_memory(load->getSubExpr(), is_memory);
    // Copying a structure reads it.
    auto const* copy = dyn_cast<CXXConstructExpr>(s);
    if (copy != nullptr && copy->getNumArgs() == 1 && copy->getArg(0)->isGLValue())
      return is_in_memory(copy->getArg(0), is_memory);
    FunctionDecl const* callee = callee_of(dyn_cast<CallExpr>(s));
    return callee != nullptr && !is_known_function(callee) && effects_of(callee->getBody()).reads;
  });
}

}  // namespace gridloom::juggler::cc
