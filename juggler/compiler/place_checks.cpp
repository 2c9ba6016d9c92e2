// Refuses constructs that contain tasks but are not regions, or warns about them.
#include <algorithm>

#include "compiler/clauses.hpp"
#include "compiler/region_search.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

/// Refuses juggler-cc's own directives that apply to no region.
void refuse_idle_directives(ASTContext& context, region_places const& places,
                            own_directives const& own, reporter const& report) {
  source_text const source(context);
  SourceManager const& sources = context.getSourceManager();
  auto const look = [&](std::vector<unsigned> const& lines, unsigned behind, char const* what) {
    for (unsigned const line : lines) {
      bool const is_used = std::any_of(
          places.regions.begin(), places.regions.end(),
          [&](region_place const& r) { return source.line(r.target->getBeginLoc()) == line; });
      if (!is_used)
        report.error(sources.translateLineCol(sources.getMainFileID(), line - behind, 1), what);
    }
  };
  look(own.eligible_lines, 1,
       "'juggler eligible' has no region on the next line; write it in front of the directive that "
       "begins one");
  look(own.target_lines, 0,
       "'juggler target' makes no region here; write it in front of 'parallel' with 'single' in it "
       "and 'task' in that");
}

void refuse_construct(OMPExecutableDirective const* of, reporter const& report) {
  std::string const name = "'" + name_of(of) + "'";
  bool const is_target = isOpenMPTargetExecutionDirective(of->getDirectiveKind());
  report.error(
      of, is_target && isa<OMPTargetDirective>(of)
              ? name +
                    " with tasks in it may hold only 'parallel'; put the rest into 'single', or "
                    "before the region"
              : name + " with tasks in it is not supported; make the tasks in '" +
                    (is_target ? "target " : "") + "parallel' with 'single' in it");
}

}  // namespace

void refuse_places(ASTContext& context, region_places const& places, own_directives const& own,
                   reporter const& report) {
  for (region_place const& r : places.in_headers)
    report.error(r.target,
                 "a region in a header is not supported; write its function in the program's file");
  for (region_place const& r : places.in_lambdas)
    report.error(r.target, "a region in a lambda is not supported; write a plain function");
  for (region_place const& plain : places.plain) {
    suggestion const wanted = suggested_directive(context, plain.target, plain.within);
    bool const is_open = wanted.directive.find("LENGTH") != std::string::npos;
    std::string const what =
        "this 'parallel' region makes tasks, but no map clause says which arrays they use; ";
    report.error(plain.target,
                 what + (wanted.obstacle.empty()
                             ? "write in front of it" +
                                   std::string(is_open ? ", with the number of elements that tasks "
                                                         "use for LENGTH: "
                                                       : ": ") +
                                   wanted.directive
                             : wanted.obstacle));
  }
  for (region_place const& other : places.others) refuse_construct(other.target, report);
  // In OpenMP, `target data` and its siblings also decide what a region copies. Here only the
  // region's own clauses do.
  for (region_place const& data : places.data) {
    if (!places.regions.empty())
      report.error(data.target, "directive '" + name_of(data.target) +
                                    "' is not supported in a file with regions of tasks, whose own "
                                    "map clauses say what to copy; leave it out");
  }
  refuse_idle_directives(context, places, own, report);
}

void warn_of_loose_tasks(program const& of, region_places const& places, reporter const& report) {
  for (region_place const& loose : places.loose) {
    bool const is_inspected =
        std::any_of(of.regions.begin(), of.regions.end(), [&](region const& r) {
          return std::any_of(r.inspected.begin(), r.inspected.end(), [&](FunctionDecl const* f) {
            return f->getCanonicalDecl() == loose.within->getCanonicalDecl();
          });
        });
    if (!is_inspected)
      report.warning(loose.target,
                     "this task is in no region of Juggler: OpenMP runs it on the host");
  }
}

}  // namespace gridloom::juggler::cc
