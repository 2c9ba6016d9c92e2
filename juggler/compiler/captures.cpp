#include <algorithm>
#include <set>

#include "compiler/pointer_groups.hpp"
#include "compiler/region_checks.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

/// The variable that a statement assigns, as a whole or in part, or null.
VarDecl const* variable_assigned_by(Stmt const* s) {
  Expr const* at = assigned_by(s);
  if (at == nullptr) return nullptr;
  at = at->IgnoreParenImpCasts();
  while (auto const* member = dyn_cast<MemberExpr>(at)) {
    if (member->isArrow()) return nullptr;
    at = member->getBase()->IgnoreParenImpCasts();
  }
  return variable_of(at);
}

}  // namespace

void capture_finder::find() {
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
  // OpenMP maps a whole array if no map clause names it.
  for (capture const& c : made_.captures) {
    QualType const type = c.variable->getType();
    if (c.in_tasks && type->isArrayType() && made_.map_of(c.variable) == nullptr)
      made_.maps.push_back({c.variable, map_kind::tofrom, {nullptr, {}}, true});
  }
  made_.sole_arrays = sole_arrays(context_, made_);
  for (auto const& [pointer, array] : made_.sole_arrays) {
    at(array).in_inspection = true;
    for (section_dimension const& d : made_.map_of(array)->what.dimensions) {
      note_expression(d.first);
      note_expression(d.length);
    }
  }
  for (capture const& c : made_.captures) check_capture(c);
  for (FunctionDecl const* f : made_.inspected) check_assignments(f);
}

capture& capture_finder::at(VarDecl const* variable) {
  for (capture& c : made_.captures) {
    if (c.variable == variable) return c;
  }
  made_.captures.push_back({variable});
  return made_.captures.back();
}

/// Notes all variables that the code and its tasks use, and assignments outside of tasks.
void capture_finder::note_uses(Stmt const* code) {
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
    if (!is_inside(variable) && !variable->getType().getNonReferenceType()->isArrayType())
      at(variable).changes = true;
  }
}
/// Notes globals that the region assigns: by OpenMP's rules the region has a copy of each.
void capture_finder::note_global_assignments(Stmt const* code) {
  walk(code, [&](Stmt const* s) {
    if (isa<OMPTaskDirective>(s)) return false;
    VarDecl const* const assigned = variable_assigned_by(s);
    if (assigned != nullptr && !is_inside(assigned)) at(assigned).changes = true;
    return true;
  });
}
// Refuses assignments to shared variables in a function that makes tasks: tasks see the values at
// the start of the region.
void capture_finder::check_assignments(FunctionDecl const* makes_tasks) const {
  walk(makes_tasks->getBody(), [&](Stmt const* s) {
    if (isa<OMPTaskDirective>(s)) return false;
    VarDecl const* const assigned = variable_assigned_by(s);
    capture const* shared = assigned == nullptr ? nullptr : made_.capture_of(assigned);
    if (shared != nullptr && shared->in_tasks && made_.map_of(assigned) == nullptr)
      report_.error(s, "'" + assigned->getNameAsString() +
                           "' changes between tasks that share it; pass a variable of the function "
                           "to the tasks, with firstprivate");
    return true;
  });
}
void capture_finder::note_expression(Stmt const* expression, bool in_inspection) {
  walk(expression, [&](Stmt const* s) {
    note_reference(s, in_inspection);
    return true;
  });
}
void capture_finder::note_reference(Stmt const* s, bool in_inspection) {
  VarDecl const* const variable = named_by(s);
  if (variable == nullptr || is_inside(variable) || is_usable_constant(context_, variable)) return;
  capture& noted = at(variable);
  noted.in_inspection = noted.in_inspection || in_inspection;
}
void capture_finder::note_globals(Stmt const* code) {
  walk(code, [&](Stmt const* s) {
    VarDecl const* const variable = named_by(s);
    if (variable != nullptr && !variable->hasLocalStorage() &&
        !is_usable_constant(context_, variable) && !is_declared_in(code, variable)) {
      check_writes_of(variable, code, s);
      at(variable).in_tasks = true;
    }
    return true;
  });
}

/// Reports a task that writes to a variable that is not copied back.
void capture_finder::check_writes_of(VarDecl const* variable, Stmt const* code,
                                     Stmt const* use) const {
  bool const is_pointer = variable->getType().getNonReferenceType()->isPointerType();
  if (variable->getType().getNonReferenceType()->isArrayType()) return;
  if (made_.map_of(variable) != nullptr && !is_pointer) return;
  bool const written = is_written_in(code, variable);
  if (written && is_pointer) {
    report_.error(use, "a task sets pointer '" + variable->getNameAsString() +
                           "', which tasks share; set a pointer that it declares");
    return;
  }
  if (written)
    report_.error(
        use, "a task writes '" + variable->getNameAsString() +
                 "', which is not mapped; write map(tofrom: " + variable->getNameAsString() + ")");
}

void capture_finder::note_task(task const& t) {
  for (dependence const& d : t.dependences) {
    if (d.what.dimensions.empty()) {
      if (VarDecl const* variable = variable_of(d.what.base);
          variable != nullptr && !is_inside(variable))
        at(variable).is_token = true;
    }
  }
  std::set<VarDecl const*> seen;
  walk(t.body, [&](Stmt const* s) {
    VarDecl const* const variable = named_by(s);
    if (variable == nullptr || has(t.firstprivate, variable) || has(t.privates, variable) ||
        is_declared_in(t.body, variable) || is_usable_constant(context_, variable) ||
        !seen.insert(variable).second)
      return true;
    if (is_inside(variable)) {
      refuse_local(variable, s);
    } else {
      check_writes_of(variable, t.body, s);
      at(variable).in_tasks = true;
    }
    return true;
  });
  for (VarDecl const* variable : t.firstprivate) check_firstprivate(t, variable);
}

/// Reports a task that shares a local variable, which may not exist any more when the task runs.
void capture_finder::refuse_local(VarDecl const* variable, Stmt const* use) const {
  std::string const name = variable->getNameAsString();
  QualType const type = variable->getType().getNonReferenceType();
  bool const is_written = std::any_of(made_.tasks.begin(), made_.tasks.end(), [&](task const& t) {
    return !has(t.firstprivate, variable) && !has(t.privates, variable) &&
           is_written_in(t.body, variable);
  });
  std::string advice = "write firstprivate(" + name + ")";
  if (type->isArrayType() || (is_written && !type->isPointerType()))
    // With firstprivate, a task's writes would be lost to other tasks.
    advice = "declare it before the region, and write map(tofrom: " + name + ")";
  else if (is_written)
    advice = "a task may set a pointer that it declares itself";
  report_.error(use, "task uses '" + name + "' of the region, shared with other tasks" +
                         (is_written ? ", and tasks write it; " : "; ") + advice);
}

void capture_finder::check_firstprivate(task const& t, VarDecl const* variable) {
  QualType const type = variable->getType().getNonReferenceType();
  std::string const name = "'" + variable->getNameAsString() + "'";
  if (type->isArrayType())
    report_.error(t.directive, "array " + name +
                                   " would be copied for each task; map it, and write shared(" +
                                   variable->getNameAsString() + ")");
  check_type(type, t.directive->getBeginLoc());
  if (!type->isPointerType() && made_.map_of(variable) != nullptr)
    report_.error(t.directive, name + " is mapped and also copied for each task; write shared(" +
                                   variable->getNameAsString() + ")");
  if (!type->isPointerType()) return;
  if (type->getPointeeType()->isPointerType())
    report_.error(t.directive,
                  name +
                      " is a pointer to pointers, which a task cannot use; keep all rows in "
                      "one array");
  // A pointer that the region assigns may lead into any mapped array. Others are refused at run
  // time.
  if (is_inside(variable) || made_.map_of(variable) != nullptr) return;
  if (!at(variable).changes) report_unmapped(variable, t.directive->getBeginLoc());
}

void capture_finder::report_unmapped(VarDecl const* variable, SourceLocation where) const {
  std::string const name = variable->getNameAsString();
  report_.error(where, "pointer '" + name +
                           "' is used in a task, but no map clause names it; "
                           "write map(tofrom: " +
                           name + "[0:length])");
}

void capture_finder::check_capture(capture const& c) const {
  QualType const type = c.variable->getType().getNonReferenceType();
  std::string const name = c.variable->getNameAsString();
  SourceLocation const where = made_.directive->getBeginLoc();
  // A parameter's type does not include the array's first length.
  auto const* rows = context_.getAsArrayType(type);
  if (!c.in_tasks && (rows == nullptr ? type : rows->getElementType())->isVariablyModifiedType())
    report_.error(where, "'" + name +
                             "' has a length that is not a constant; use a pointer to "
                             "its elements");
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
  if (type->isIncompleteArrayType() && made_.map_of(c.variable)->is_implicit)
    report_.error(where, "array '" + name + "' has no length here; write map(tofrom: " + name +
                             "[0:length])");
  if (c.variable->getTLSKind() != VarDecl::TLS_None ||
      c.variable->hasAttr<OMPThreadPrivateDeclAttr>())
    report_.error(where, "each thread has its own '" + name +
                             "', which a task cannot use; copy it to another variable, and pass "
                             "that with firstprivate");
  if (c.changes)
    report_.error(where, "'" + name + "' changes between tasks that share it; write firstprivate(" +
                             name + ") at the tasks");
}

}  // namespace gridloom::juggler::cc
