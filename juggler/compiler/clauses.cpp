#include "compiler/clauses.hpp"

#include <algorithm>
#include <map>

#include "clang/Basic/OpenMPKinds.h"
#include "compiler/region_checks.hpp"
#include "llvm/Frontend/OpenMP/OMPConstants.h"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;
using kind = OpenMPClauseKind;

namespace {

struct clause_names {
  llvm::StringRef translated;
  llvm::StringRef hints;
};

clause_names names_of(place_of_clause place) {
  switch (place) {
    case place_of_clause::region:
      return {" map private firstprivate shared default num_threads ", " proc_bind "};
    case place_of_clause::single: return {" private firstprivate ", " nowait "};
    case place_of_clause::task:
      return {" depend firstprivate private shared default if ",
              " final untied mergeable priority affinity "};
    case place_of_clause::parallel_for:
      return {" collapse private firstprivate shared default reduction ",
              " schedule num_threads proc_bind safelen simdlen "};
    case place_of_clause::simd: return {"", " safelen simdlen aligned collapse reduction "};
  }
  return {};
}

/// Advice on what to write in place of a refused clause.
std::string instead_of(place_of_clause place, kind of) {
  static std::map<std::pair<place_of_clause, kind>, std::string> const advice{
      {{place_of_clause::region, llvm::omp::OMPC_if},
       "leave it out; JUGGLER_BACKEND=host runs the region on host threads"},
      {{place_of_clause::region, llvm::omp::OMPC_device},
       "leave it out; JUGGLER_DEVICE chooses the device at run time"},
      {{place_of_clause::region, llvm::omp::OMPC_nowait},
       "leave it out; the program waits at the end of a region"},
      {{place_of_clause::region, llvm::omp::OMPC_depend},
       "leave it out; regions run one after the other"},
      {{place_of_clause::region, llvm::omp::OMPC_reduction},
       "let a task add into a mapped variable"},
      {{place_of_clause::region, llvm::omp::OMPC_is_device_ptr}, "name the array in a map clause"},
      {{place_of_clause::region, llvm::omp::OMPC_defaultmap}, "name each variable in a map clause"},
      {{place_of_clause::region, llvm::omp::OMPC_allocate}, "leave it out"},
      {{place_of_clause::single, llvm::omp::OMPC_copyprivate},
       "leave it out; nothing follows 'single' in a region"},
      {{place_of_clause::task, llvm::omp::OMPC_in_reduction},
       "let each task write its own element, and a last task add them up"},
      {{place_of_clause::task, llvm::omp::OMPC_detach}, "leave it out"},
      {{place_of_clause::task, llvm::omp::OMPC_allocate}, "leave it out"},
      {{place_of_clause::parallel_for, llvm::omp::OMPC_lastprivate},
       "assign the last value after the loop"},
      {{place_of_clause::parallel_for, llvm::omp::OMPC_linear},
       "compute the value from the loop's variable"},
      {{place_of_clause::parallel_for, llvm::omp::OMPC_ordered},
       "write a serial loop, or tasks that depend on each other"},
      {{place_of_clause::parallel_for, llvm::omp::OMPC_if},
       "leave it out; all threads of the block take part anyway"},
      {{place_of_clause::parallel_for, llvm::omp::OMPC_copyin}, "leave it out"}};
  auto const found = advice.find({place, of});
  return found == advice.end() ? "leave it out" : found->second;
}

}  // namespace

std::string name_of(OMPExecutableDirective const* directive) {
  return llvm::omp::getOpenMPDirectiveName(directive->getDirectiveKind()).str();
}

void check_clauses(ASTContext& context, OMPExecutableDirective const* directive,
                   place_of_clause place, reporter const& report,
                   std::vector<std::string>& remarks) {
  source_text const source(context);
  for (OMPClause const* clause : directive->clauses()) {
    if (clause->isImplicit() || clause->getBeginLoc().isInvalid()) continue;
    kind const of = clause->getClauseKind();
    std::string const name = llvm::omp::getOpenMPClauseName(of).str();
    clause_names const known = names_of(place);
    if (known.hints.contains(" " + name + " ")) {
      remarks.push_back("line " + std::to_string(source.line(clause->getBeginLoc())) + ": '" +
                        name + "' of '" + name_of(directive) + "' has no effect on results");
    } else if (!known.translated.contains(" " + name + " ")) {
      report.error(clause, "clause '" + name + "' of '" + name_of(directive) +
                               "' is not supported here; " + instead_of(place, of));
    }
  }
}

void refuse_directive(OMPExecutableDirective const* directive, std::string const& where,
                      reporter const& report) {
  static std::map<OpenMPDirectiveKind, std::string> const advice{
      {llvm::omp::OMPD_taskwait,
       "the end of the region waits for all tasks; order the tasks by depend clauses"},
      {llvm::omp::OMPD_taskgroup, "order the tasks by depend clauses"},
      {llvm::omp::OMPD_taskloop, "write a loop with a task in it"},
      {llvm::omp::OMPD_taskloop_simd, "write a loop with a task in it"},
      {llvm::omp::OMPD_taskyield, "leave it out"},
      {llvm::omp::OMPD_barrier, "order the tasks by depend clauses"},
      {llvm::omp::OMPD_task,
       "a task cannot make tasks; make this task in the region, with depend clauses"},
      {llvm::omp::OMPD_for, "write 'parallel for'"},
      {llvm::omp::OMPD_parallel, "write 'parallel for' in front of the loop"},
      {llvm::omp::OMPD_parallel_for, "only one loop level is parallel; use 'collapse' for more"},
      {llvm::omp::OMPD_sections, "make each section a task"},
      {llvm::omp::OMPD_parallel_sections, "make each section a task"},
      {llvm::omp::OMPD_atomic, "use 'reduction' of 'parallel for'"},
      {llvm::omp::OMPD_critical, "use 'reduction' of 'parallel for'"},
      {llvm::omp::OMPD_ordered, "write a serial loop"},
      {llvm::omp::OMPD_flush, "leave it out; dependences order what tasks write"},
      {llvm::omp::OMPD_target, "regions cannot be nested; write them one after the other"},
      {llvm::omp::OMPD_cancel, "let tasks check a flag"},
      {llvm::omp::OMPD_cancellation_point, "let tasks check a flag"}};
  auto const found = advice.find(directive->getDirectiveKind());
  report.error(directive, "directive '" + name_of(directive) + "' is not supported " + where +
                              (found == advice.end() ? "" : "; " + found->second));
}

// Reads a task's clauses and finds its name.

void task_reader::take(OMPTaskDirective const* directive) {
  if (!require_written(directive)) return;
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
