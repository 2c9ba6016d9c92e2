#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

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

bool loads_memory(Expr const* value, std::function<bool(VarDecl const*)> const& is_memory) {
  bool found = false;
  walk(value, [&](Stmt const* s) {
    auto const* load = dyn_cast<CastExpr>(s);
    if (load != nullptr && load->getCastKind() == CK_LValueToRValue)
      found = found || is_in_memory(load->getSubExpr(), is_memory);
    // Copying a structure reads it.
    auto const* copy = dyn_cast<CXXConstructExpr>(s);
    if (copy != nullptr && copy->getNumArgs() == 1 && copy->getArg(0)->isGLValue())
      found = found || is_in_memory(copy->getArg(0), is_memory);
    if (auto const* call = dyn_cast<CallExpr>(s)) {
      FunctionDecl const* callee = callee_of(call);
      found = found || (callee != nullptr && !is_known_function(callee) &&
                        effects_of(callee->getBody()).reads);
    }
    return !found;
  });
  return found;
}

}  // namespace gridloom::juggler::cc
