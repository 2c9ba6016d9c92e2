// Adds a return to C functions that may end without one. C allows this if no caller uses the value;
// in C++ the behaviour is undefined.
#include "compiler/c_source.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

/// Whether a loop or switch contains its own `break`, or a `goto` to any target.
bool has_way_out(Stmt const* s) {
  if (s == nullptr) return false;
  if (isa<BreakStmt>(s) || isa<GotoStmt>(s)) return true;
  for (Stmt const* child : s->children()) {
    bool const is_another = child != nullptr && (isa<ForStmt>(child) || isa<WhileStmt>(child) ||
                                                 isa<DoStmt>(child) || isa<SwitchStmt>(child));
    if (!is_another && has_way_out(child)) return true;
  }
  return false;
}

bool is_always(ASTContext& context, Expr const* condition) {
  bool value = false;
  return condition == nullptr || (condition->EvaluateAsBooleanCondition(value, context) && value);
}

/// Whether execution may continue after a statement. Returns true if it cannot tell.
bool goes_on(ASTContext& context, Stmt const* s) {
  if (s == nullptr) return true;
  if (isa<ReturnStmt>(s) || isa<GotoStmt>(s)) return false;
  if (auto const* compound = dyn_cast<CompoundStmt>(s))
    return compound->body_empty() || goes_on(context, compound->body_back());
  if (auto const* label = dyn_cast<LabelStmt>(s)) return goes_on(context, label->getSubStmt());
  if (auto const* one = dyn_cast<SwitchCase>(s)) return goes_on(context, one->getSubStmt());
  if (auto const* choice = dyn_cast<IfStmt>(s))
    return goes_on(context, choice->getThen()) || goes_on(context, choice->getElse());
  if (auto const* loop = dyn_cast<ForStmt>(s))
    return !is_always(context, loop->getCond()) || has_way_out(loop->getBody());
  if (auto const* loop = dyn_cast<WhileStmt>(s))
    return !is_always(context, loop->getCond()) || has_way_out(loop->getBody());
  if (auto const* choice = dyn_cast<SwitchStmt>(s)) {
    bool has_default = false;
    for (SwitchCase const* one = choice->getSwitchCaseList(); one != nullptr;
         one = one->getNextSwitchCase())
      has_default = has_default || isa<DefaultStmt>(one);
    return !has_default || has_way_out(choice->getBody()) || goes_on(context, choice->getBody());
  }
  auto const* call = dyn_cast<CallExpr>(s);
  FunctionDecl const* callee = call == nullptr ? nullptr : call->getDirectCallee();
  return callee == nullptr || !callee->isNoReturn();
}

}  // namespace

void write_missing_return(ASTContext& context, FunctionDecl const* function, reporter const& report,
                          text_edits& edits, bool is_copy) {
  if (context.getLangOpts().CPlusPlus || !function->isThisDeclarationADefinition() ||
      function->getReturnType()->isVoidType() || function->isMain() ||
      !goes_on(context, function->getBody()))
    return;
  SourceManager const& sources = context.getSourceManager();
  SourceLocation const end = function->getBody()->getEndLoc();
  if (end.isMacroID() || (!is_copy && !sources.isWrittenInMainFile(end))) {
    report.error(function,
                 "'" + function->getNameAsString() +
                     "' ends without a value, which C++ does not allow; write 'return' at its end");
    return;
  }
  auto const [file, at] = sources.getDecomposedLoc(end);
  edits.insert_before({file, at, at}, "return {}; ");
}

}  // namespace gridloom::juggler::cc
