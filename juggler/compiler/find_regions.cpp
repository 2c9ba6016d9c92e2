// Finds the regions and builds a model of each, or reports what is not supported.
#include <algorithm>

#include "compiler/array_uses.hpp"
#include "compiler/region_checks.hpp"
#include "compiler/region_search.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

class region_builder : region_work {
 public:
  region_builder(ASTContext& context, reporter const& report, task_finder& tasks, region& made)
      : region_work(context, report, made), tasks_(tasks) {}

  /// `parallel` is the directive inside `target`, or `target` itself for a combined directive.
  void build(OMPExecutableDirective const* target, OMPExecutableDirective const* parallel,
             FunctionDecl const* within) {
    made_.directive = target;
    made_.within = within;
    if (within->isDependentContext() || within->isTemplateInstantiation())
      report_.error(target, "a region in a template is not supported; write a plain function");
    if (isa<CXXMethodDecl>(within))
      report_.error(target,
                    "a region in a member function is not supported; write a plain function");
    take_region_clauses(target);
    if (parallel != target) take_region_clauses(parallel);
    take_body(body_of(parallel));
    if (made_.body == nullptr) return;
    inspect(made_.body, made_.body);
    if (made_.tasks.empty()) return;
    device_checker device(context_, report_, made_);
    for (task const& t : made_.tasks) device.check(t.body);
    capture_finder(context_, report_, made_).find();
    constant_finder(context_, report_, made_).find();
    name_checker(context_, report_, made_).check();
  }

 private:
  void require_whole(OMPExecutableDirective const* directive) const {
    Stmt const* const body = body_of(directive);
    if (body == nullptr || isa<OMPExecutableDirective>(body)) return;
    if (!source_.is_whole(body->getSourceRange()))
      report_.error(body->getEndLoc(), "a region begins or ends inside a macro; write it out");
  }
  void take_region_clauses(OMPExecutableDirective const* directive) {
    require_written(directive);
    require_whole(directive);
    check_clauses(context_, directive, place_of_clause::region, report_, made_.remarks);
    for (OMPClause const* clause : directive->clauses()) {
      if (clause->isImplicit() || clause->getBeginLoc().isInvalid()) continue;
      if (auto const* map = dyn_cast<OMPMapClause>(clause))
        map_reader(context_, report_, made_).take(map);
      if (auto const* own = dyn_cast<OMPPrivateClause>(clause)) take_variables(own, made_.privates);
      if (isa<OMPFirstprivateClause>(clause)) take_variables(clause, made_.firstprivates);
      if (auto const* threads = dyn_cast<OMPNumThreadsClause>(clause))
        made_.num_threads = written(threads->getNumThreads());
    }
  }

  /// The value as written in a clause. Clang may replace it by a variable of its own.
  static Expr const* written(Expr const* value) {
    auto const* kept = dyn_cast_or_null<OMPCapturedExprDecl>(variable_of(value));
    return kept == nullptr ? value : kept->getInit();
  }

  // Reads a region's body: declarations, then one `single` or `master` with everything else.
  void take_body(Stmt const* body) {
    std::vector<Stmt const*> statements{body};
    if (auto const* compound = dyn_cast_or_null<CompoundStmt>(body))
      statements.assign(compound->body_begin(), compound->body_end());
    for (Stmt const* s : statements) {
      if (s == nullptr || isa<NullStmt>(s)) continue;
      if (auto const* declared = dyn_cast<DeclStmt>(s);
          declared != nullptr && made_.body == nullptr) {
        if (effects_of(s).stores)
          report_.error(s,
                        "every thread of the team executes this; put it in "
                        "'single'");
        made_.declarations.push_back(declared);
        continue;
      }
      auto const* directive = dyn_cast<OMPExecutableDirective>(s);
      bool const is_one = isa<OMPSingleDirective>(s) || isa<OMPMasterDirective>(s);
      if (is_one && made_.body == nullptr) {
        require_written(directive);
        require_whole(directive);
        check_clauses(context_, directive, place_of_clause::single, report_, made_.remarks);
        for (OMPClause const* clause : directive->clauses()) {
          if (isa<OMPPrivateClause>(clause)) take_variables(clause, made_.privates);
          if (isa<OMPFirstprivateClause>(clause) && !clause->isImplicit())
            take_variables(clause, made_.firstprivates);
        }
        made_.body = body_of(directive);
      } else if (is_one) {
        report_.error(s, "a second '" + name_of(directive) +
                             "' in a region is not supported; put both into one, "
                             "or write two regions");
      } else if (directive != nullptr && made_.body != nullptr &&
                 (isa<OMPTaskwaitDirective>(s) || isa<OMPBarrierDirective>(s))) {
        made_.remarks.push_back("line " + std::to_string(source_.line(s->getBeginLoc())) + ": '" +
                                name_of(directive) +
                                "' at the end has no effect: a region waits at its end anyway");
      } else if (isa<OMPTaskDirective>(s)) {
        report_.error(s, "every thread would make this task; put it in 'single'");
      } else if (directive != nullptr) {
        refuse_directive(directive, "in a region, outside of 'single'", report_);
      } else {
        report_.error(s, "every thread of the team executes this; put it in 'single'");
      }
    }
  }

  /// Reads the tasks that code makes, and refuses what the inspection cannot execute. `top` is the
  /// region's body; it is null for a called function.
  void inspect(Stmt const* code, Stmt const* top) {
    walk(code, [&](Stmt const* s) {
      if (refuse_other_file(s, code)) return false;
      if (auto const* made = dyn_cast<OMPTaskDirective>(s)) {
        task_reader(context_, report_, made_).take(made);
        return false;
      }
      if (auto const* directive = dyn_cast<OMPExecutableDirective>(s)) {
        if (isa<OMPTaskwaitDirective>(s) || isa<OMPTaskgroupDirective>(s)) {
          if (directive->getNumClauses() > 0) refuse_directive(directive, "with a clause", report_);
          require_written(directive);
          if (is_last(s, top)) made_.last_waits.push_back(directive);
          return true;
        }
        refuse_directive(directive, "between the tasks of a region", report_);
        return false;
      }
      refuse_names_of_source(s, "a region");
      if (auto const* loop = dyn_cast<CXXForRangeStmt>(s);
          loop != nullptr && !loop->getRangeInit()->getType()->isArrayType()) {
        report_.error(s,
                      "a loop over a container is not supported in a region; write a loop over "
                      "numbers");
        return false;
      }
      if (auto const* declared = dyn_cast<DeclStmt>(s)) check_static(declared);
      if (isa<LambdaExpr>(s)) {
        report_.error(s, "a lambda in a region is not supported; write a function");
        return false;
      }
      if (auto const* call = dyn_cast<CallExpr>(s)) {
        FunctionDecl const* callee = callee_of(call);
        if (callee != nullptr && tasks_.in(callee)) take_inspected(callee, call);
      }
      return true;
    });
  }

  /// Refuses static variables, because the code that makes tasks is copied.
  void check_static(DeclStmt const* declared) const {
    for (Decl const* d : declared->decls()) {
      auto const* v = dyn_cast<VarDecl>(d);
      if (v != nullptr && v->isStaticLocal() && !v->getType().isConstQualified())
        report_.error(v,
                      "a static variable in code that makes tasks is not supported; declare it "
                      "outside of the function");
    }
  }

  static bool is_last(Stmt const* s, Stmt const* top) {
    if (s == top) return true;
    auto const* compound = dyn_cast_or_null<CompoundStmt>(top);
    return compound != nullptr && !compound->body_empty() && compound->body_back() == s;
  }

  void take_inspected(FunctionDecl const* callee, CallExpr const* call) {
    if (has(open_, callee)) {
      report_.error(call, "'" + callee->getNameAsString() +
                              "' makes tasks and calls itself, which is not "
                              "supported; write a loop");
      return;
    }
    if (has(made_.inspected, callee)) return;
    check_function(callee, call);
    if (source_text::in_macro(call->getSourceRange()))
      report_.error(call, "a call that makes tasks comes from a macro; write it out");
    open_.push_back(callee);
    inspect(callee->getBody(), nullptr);
    open_.pop_back();
    made_.inspected.push_back(callee);
  }

  task_finder& tasks_;
  std::vector<FunctionDecl const*> open_;
};

/// Reports variables that the region sets in its copy although the program may read them later.
/// OpenMP copies structures back. With `#pragma juggler target`, other compilers set the variable
/// itself.
void refuse_lost_values(region const& of, reporter const& report) {
  for (capture const& c : of.captures) {
    bool const is_copied_back =
        of.targeted_by_directive || c.variable->getType().getNonReferenceType()->isRecordType();
    if (!c.changes || !is_copied_back || has(of.firstprivates, c.variable) ||
        of.map_of(c.variable) != nullptr)
      continue;
    std::string const name = c.variable->getNameAsString();
    report.error(of.directive, "'" + name +
                                   "' is set in the region, which uses a copy of it; declare it in "
                                   "the region, or write firstprivate(" +
                                   name + ")");
  }
}

}  // namespace

program find_regions(ASTContext& context, reporter const& report, own_directives const& own) {
  program result{&context, {}};
  refuse_reserved_names(context, report);
  task_finder tasks;
  region_places const places = search_regions(context, tasks);
  refuse_places(context, places, own, report);
  source_text const source(context);
  for (region_place const& place : places.regions) {
    region made{};
    made.number = static_cast<unsigned>(result.regions.size() + 1);
    region_builder(context, report, tasks, made).build(place.target, place.parallel, place.within);
    unsigned const line = source.line(place.target->getBeginLoc());
    made.eligible_by_directive = has(own.eligible_lines, line);
    made.targeted_by_directive = has(own.target_lines, line);
    unsigned last = line;
    walk(body_of(place.parallel), [&](Stmt const* s) {
      last = std::max(last, source.line(s->getEndLoc()));
      return true;
    });
    for (auto const& [at, how] : own.newer) {
      // The task may be in a function called by the region, outside the region's lines.
      bool const is_of_task =
          std::any_of(made.tasks.begin(), made.tasks.end(), [&, number = at](task const& t) {
            return source.line(t.directive->getBeginLoc()) == number;
          });
      if (is_of_task || (line < at && at <= last))
        made.remarks.push_back("line " + std::to_string(at) + ": " + how);
    }
    refuse_lost_values(made, report);
    if (!report.failed()) warn_of_lost_writes(context, made, report);
    result.regions.push_back(std::move(made));
  }
  warn_of_loose_tasks(result, places, report);
  return result;
}

}  // namespace gridloom::juggler::cc
