#include "compiler/clauses.hpp"

#include <map>

#include "clang/Basic/OpenMPKinds.h"
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

}  // namespace gridloom::juggler::cc
