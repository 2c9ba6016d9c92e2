// Finds the regions and makes the model of each, or says what is not supported.
#include <algorithm>
#include <set>

#include "compiler/clauses.hpp"
#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

/// Whether tasks are made by a statement, itself or through calls.
class task_finder {
 public:
  bool in(Stmt const* statement) {
    bool found = false;
    walk(statement, [&](Stmt const* s) {
      if (isa<OMPTaskDirective>(s)) found = true;
      if (auto const* call = dyn_cast<CallExpr>(s)) {
        FunctionDecl const* callee = callee_of(call);
        found = found || (callee != nullptr && in(callee));
      }
      return !found;
    });
    return found;
  }
  bool in(FunctionDecl const* function) {
    auto const [at, is_new] = answers_.emplace(function, false);
    if (!is_new) return at->second;
    bool const answer = in(function->getBody());
    answers_[function] = answer;
    return answer;
  }

 private:
  std::map<FunctionDecl const*, bool> answers_;
};

class region_builder {
 public:
  region_builder(ASTContext& context, reporter const& report, task_finder& tasks)
      : context_(context), source_(context), report_(report), tasks_(tasks) {}

  /// `parallel` is what is below `target`, where they are two directives.
  region build(OMPExecutableDirective const* target, OMPExecutableDirective const* parallel,
               FunctionDecl const* within, unsigned number) {
    made_ = {};
    made_.number = number;
    made_.directive = target;
    made_.within = within;
    if (within->isDependentContext() || within->isTemplateInstantiation())
      report_.error(target->getBeginLoc(),
                    "a region in a template is not supported; write a plain function");
    if (isa<CXXMethodDecl>(within))
      report_.error(target->getBeginLoc(),
                    "a region in a member function is not supported; write a plain function");
    take_region_clauses(target);
    if (parallel != target) take_region_clauses(parallel);
    take_body(body_of(parallel));
    if (made_.body == nullptr) return made_;
    inspect(made_.body, made_.body);
    if (made_.tasks.empty()) return made_;
    for (task const& t : made_.tasks) check_device_code(t.body, false);
    find_captures();
    return made_;
  }

 private:
  void take_variables(OMPClause const* clause, std::vector<VarDecl const*>& into) {
    for (Stmt const* item : clause->children()) {
      if (VarDecl const* variable = variable_of(dyn_cast<Expr>(item))) into.push_back(variable);
    }
  }

  void take_region_clauses(OMPExecutableDirective const* directive) {
    check_clauses(context_, directive, place_of_clause::region, report_, made_.remarks);
    for (OMPClause const* clause : directive->clauses()) {
      if (clause->isImplicit() || clause->getBeginLoc().isInvalid()) continue;
      if (auto const* map = dyn_cast<OMPMapClause>(clause)) take_map(map);
      if (auto const* own = dyn_cast<OMPPrivateClause>(clause)) take_variables(own, made_.privates);
      if (auto const* threads = dyn_cast<OMPNumThreadsClause>(clause))
        made_.num_threads = threads->getNumThreads();
    }
  }

  void take_map(OMPMapClause const* clause) {
    if (!clause->getMapTypeModifiers().empty()) {
      for (OpenMPMapModifierKind const modifier : clause->getMapTypeModifiers()) {
        if (modifier != OMPC_MAP_MODIFIER_unknown) {
          report_.error(clause->getBeginLoc(),
                        "map modifiers are not supported; leave out 'always', 'close' and "
                        "the like: every region copies");
          return;
        }
      }
    }
    map_kind kind{};
    switch (clause->getMapType()) {
      case OMPC_MAP_to: kind = map_kind::to; break;
      case OMPC_MAP_from: kind = map_kind::from; break;
      case OMPC_MAP_tofrom: kind = map_kind::tofrom; break;
      case OMPC_MAP_alloc: kind = map_kind::alloc; break;
      default:
        report_.error(clause->getBeginLoc(),
                      "map type is not supported; write to, from, tofrom or alloc");
        return;
    }
    for (Expr const* item : clause->varlists()) take_map_item(item, kind);
  }

  void take_map_item(Expr const* item, map_kind kind) {
    section const what = section_of(context_, item);
    VarDecl const* variable = variable_of(what.base);
    if (variable == nullptr) {
      report_.error(item->getBeginLoc(),
                    "a mapped item is a variable or a section of one; copy the member's pointer "
                    "into a variable");
      return;
    }
    QualType const type = variable->getType().getNonReferenceType();
    if (type->isPointerType() && type->getPointeeType()->isPointerType()) {
      report_.error(item->getBeginLoc(),
                    "'" + variable->getNameAsString() +
                        "' is a pointer to pointers, which cannot be mapped; keep all rows in one "
                        "array");
      return;
    }
    if (CXXRecordDecl const* record = type->getAsCXXRecordDecl();
        record != nullptr && !type.isTriviallyCopyableType(context_)) {
      report_.error(item->getBeginLoc(), "'" + variable->getNameAsString() + "' of type '" +
                                             type.getAsString() +
                                             "' cannot be copied byte by byte; map the array that "
                                             "its data pointer names");
      return;
    }
    if (type->isVariablyModifiedType()) {
      report_.error(item->getBeginLoc(), "'" + variable->getNameAsString() +
                                             "' has a length that is not a constant; use a "
                                             "pointer to its elements");
      return;
    }
    if (type->isPointerType() && what.dimensions.empty()) {
      report_.error(item->getBeginLoc(), "pointer '" + variable->getNameAsString() +
                                             "' is mapped without a length; write " +
                                             variable->getNameAsString() + "[0:length]");
      return;
    }
    if (made_.map_of(variable) != nullptr) {
      report_.error(item->getBeginLoc(),
                    "'" + variable->getNameAsString() + "' is mapped twice; write one section");
      return;
    }
    for (std::size_t d = 1; d < what.dimensions.size(); ++d) {
      if (!is_whole(what.dimensions[d])) {
        report_.error(item->getBeginLoc(),
                      "only the first dimension of a mapped section may be a part; write whole "
                      "rows");
        return;
      }
    }
    made_.maps.push_back({variable, kind, what, false});
  }

  bool is_whole(section_dimension const& of) {
    if (!of.is_section || of.extent == 0) return false;
    Expr::EvalResult value;
    if (of.first != nullptr &&
        !(of.first->EvaluateAsInt(value, context_) && value.Val.getInt() == 0))
      return false;
    return of.length == nullptr || (of.length->EvaluateAsInt(value, context_) &&
                                    value.Val.getInt() == static_cast<std::int64_t>(of.extent));
  }

  // The region's body: declarations, and one `single` or `master` with all the rest.
  void take_body(Stmt const* body) {
    std::vector<Stmt const*> statements{body};
    if (auto const* compound = dyn_cast_or_null<CompoundStmt>(body))
      statements.assign(compound->body_begin(), compound->body_end());
    for (Stmt const* s : statements) {
      if (s == nullptr || isa<NullStmt>(s)) continue;
      if (auto const* declared = dyn_cast<DeclStmt>(s);
          declared != nullptr && made_.body == nullptr) {
        if (effects_of(s).stores)
          report_.error(s->getBeginLoc(),
                        "every thread of the team executes this; put it in "
                        "'single'");
        made_.declarations.push_back(declared);
        continue;
      }
      auto const* directive = dyn_cast<OMPExecutableDirective>(s);
      bool const is_one = isa<OMPSingleDirective>(s) || isa<OMPMasterDirective>(s);
      if (is_one && made_.body == nullptr) {
        check_clauses(context_, directive, place_of_clause::single, report_, made_.remarks);
        for (OMPClause const* clause : directive->clauses()) {
          if (isa<OMPPrivateClause>(clause)) take_variables(clause, made_.privates);
        }
        made_.body = body_of(directive);
      } else if (is_one) {
        report_.error(s->getBeginLoc(), "a second '" + name_of(directive) +
                                            "' in a region is not supported; put both into one, "
                                            "or write two regions");
      } else if (directive != nullptr && made_.body != nullptr &&
                 (isa<OMPTaskwaitDirective>(s) || isa<OMPBarrierDirective>(s))) {
        made_.remarks.push_back("line " + std::to_string(source_.line(s->getBeginLoc())) + ": '" +
                                name_of(directive) +
                                "' at the end says what the region's end does");
      } else if (isa<OMPTaskDirective>(s)) {
        report_.error(s->getBeginLoc(), "every thread would make this task; put it in 'single'");
      } else if (directive != nullptr) {
        refuse_directive(directive, "in a region beside 'single'", report_);
      } else {
        report_.error(s->getBeginLoc(),
                      "every thread of the team executes this; put it in 'single'");
      }
    }
  }

  /// Goes over code that makes tasks. `top` is the region's body, or null in a function.
  void inspect(Stmt const* code, Stmt const* top) {
    walk(code, [&](Stmt const* s) {
      if (auto const* made = dyn_cast<OMPTaskDirective>(s)) {
        take_task(made);
        return false;
      }
      if (auto const* directive = dyn_cast<OMPExecutableDirective>(s)) {
        if (isa<OMPTaskwaitDirective>(s) || isa<OMPTaskgroupDirective>(s)) {
          if (directive->getNumClauses() > 0) refuse_directive(directive, "with a clause", report_);
          if (!source_.is_written(directive))
            report_.error(directive->getBeginLoc(),
                          "a directive comes from a macro or _Pragma; write '#pragma omp'");
          if (is_last(s, top)) made_.last_waits.push_back(directive);
          return true;
        }
        refuse_directive(directive, "between the tasks of a region", report_);
        return false;
      }
      if (isa<LambdaExpr>(s)) {
        report_.error(s->getBeginLoc(), "a lambda in a region is not supported; write a function");
        return false;
      }
      if (auto const* call = dyn_cast<CallExpr>(s)) {
        FunctionDecl const* callee = callee_of(call);
        if (callee != nullptr && tasks_.in(callee)) take_inspected(callee, call);
      }
      return true;
    });
  }

  static bool is_last(Stmt const* s, Stmt const* top) {
    if (s == top) return true;
    auto const* compound = dyn_cast_or_null<CompoundStmt>(top);
    return compound != nullptr && !compound->body_empty() && compound->body_back() == s;
  }

  void take_inspected(FunctionDecl const* callee, CallExpr const* call) {
    if (std::find(open_.begin(), open_.end(), callee) != open_.end()) {
      report_.error(call->getBeginLoc(), "'" + callee->getNameAsString() +
                                             "' makes tasks and calls itself, which is not "
                                             "supported; write a loop");
      return;
    }
    if (std::find(made_.inspected.begin(), made_.inspected.end(), callee) != made_.inspected.end())
      return;
    check_function(callee, call);
    if (source_text::in_macro(call->getSourceRange()))
      report_.error(call->getBeginLoc(),
                    "a call that makes tasks comes from a macro; write it out");
    open_.push_back(callee);
    inspect(callee->getBody(), nullptr);
    open_.pop_back();
    made_.inspected.push_back(callee);
  }

  void take_task(OMPTaskDirective const* directive) {
    if (!source_.is_written(directive)) {
      report_.error(directive->getBeginLoc(),
                    "a directive comes from a macro or _Pragma; write '#pragma omp'");
      return;
    }
    check_clauses(context_, directive, place_of_clause::task, report_, made_.remarks);
    task t{directive, body_of(directive), {}, {}, {}, {}};
    t.name = name_for(t.body);
    for (OMPClause const* clause : directive->clauses()) {
      if (isa<OMPFirstprivateClause>(clause)) take_variables(clause, t.firstprivate);
      if (isa<OMPPrivateClause>(clause)) take_variables(clause, t.privates);
      if (auto const* depend = dyn_cast<OMPDependClause>(clause)) take_depend(depend, t);
      if (auto const* condition = dyn_cast<OMPIfClause>(clause)) take_if(condition, t);
    }
    made_.tasks.push_back(std::move(t));
  }

  void take_if(OMPIfClause const* clause, task& t) {
    Expr::EvalResult value;
    if (clause->getCondition()->EvaluateAsInt(value, context_) && value.Val.getInt() != 0) return;
    t.deferred_if = clause->getCondition();
    made_.remarks.push_back("line " + std::to_string(source_.line(clause->getBeginLoc())) +
                            ": where 'if' is false, later tasks wait for this one");
  }

  void take_depend(OMPDependClause const* clause, task& t) {
    access how{};
    switch (clause->getDependencyKind()) {
      case OMPC_DEPEND_in: how = access::in; break;
      case OMPC_DEPEND_out: how = access::out; break;
      case OMPC_DEPEND_inout: how = access::inout; break;
      default:
        report_.error(clause->getBeginLoc(),
                      "this kind of dependence is not supported; write in, out or inout");
        return;
    }
    for (Expr const* item : clause->varlists()) {
      t.dependences.push_back({how, section_of(context_, item)});
    }
  }

  /// `lu0` for a task that is a call of lu0, else its line; each name once.
  std::string name_for(Stmt const* body) {
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
      return std::any_of(made_.tasks.begin(), made_.tasks.end(),
                         [&](task const& t) { return t.name == candidate; });
    };
    for (unsigned n = 2; is_taken(name); ++n) name = base + "_" + std::to_string(n);
    return name;
  }

  // What tasks execute.

  void check_device_code(Stmt const* code, bool in_parallel_for) {
    walk(code, [&](Stmt const* s) {
      if (auto const* directive = dyn_cast<OMPExecutableDirective>(s)) {
        check_device_directive(directive, in_parallel_for);
        return false;
      }
      if (auto const* call = dyn_cast<CallExpr>(s)) take_call(call, in_parallel_for);
      if (isa<LambdaExpr>(s))
        report_.error(s->getBeginLoc(), "a lambda in a task is not supported; write a function");
      if (isa<CXXThrowExpr>(s) || isa<CXXTryStmt>(s))
        report_.error(s->getBeginLoc(), "exceptions in a task are not supported; store a flag");
      if (isa<CXXNewExpr>(s) || isa<CXXDeleteExpr>(s))
        report_.error(s->getBeginLoc(), "memory is not allocated in a task; map an array for it");
      if (isa<GotoStmt>(s) || isa<AsmStmt>(s))
        report_.error(s->getBeginLoc(), "this statement is not supported in a task");
      if (auto const* declared = dyn_cast<DeclStmt>(s)) {
        for (Decl const* d : declared->decls()) check_local(dyn_cast<VarDecl>(d));
      }
      return true;
    });
  }

  void check_local(VarDecl const* variable) {
    if (variable == nullptr) return;
    if (variable->isStaticLocal())
      report_.error(variable->getLocation(),
                    "a static variable in a task is not supported; map a variable for it");
    if (variable->getType()->isVariableArrayType())
      report_.error(variable->getLocation(),
                    "an array whose length is not a constant is not supported in a task");
    check_type(variable->getType(), variable->getLocation());
  }

  void check_type(QualType type, SourceLocation at) {
    QualType const plain = type.getNonReferenceType();
    if (plain->getAsCXXRecordDecl() != nullptr && !plain.isTriviallyCopyableType(context_))
      report_.error(at, "type '" + plain.getAsString() +
                            "' is not supported in a task: it cannot be copied byte by byte");
  }

  void check_device_directive(OMPExecutableDirective const* directive, bool in_parallel_for) {
    if (!source_.is_written(directive)) {
      report_.error(directive->getBeginLoc(),
                    "a directive comes from a macro or _Pragma; write '#pragma omp'");
      return;
    }
    bool const is_loop =
        isa<OMPParallelForDirective>(directive) || isa<OMPParallelForSimdDirective>(directive);
    if (isa<OMPSimdDirective>(directive)) {
      check_clauses(context_, directive, place_of_clause::simd, report_, made_.remarks);
      made_.remarks.push_back("line " + std::to_string(source_.line(directive->getBeginLoc())) +
                              ": 'simd' has no effect on results");
      check_device_code(body_of(directive), in_parallel_for);
    } else if (is_loop && !in_parallel_for) {
      check_clauses(context_, directive, place_of_clause::parallel_for, report_, made_.remarks);
      check_reductions(directive);
      check_device_code(body_of(directive), true);
    } else {
      refuse_directive(directive, in_parallel_for ? "in a parallel loop of a task" : "in a task",
                       report_);
    }
  }

  void check_reductions(OMPExecutableDirective const* directive) {
    for (auto const* clause : directive->getClausesOfKind<OMPReductionClause>()) {
      std::string const op = clause->getNameInfo().getAsString();
      if (op != "operator+" && op != "+" && op != "min" && op != "max")
        report_.error(clause->getBeginLoc(),
                      "reduction '" + op + "' is not supported; +, min and max are");
      for (Expr const* item : clause->varlists()) {
        VarDecl const* variable = variable_of(item);
        if (variable == nullptr || !variable->getType()->isArithmeticType())
          report_.error(item->getBeginLoc(),
                        "a reduction is into a variable of an arithmetic type; reduce into a "
                        "local variable and store it behind the loop");
      }
    }
  }

  void take_call(CallExpr const* call, bool in_parallel_for) {
    FunctionDecl const* named = call->getDirectCallee();
    if (named == nullptr) {
      report_.error(call->getBeginLoc(),
                    "a call through a pointer is not supported in a task; call a function by name");
      return;
    }
    FunctionDecl const* callee = callee_of(call);
    if (callee == nullptr) {
      if (is_known_function(named) || (named->getBuiltinID() != 0 && named->isConstexpr())) return;
      report_.error(call->getBeginLoc(),
                    "'" + named->getNameAsString() +
                        "' has no body here, so a task cannot call it; define it in this file");
      return;
    }
    if (in_parallel_for && is_block_wide(callee))
      report_.error(call->getBeginLoc(), "'" + callee->getNameAsString() +
                                             "' has a parallel loop and is called in one; one loop "
                                             "level is parallel");
    if (isa<CXXMethodDecl>(callee)) {
      if (!callee->isTrivial())
        report_.error(call->getBeginLoc(),
                      "member functions are not supported in a task; write a plain function");
      return;
    }
    if (std::find(made_.device_functions.begin(), made_.device_functions.end(), callee) !=
            made_.device_functions.end() ||
        std::find(open_.begin(), open_.end(), callee) != open_.end())
      return;
    check_function(callee, call);
    open_.push_back(callee);
    check_device_code(callee->getBody(), false);
    open_.pop_back();
    made_.device_functions.push_back(callee);
  }

  void check_function(FunctionDecl const* callee, CallExpr const* call) {
    std::string const name = "'" + callee->getNameAsString() + "'";
    if (callee->isTemplateInstantiation() || callee->isDependentContext())
      report_.error(call->getBeginLoc(),
                    name + " is a template, which is not supported; write a plain function");
    if (callee->isVariadic())
      report_.error(call->getBeginLoc(), name +
                                             " takes any number of arguments, which is not "
                                             "supported in a region");
    if (callee->getReturnType()->isVariablyModifiedType())
      report_.error(callee->getLocation(), name + " returns a type of variable length");
    for (ParmVarDecl const* parameter : callee->parameters()) {
      check_type(parameter->getType(), parameter->getLocation());
      if (parameter->getType()->isVariablyModifiedType() ||
          parameter->getOriginalType()->isVariablyModifiedType())
        report_.error(parameter->getLocation(),
                      "parameter '" + parameter->getNameAsString() + "' of " + name +
                          " has a length that is not a constant, which C++ does not have; use a "
                          "pointer to the elements");
    }
    if (source_text::in_macro(callee->getSourceRange()))
      report_.error(callee->getLocation(), name + " comes from a macro; write it out");
  }

  // Variables of outside.

  void find_captures() {
    for (DeclStmt const* d : made_.declarations) note_uses(d);
    note_uses(made_.body);
    for (FunctionDecl const* f : made_.device_functions) note_globals(f->getBody());
    for (mapping const& m : made_.maps) {
      at(m.variable);
      for (section_dimension const& d : m.what.dimensions) {
        note_expression(d.first, false);
        note_expression(d.length, false);
      }
    }
    note_expression(made_.num_threads, false);
    for (task const& t : made_.tasks) note_task(t);
    // OpenMP maps arrays that nobody names as a whole.
    for (capture const& c : made_.captures) {
      QualType const type = c.variable->getType();
      if (c.in_tasks && type->isArrayType() && made_.map_of(c.variable) == nullptr)
        made_.maps.push_back({c.variable, map_kind::tofrom, {nullptr, {}}, true});
    }
    for (capture const& c : made_.captures) check_capture(c);
  }

  bool is_inside(VarDecl const* variable) {
    if (std::find(made_.privates.begin(), made_.privates.end(), variable) != made_.privates.end())
      return true;
    if (is_declared_in(made_.body, variable)) return true;
    for (DeclStmt const* d : made_.declarations) {
      if (is_declared_in(d, variable)) return true;
    }
    // Of a function that the region or a task calls.
    auto const* owner = dyn_cast_or_null<FunctionDecl>(variable->getParentFunctionOrMethod());
    return variable->hasLocalStorage() && owner != nullptr && owner != made_.within &&
           owner->getCanonicalDecl() != made_.within->getCanonicalDecl();
  }

  capture& at(VarDecl const* variable) {
    for (capture& c : made_.captures) {
      if (c.variable == variable) return c;
    }
    made_.captures.push_back({variable});
    return made_.captures.back();
  }

  /// Uses of variables in the region's code, its tasks included; assignments count outside tasks.
  void note_uses(Stmt const* code) {
    walk(code, [&](Stmt const* s) {
      if (auto const* made = dyn_cast<OMPTaskDirective>(s)) {
        for (OMPClause const* clause : made->clauses()) {
          if (clause->isImplicit()) continue;
          bool const is_listed = isa<OMPDependClause>(clause) || isa<OMPIfClause>(clause);
          bool const is_value = isa<OMPFirstprivateClause>(clause);
          if (!is_listed && !is_value) continue;
          for (Stmt const* item : clause->children()) note_expression(item);
        }
        for (OMPClause const* clause : made->clauses()) {
          if (clause->isImplicit() && isa<OMPFirstprivateClause>(clause)) {
            for (Stmt const* item : clause->children()) note_expression(item);
          }
        }
        return false;
      }
      note_reference(s);
      return true;
    });
    note_global_assignments(code);
    effects const done = effects_of(code, false);
    for (VarDecl const* variable : done.assigns) {
      if (!is_inside(variable)) at(variable).changes = true;
    }
    for (VarDecl const* variable : done.escapes) {
      if (!is_inside(variable) && !variable->getType()->isArrayType()) at(variable).changes = true;
    }
  }
  /// Globals that the region assigns are copies of its own, as OpenMP has it.
  void note_global_assignments(Stmt const* code) {
    walk(code, [&](Stmt const* s) {
      if (isa<OMPTaskDirective>(s)) return false;
      VarDecl const* assigned = nullptr;
      auto const* op = dyn_cast<BinaryOperator>(s);
      if (op != nullptr && op->isAssignmentOp()) assigned = variable_of(op->getLHS());
      auto const* one = dyn_cast<UnaryOperator>(s);
      if (one != nullptr && one->isIncrementDecrementOp())
        assigned = variable_of(one->getSubExpr());
      if (assigned != nullptr && !is_inside(assigned)) at(assigned).changes = true;
      return true;
    });
  }
  void note_expression(Stmt const* expression, bool in_inspection = true) {
    walk(expression, [&](Stmt const* s) {
      note_reference(s, in_inspection);
      return true;
    });
  }
  void note_reference(Stmt const* s, bool in_inspection = true) {
    auto const* reference = dyn_cast<DeclRefExpr>(s);
    auto const* variable = reference == nullptr ? nullptr : dyn_cast<VarDecl>(reference->getDecl());
    if (variable == nullptr || is_inside(variable) || is_usable_constant(context_, variable))
      return;
    capture& noted = at(variable);
    noted.in_inspection = noted.in_inspection || in_inspection;
  }
  void note_globals(Stmt const* code) {
    walk(code, [&](Stmt const* s) {
      auto const* reference = dyn_cast<DeclRefExpr>(s);
      auto const* variable =
          reference == nullptr ? nullptr : dyn_cast<VarDecl>(reference->getDecl());
      if (variable != nullptr && !variable->hasLocalStorage() &&
          !is_usable_constant(context_, variable)) {
        check_writes_of(variable, code, reference);
        at(variable).in_tasks = true;
      }
      return true;
    });
  }

  /// A value that is copied to the device at the start is not written by a task.
  void check_writes_of(VarDecl const* variable, Stmt const* code, DeclRefExpr const* use) {
    if (variable->getType()->isArrayType() || made_.map_of(variable) != nullptr) return;
    bool written = false;
    walk(code, [&](Stmt const* s) {
      auto const* op = dyn_cast<BinaryOperator>(s);
      if (op != nullptr && op->isAssignmentOp() && variable_of(op->getLHS()) == variable)
        written = true;
      auto const* one = dyn_cast<UnaryOperator>(s);
      if (one != nullptr && one->isIncrementDecrementOp() &&
          variable_of(one->getSubExpr()) == variable)
        written = true;
      return !written;
    });
    if (written)
      report_.error(use->getBeginLoc(), "a task writes '" + variable->getNameAsString() +
                                            "', which is not mapped; write map(tofrom: " +
                                            variable->getNameAsString() + ")");
  }

  void note_task(task const& t) {
    for (dependence const& d : t.dependences) {
      if (d.what.dimensions.empty()) {
        if (VarDecl const* variable = variable_of(d.what.base);
            variable != nullptr && !is_inside(variable))
          at(variable).is_token = true;
      }
    }
    auto const is_own = [&](VarDecl const* variable) {
      return std::find(t.firstprivate.begin(), t.firstprivate.end(), variable) !=
                 t.firstprivate.end() ||
             std::find(t.privates.begin(), t.privates.end(), variable) != t.privates.end() ||
             is_declared_in(t.body, variable);
    };
    std::set<VarDecl const*> seen;
    walk(t.body, [&](Stmt const* s) {
      auto const* reference = dyn_cast<DeclRefExpr>(s);
      auto const* variable =
          reference == nullptr ? nullptr : dyn_cast<VarDecl>(reference->getDecl());
      if (variable == nullptr || is_own(variable) || is_usable_constant(context_, variable) ||
          !seen.insert(variable).second)
        return true;
      if (is_inside(variable)) {
        report_.error(reference->getBeginLoc(),
                      "task uses '" + variable->getNameAsString() +
                          "' of the region, shared with other tasks; write firstprivate(" +
                          variable->getNameAsString() + ")");
      } else {
        check_writes_of(variable, t.body, reference);
        at(variable).in_tasks = true;
      }
      return true;
    });
    for (VarDecl const* variable : t.firstprivate) check_firstprivate(t, variable);
  }

  void check_firstprivate(task const& t, VarDecl const* variable) {
    QualType const type = variable->getType().getNonReferenceType();
    std::string const name = "'" + variable->getNameAsString() + "'";
    if (type->isArrayType())
      report_.error(t.directive->getBeginLoc(),
                    "array " + name + " is a task's own copy; map it, and write shared(" +
                        variable->getNameAsString() + ")");
    check_type(type, t.directive->getBeginLoc());
    if (!type->isPointerType()) return;
    if (type->getPointeeType()->isPointerType())
      report_.error(t.directive->getBeginLoc(),
                    name +
                        " is a pointer to pointers, which a task cannot use; keep all rows in "
                        "one array");
    // A pointer that the region assigns may lead into any mapped array.
    if (is_inside(variable) || made_.map_of(variable) != nullptr) return;
    if (!at(variable).changes) report_unmapped(variable, t.directive->getBeginLoc());
  }

  void report_unmapped(VarDecl const* variable, SourceLocation where) {
    std::string const name = variable->getNameAsString();
    report_.error(where, "pointer '" + name +
                             "' is used in a task, but no map clause names it; "
                             "write map(tofrom: " +
                             name + "[0:length])");
  }

  void check_capture(capture const& c) {
    QualType const type = c.variable->getType().getNonReferenceType();
    std::string const name = c.variable->getNameAsString();
    SourceLocation const where = made_.directive->getBeginLoc();
    if (!c.in_tasks) return;
    if (type->isPointerType() && made_.map_of(c.variable) == nullptr) {
      if (type->getPointeeType()->isPointerType()) {
        report_.error(where, "'" + name +
                                 "' is a pointer to pointers, which a task cannot use; "
                                 "keep all rows in one array");
      } else {
        report_unmapped(c.variable, where);
      }
    }
    if (type->isVariablyModifiedType())
      report_.error(where, "'" + name +
                               "' has a length that is not a constant; use a pointer to "
                               "its elements");
    check_type(type, where);
    if (c.changes)
      report_.error(where, "'" + name +
                               "' changes between tasks that share it; write firstprivate(" + name +
                               ") at the tasks");
  }

  ASTContext& context_;
  source_text source_;
  reporter const& report_;
  task_finder& tasks_;
  region made_;
  std::vector<FunctionDecl const*> open_;
};

/// Where regions are, in the order of the file.
class region_search : public RecursiveASTVisitor<region_search> {
 public:
  struct place {
    OMPExecutableDirective const* target;
    OMPExecutableDirective const* parallel;
    FunctionDecl const* within;
  };
  std::vector<place> regions;
  /// Plain `parallel` regions that make tasks.
  std::vector<place> plain;

  region_search(ASTContext& context, task_finder& tasks) : context_(context), tasks_(tasks) {}

  bool TraverseFunctionDecl(FunctionDecl* function) {
    if (function->doesThisDeclarationHaveABody() && is_here(function)) search(function);
    return true;
  }
  bool TraverseCXXMethodDecl(CXXMethodDecl* function) { return TraverseFunctionDecl(function); }
  bool shouldVisitTemplateInstantiations() const { return false; }

 private:
  bool is_here(FunctionDecl const* function) const {
    SourceManager const& sources = context_.getSourceManager();
    return sources.isInMainFile(sources.getExpansionLoc(function->getLocation()));
  }
  void search(FunctionDecl const* function) {
    walk(function->getBody(), [&](Stmt const* s) {
      auto const* directive = dyn_cast<OMPExecutableDirective>(s);
      if (directive == nullptr || !tasks_.in(s)) return true;
      OMPExecutableDirective const* parallel = nullptr;
      if (isa<OMPTargetParallelDirective>(s)) {
        parallel = directive;
      } else if (isa<OMPTargetDirective>(s)) {
        Stmt const* body = body_of(directive);
        auto const* compound = dyn_cast_or_null<CompoundStmt>(body);
        if (compound != nullptr && compound->size() == 1) body = compound->body_front();
        parallel = dyn_cast_or_null<OMPParallelDirective>(body);
      } else if (isa<OMPParallelDirective>(s)) {
        plain.push_back({directive, directive, function});
        return false;
      }
      if (parallel == nullptr) return true;
      regions.push_back({directive, parallel, function});
      return false;
    });
  }

  ASTContext& context_;
  task_finder& tasks_;
};

/// The directive that would make a plain region a Juggler region, by what its depend clauses name.
std::string suggestion(ASTContext& context, OMPExecutableDirective const* parallel) {
  source_text const source(context);
  std::vector<std::string> items;
  std::set<VarDecl const*> seen;
  walk(body_of(parallel), [&](Stmt const* s) {
    auto const* made = dyn_cast<OMPTaskDirective>(s);
    if (made == nullptr) return true;
    for (auto const* depend : made->getClausesOfKind<OMPDependClause>()) {
      for (Expr const* item : depend->varlists()) {
        section const what = section_of(context, item);
        VarDecl const* variable = variable_of(what.base);
        if (variable == nullptr || !seen.insert(variable).second) continue;
        std::string const name = variable->getNameAsString();
        bool const has_length = !variable->getType()->isPointerType();
        items.push_back(has_length ? name : name + "[0:LENGTH]");
      }
    }
    return true;
  });
  if (items.empty()) items.push_back("array[0:LENGTH]");
  std::string list;
  for (std::string const& item : items) list += (list.empty() ? "" : ", ") + item;
  return "#pragma juggler target map(tofrom: " + list + ")";
}

}  // namespace

program find_regions(ASTContext& context, reporter const& report, own_directives const& own) {
  program result{&context, {}};
  task_finder tasks;
  region_search search(context, tasks);
  search.TraverseDecl(context.getTranslationUnitDecl());
  for (auto const& plain : search.plain) {
    report.error(plain.target->getBeginLoc(),
                 "this 'parallel' region makes tasks, and nothing says which arrays they use; "
                 "write in front of it: " +
                     suggestion(context, plain.target));
  }
  source_text const source(context);
  for (auto const& place : search.regions) {
    region_builder builder(context, report, tasks);
    region made = builder.build(place.target, place.parallel, place.within,
                                static_cast<unsigned>(result.regions.size() + 1));
    unsigned const line = source.line(place.target->getBeginLoc());
    made.eligible_by_directive = std::find(own.eligible_lines.begin(), own.eligible_lines.end(),
                                           line) != own.eligible_lines.end();
    result.regions.push_back(std::move(made));
  }
  return result;
}

}  // namespace gridloom::juggler::cc
