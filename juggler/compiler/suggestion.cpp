// Suggests the directive that would turn a plain `parallel` into a region.
#include <algorithm>
#include <set>

#include "compiler/array_uses.hpp"
#include "compiler/definitions.hpp"
#include "compiler/region_search.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

/// Returns `p` for `*p`, and other expressions unchanged.
Expr const* behind_star(Expr const* base) {
  auto const* star = dyn_cast<UnaryOperator>(base->IgnoreParenImpCasts());
  return star != nullptr && star->getOpcode() == UO_Deref ? star->getSubExpr() : base;
}

/// Outside variables from which a pointer of the region gets its value; empty for other variables.
std::set<VarDecl const*> roots_of(Stmt const* region, VarDecl const* pointer) {
  std::set<VarDecl const*> seen{pointer};
  std::set<VarDecl const*> result;
  if (!pointer->getType()->isPointerType()) return result;
  for (bool more = true; more;) {
    more = false;
    definitions(region, [&](VarDecl const* v, Expr const* value) {
      VarDecl const* const from = root_of(value);
      if (seen.count(v) == 0 || from == nullptr || !seen.insert(from).second) return;
      more = true;
      QualType const type = from->getType().getNonReferenceType();
      if (!is_declared_in(region, from) && (type->isPointerType() || type->isArrayType()))
        result.insert(from);
    });
  }
  return result;
}

/// The reason why a variable cannot be mapped; "" if it can.
std::string obstacle_of(VarDecl const* variable) {
  QualType const type = variable->getType().getNonReferenceType();
  std::string const name = "'" + variable->getNameAsString() + "'";
  if (type->isVariableArrayType())
    return name +
           " has a length that is not a constant, and cannot be mapped; use a pointer to its "
           "elements";
  bool const is_pointer = type->isPointerType();
  if (is_pointer && type->getPointeeType()->isPointerType())
    return name + " is a pointer to pointers, which cannot be mapped; keep all rows in one array";
  if (holds_pointer(is_pointer ? type->getPointeeType() : type))
    return name + " holds pointers, which cannot be mapped; use numbers of elements in their place";
  return {};
}

/// Variables that the code assigns by name.
std::set<VarDecl const*> set_in(Stmt const* code) {
  std::set<VarDecl const*> result;
  walk(code, [&](Stmt const* s) {
    if (Expr const* const to = assigned_by(s)) result.insert(variable_of(to));
    return true;
  });
  return result;
}

/// Whether a task has its own copy of a variable.
bool is_private(OMPTaskDirective const* made, VarDecl const* variable) {
  auto const has = [&](auto const& clauses) {
    for (auto const* clause : clauses) {
      for (Expr const* item : clause->varlists()) {
        if (variable_of(item) == variable) return true;
      }
    }
    return false;
  };
  return has(made->getClausesOfKind<OMPPrivateClause>()) ||
         has(made->getClausesOfKind<OMPFirstprivateClause>());
}

/// Arrays that a task uses and numbers that it sets, with or without `depend` clauses.
std::vector<VarDecl const*> used_by(OMPTaskDirective const* made) {
  std::vector<VarDecl const*> result;
  Stmt const* const code = body_of(made);
  std::set<VarDecl const*> const set = set_in(code);
  walk(code, [&](Stmt const* s) {
    VarDecl const* const variable = named_by(s);
    if (variable == nullptr || is_declared_in(code, variable)) return true;
    QualType const type = variable->getType().getNonReferenceType();
    bool const is_number = !type->isPointerType() && !type->isArrayType();
    if (type->isPointerType() || (type->isArrayType() && !type.isConstQualified()) ||
        (is_number && set.count(variable) != 0 && !is_private(made, variable)))
      result.push_back(variable);
    return true;
  });
  return result;
}

/// Outside arrays that the region passes to functions that make tasks.
std::vector<VarDecl const*> handed_on(Stmt const* region) {
  std::vector<VarDecl const*> result;
  walk(region, [&](Stmt const* s) {
    auto const* call = dyn_cast<CallExpr>(s);
    FunctionDecl const* callee = callee_of(call);
    if (callee == nullptr ||
        !any_in(callee->getBody(), [](Stmt const* inner) { return isa<OMPTaskDirective>(inner); }))
      return true;
    for (Expr const* argument : call->arguments()) {
      VarDecl const* const variable = root_of(argument);
      if (variable == nullptr || is_declared_in(region, variable)) continue;
      QualType const type = variable->getType().getNonReferenceType();
      if (type->isPointerType() || type->isArrayType()) result.push_back(variable);
    }
    return true;
  });
  return result;
}

/// The section for a map clause, with the word LENGTH if the end is unknown.
std::string section_text(array_uses& uses, VarDecl const* array) {
  array_use const use = uses.of(array);
  bool const is_known = !use.escapes && use.touched && use.touched->first &&
                        use.touched->first->is_never_negative() && use.touched->end;
  return "[0:" + (is_known ? use.touched->end->text() : "LENGTH") + "]";
}

}  // namespace

suggestion suggested_directive(ASTContext& context, OMPExecutableDirective const* parallel,
                               FunctionDecl const* within) {
  Stmt const* const body = body_of(parallel);
  std::vector<VarDecl const*> arrays;
  std::string obstacle;
  auto const add = [&](VarDecl const* variable) {
    if (obstacle.empty()) obstacle = obstacle_of(variable);
    // For a pointer declared in the region, maps the arrays that it may point into.
    std::set<VarDecl const*> all{variable};
    if (is_declared_in(body, variable)) all = roots_of(body, variable);
    for (VarDecl const* one : all) {
      if (!has(arrays, one)) arrays.push_back(one);
    }
  };
  walk(body, [&](Stmt const* s) {
    auto const* made = dyn_cast<OMPTaskDirective>(s);
    if (made == nullptr) return true;
    for (auto const* depend : made->getClausesOfKind<OMPDependClause>()) {
      for (Expr const* item : depend->varlists()) {
        VarDecl const* const variable = variable_of(behind_star(section_of(context, item).base));
        if (variable != nullptr) add(variable);
      }
    }
    return true;
  });
  walk(body, [&](Stmt const* s) {
    auto const* made = dyn_cast<OMPTaskDirective>(s);
    if (made == nullptr) return true;
    for (VarDecl const* variable : used_by(made)) {
      if (!is_declared_in(body, variable)) add(variable);
    }
    return false;
  });
  for (VarDecl const* variable : handed_on(body)) add(variable);
  array_uses uses(context, body, within);
  std::string list;
  for (VarDecl const* one : arrays) {
    list += (list.empty() ? "" : ", ") + one->getNameAsString();
    if (one->getType().getNonReferenceType()->isPointerType()) list += section_text(uses, one);
  }
  std::string const directive = "#pragma juggler target";
  return {list.empty() ? directive : directive + " map(tofrom: " + list + ")", obstacle};
}

}  // namespace gridloom::juggler::cc
