#include "compiler/region_checks.hpp"

#include <algorithm>

#include "compiler/clauses.hpp"
#include "compiler/region_search.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

void take_variables(OMPClause const* clause, std::vector<VarDecl const*>& into) {
  for (Stmt const* item : clause->children()) {
    VarDecl const* const variable = variable_of(dyn_cast<Expr>(item));
    if (variable != nullptr && !has(into, variable)) into.push_back(variable);
  }
}

bool region_work::require_written(OMPExecutableDirective const* directive) const {
  bool const is_written = source_.is_written(directive);
  if (!is_written)
    report_.error(directive, "a directive comes from a macro or _Pragma; write '#pragma omp'");
  return is_written;
}

void region_work::refuse_names_of_source(Stmt const* s, std::string const& whose) const {
  if (source_.is_line_number(s))
    report_.error(
        s, "'__LINE__' in " + whose + " would be a line of the generated source; write the number");
  if (source_.is_function_name(s))
    report_.error(s, "the function of " + whose +
                         " has another name in the generated source; write the name as a text");
}

namespace {

bool is_lambda(TagDecl const* tag) {
  auto const* record = dyn_cast<CXXRecordDecl>(tag);
  return record != nullptr && record->isLambda();
}

// Refuses constructs that contain tasks but are not regions, or warns about them.

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

void region_work::check_type(QualType type, SourceLocation at) const {
  QualType const plain = type.getNonReferenceType();
  if (plain->getAsCXXRecordDecl() != nullptr && !plain.isTriviallyCopyableType(context_))
    report_.error(at, "type '" + plain.getAsString() +
                          "' is not supported in a task: it cannot be copied byte by byte");
  TagDecl const* const tag = plain->getAsTagDecl();
  if (tag != nullptr && tag->getIdentifier() == nullptr && !is_lambda(tag) &&
      tag->getTypedefNameForAnonDecl() == nullptr)
    report_.error(at, "this has a type without a name, and a task needs one; name the type");
  if (plain->isRecordType() && holds_pointer(plain))
    report_.error(at, "type '" + plain.getAsString() +
                          "' holds a pointer, which is invalid on a device; pass the pointer to "
                          "the task as a separate variable");
}

void region_work::check_function(FunctionDecl const* callee, CallExpr const* call) const {
  std::string const name = "'" + callee->getNameAsString() + "'";
  if (callee->isTemplateInstantiation() || callee->isDependentContext())
    report_.error(call, name + " is a template, which is not supported; write a plain function");
  if (callee->isVariadic())
    report_.error(call, name +
                            " takes any number of arguments, which is not supported in a region; "
                            "write a function with fixed parameters");
  if (is_changing_reference(callee->getReturnType()))
    report_.error(
        call, name +
                  " returns a reference, which is not supported in a region; name the variable, "
                  "or return a pointer into a mapped array");
  if (callee->getReturnType()->isVariablyModifiedType())
    report_.error(callee, name +
                              " returns a type of variable length, which is not supported; return "
                              "a pointer to elements");
  for (ParmVarDecl const* parameter : callee->parameters()) {
    check_type(parameter->getType(), parameter->getLocation());
    if (parameter->getType()->isVariablyModifiedType() ||
        parameter->getOriginalType()->isVariablyModifiedType())
      report_.error(parameter,
                    "parameter '" + parameter->getNameAsString() + "' of " + name +
                        " has a length that is not a constant, which C++ does not have; use a "
                        "pointer to the elements");
  }
  if (source_text::in_macro(callee->getSourceRange()))
    report_.error(callee, name + " comes from a macro; write it out");
}

bool region_work::refuse_other_file(Stmt const* s, Stmt const* code) const {
  SourceManager const& sources = context_.getSourceManager();
  auto const file_of = [&](Stmt const* of) {
    return sources.getFileID(sources.getExpansionLoc(of->getBeginLoc()));
  };
  if (s->getBeginLoc().isInvalid() || file_of(s) == file_of(code)) return false;
  report_.error(
      s, "this code is in another file than the region around it; move it into the region's file");
  return true;
}

bool region_work::is_inside(VarDecl const* variable) const {
  if (has(made_.privates, variable)) return true;
  if (is_declared_in(made_.body, variable)) return true;
  for (DeclStmt const* d : made_.declarations) {
    if (is_declared_in(d, variable)) return true;
  }
  // The variable may belong to a function called by the region or by a task.
  auto const* owner = dyn_cast_or_null<FunctionDecl>(variable->getParentFunctionOrMethod());
  return variable->hasLocalStorage() && owner != nullptr && owner != made_.within &&
         owner->getCanonicalDecl() != made_.within->getCanonicalDecl();
}

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
