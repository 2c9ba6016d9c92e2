// Refuses jumps past a declaration with an initial value, which C allows and C++ does not.

#include <algorithm>
#include <map>

#include "compiler/c_source.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

using variables = std::vector<VarDecl const*>;

/// Walks through a function and tracks the variables in scope.
class jump_finder {
 public:
  explicit jump_finder(reporter const& report) : report_(report) {}

  void check(Stmt const* body) {
    look(body, {}, {});
    for (auto const& [jump, known] : jumps_) {
      auto const label = labels_.find(jump->getLabel());
      if (label != labels_.end()) refuse(jump->getGotoLoc(), label->second, known, "this jumps");
    }
  }

 private:
  /// `at_switch` has the variables that are in scope at the enclosing switch.
  void look(Stmt const* s, variables const& known, variables const& at_switch) {
    if (s == nullptr) return;
    if (auto const* captured = dyn_cast<CapturedStmt>(s)) {
      look(captured->getCapturedStmt(), known, at_switch);
    } else if (auto const* directive = dyn_cast<OMPExecutableDirective>(s)) {
      look(body_of(directive), known, at_switch);
    } else if (auto const* compound = dyn_cast<CompoundStmt>(s)) {
      variables now = known;
      for (Stmt const* child : compound->body()) {
        look(child, now, at_switch);
        take(child, now);
      }
    } else if (auto const* loop = dyn_cast<ForStmt>(s)) {
      variables now = known;
      take(loop->getInit(), now);
      look(loop->getBody(), now, at_switch);
    } else if (auto const* choice = dyn_cast<SwitchStmt>(s)) {
      look(choice->getBody(), known, known);
    } else {
      if (auto const* jump = dyn_cast<GotoStmt>(s)) jumps_.emplace_back(jump, known);
      if (auto const* label = dyn_cast<LabelStmt>(s)) labels_[label->getDecl()] = known;
      if (isa<SwitchCase>(s)) refuse(s->getBeginLoc(), known, at_switch, "'switch' jumps here");
      for (Stmt const* child : s->children()) look(child, known, at_switch);
    }
  }

  static void take(Stmt const* s, variables& known) {
    auto const* declared = dyn_cast_or_null<DeclStmt>(s);
    if (declared == nullptr) return;
    for (Decl const* d : declared->decls()) {
      auto const* variable = dyn_cast<VarDecl>(d);
      if (variable != nullptr && variable->hasLocalStorage() &&
          (variable->hasInit() || variable->getType()->isVariablyModifiedType()))
        known.push_back(variable);
    }
  }

  void refuse(SourceLocation at, variables const& there, variables const& here,
              std::string const& what) const {
    for (VarDecl const* variable : there) {
      if (has(here, variable)) continue;
      std::string const name = "'" + variable->getNameAsString() + "'";
      report_.error(at, what + " past " + name + ", which C++ does not allow; declare " + name +
                            " before the jump, or put it and its uses in braces");
      report_.note(variable, "the variable is declared here");
      return;
    }
  }

  reporter const& report_;
  std::vector<std::pair<GotoStmt const*, variables>> jumps_;
  std::map<LabelDecl const*, variables> labels_;
};

// Adds a return to C functions that may end without one. C allows this if no caller uses the value;
// in C++ the behaviour is undefined.

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

void check_jumps(FunctionDecl const* function, reporter const& report) {
  jump_finder(report).check(function->getBody());
}

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
