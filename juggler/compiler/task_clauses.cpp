// Reads a task's clauses and finds its name.
#include <algorithm>

#include "compiler/region_checks.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

void task_reader::take(OMPTaskDirective const* directive) {
  if (!source_.is_written(directive)) {
    report_.error(directive, "a directive comes from a macro or _Pragma; write '#pragma omp'");
    return;
  }
  check_clauses(context_, directive, place_of_clause::task, report_, made_.remarks);
  task t{directive, body_of(directive), {}, {}, {}, {}};
  if (t.body != nullptr && !source_.is_whole(t.body->getSourceRange())) {
    report_.error(t.body,
                  "the macro of this task's statement holds more than the statement; write it out");
    return;
  }
  t.name = name_for(t.body);
  for (OMPClause const* clause : directive->clauses()) {
    if (isa<OMPFirstprivateClause>(clause)) take_variables(clause, t.firstprivate);
    if (isa<OMPPrivateClause>(clause)) take_variables(clause, t.privates);
    if (auto const* depend = dyn_cast<OMPDependClause>(clause)) take_depend(depend, t);
    if (auto const* condition = dyn_cast<OMPIfClause>(clause)) take_if(condition, t);
  }
  made_.tasks.push_back(std::move(t));
}

void task_reader::take_if(OMPIfClause const* clause, task& t) {
  Expr::EvalResult value;
  if (clause->getCondition()->EvaluateAsInt(value, context_) && value.Val.getInt() != 0) return;
  t.deferred_if = clause->getCondition();
  made_.remarks.push_back("line " + std::to_string(source_.line(clause->getBeginLoc())) +
                          ": where 'if' is false, later tasks wait for this one");
}

void task_reader::take_depend(OMPDependClause const* clause, task& t) {
  access how{};
  switch (clause->getDependencyKind()) {
    case OMPC_DEPEND_in: how = access::in; break;
    case OMPC_DEPEND_out: how = access::out; break;
    case OMPC_DEPEND_inout: how = access::inout; break;
    default:
      report_.error(clause, "this kind of dependence is not supported; write in, out or inout");
      return;
  }
  for (Expr const* item : clause->varlists()) {
    effects const done = effects_of(item);
    if (done.stores || !done.assigns.empty())
      report_.error(item,
                    "this list item has effects, and may be computed more than once; compute it "
                    "before the task");
    t.dependences.push_back({how, section_of(context_, item)});
  }
}

std::string task_reader::name_for(Stmt const* body) const {
  Stmt const* only = body;
  while (auto const* compound = dyn_cast_or_null<CompoundStmt>(only)) {
    if (compound->size() != 1) break;
    only = compound->body_front();
  }
  std::string name = "task_" + std::to_string(source_.line(body->getBeginLoc()));
  if (auto const* call = dyn_cast_or_null<CallExpr>(only)) {
    if (FunctionDecl const* callee = callee_of(call)) name = callee->getNameAsString();
  }
  std::string const base = name;
  auto const is_taken = [&](std::string const& candidate) {
    // The kernel type of taskwait is called "wait".
    return candidate == "wait" || std::any_of(made_.tasks.begin(), made_.tasks.end(),
                                              [&](task const& t) { return t.name == candidate; });
  };
  for (unsigned n = 2; is_taken(name); ++n) name = base + "_" + std::to_string(n);
  return name;
}

}  // namespace gridloom::juggler::cc
