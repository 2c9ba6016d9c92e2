#include <algorithm>

#include "compiler/region_checks.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

NamedDecl const* declaration_of(QualType type) {
  type = type.getNonReferenceType();
  while (type->isPointerType() || type->isArrayType())
    type = type->isPointerType() ? type->getPointeeType()
                                 : type->getAsArrayTypeUnsafe()->getElementType();
  if (auto const* name = type->getAs<TypedefType>()) return name->getDecl();
  return type->getAsTagDecl();
}

}  // namespace

void constant_finder::find() {
  for (task const& t : made_.tasks) {
    std::map<std::string, std::string> own;
    walk_all(t.body, [&](Stmt const* s) { note(s, own); });
    for (auto const* list : {&t.firstprivate, &t.privates}) {
      for (VarDecl const* v : *list) own.erase(v->getNameAsString());
    }
    for (auto const& [name, text] : own) {
      if (made_.task_constants.emplace(name, text).first->second != text)
        report_.error(t.directive, "tasks use two constants named '" + name + "'; rename one");
    }
  }
  for (auto const* list : {&made_.device_functions, &made_.inspected}) {
    for (FunctionDecl const* f : *list)
      walk_all(f->getBody(), [&](Stmt const* s) { check_order(s); });
  }
  for (FunctionDecl const* f : made_.inspected) {
    walk(f->getBody(), [&](Stmt const* s) {
      check_calls(s);
      auto const* made = dyn_cast<OMPTaskDirective>(s);
      if (made == nullptr) return true;
      for (OMPClause const* clause : made->clauses()) {
        for (Stmt const* item : clause->children())
          walk_all(item, [&](Stmt const* part) { check_calls(part); });
      }
      return false;
    });
  }
  walk_all(made_.directive, [&](Stmt const* s) {
    note(s, made_.constants);
    check_types(s);
  });
}

/// Copied functions stand before the region's function, so they cannot use names declared after it.
void constant_finder::check_order(Stmt const* s) const {
  auto const* reference = dyn_cast<DeclRefExpr>(s);
  if (reference == nullptr) return;
  auto const* variable = dyn_cast<VarDecl>(reference->getDecl());
  std::vector<NamedDecl const*> used;
  if (variable != nullptr) used.push_back(declaration_of(variable->getType()));
  if (isa<EnumConstantDecl>(reference->getDecl())) used.push_back(reference->getDecl());
  if (variable != nullptr) used.push_back(variable->getCanonicalDecl());
  for (NamedDecl const* d : used) {
    if (d == nullptr || !is_behind(d)) continue;
    refuse_behind(reference->getBeginLoc(), d);
    return;
  }
}

/// Refuses a function that the inspection calls if it is declared after the region and not copied.
void constant_finder::check_calls(Stmt const* s) const {
  auto const* reference = dyn_cast<DeclRefExpr>(s);
  auto const* called =
      reference == nullptr ? nullptr : dyn_cast<FunctionDecl>(reference->getDecl());
  if (called == nullptr || !is_behind(called->getCanonicalDecl())) return;
  bool const is_copied = std::any_of(
      made_.inspected.begin(), made_.inspected.end(),
      [&](FunctionDecl const* f) { return f->getCanonicalDecl() == called->getCanonicalDecl(); });
  if (!is_copied) refuse_behind(reference->getBeginLoc(), called);
}

bool constant_finder::is_behind(NamedDecl const* d) const {
  return d->getParentFunctionOrMethod() == nullptr && d->getBeginLoc().isValid() &&
         context_.getSourceManager().isBeforeInTranslationUnit(made_.within->getEndLoc(),
                                                               d->getBeginLoc());
}

void constant_finder::refuse_behind(SourceLocation at, NamedDecl const* d) const {
  report_.error(at, "'" + d->getNameAsString() +
                        "' is declared behind the region and used in its tasks; declare it in "
                        "front of the region");
}

void constant_finder::note(Stmt const* s, std::map<std::string, std::string>& into) {
  auto const* reference = dyn_cast<DeclRefExpr>(s);
  if (reference == nullptr) return;
  std::string const definition = definition_of(reference->getDecl());
  if (definition.empty()) return;
  bool const is_outer = &into == &made_.constants;
  auto const* variable = dyn_cast<VarDecl>(reference->getDecl());
  if (is_outer && variable != nullptr && is_inside(variable)) return;
  into.emplace(reference->getDecl()->getNameAsString(), definition);
}

std::string constant_finder::definition_of(ValueDecl const* of) const {
  if (of->getParentFunctionOrMethod() == nullptr) return {};
  std::string const name = of->getNameAsString();
  bool const is_c = !context_.getLangOpts().CPlusPlus;
  if (auto const* named = dyn_cast<EnumConstantDecl>(of))
    return "constexpr " + declaration(context_, is_c ? named->getType() : context_.IntTy, name) +
           " = " + llvm::toString(named->getInitVal(), 10) + ";";
  auto const* variable = dyn_cast<VarDecl>(of);
  Expr::EvalResult value;
  if (variable == nullptr || !is_usable_constant(context_, variable) ||
      !variable->getInit()->EvaluateAsInt(value, context_))
    return {};
  QualType const type = variable->getType().getUnqualifiedType();
  return "constexpr " + declaration(context_, type, name) + " = static_cast<" +
         declaration(context_, type, "") + ">(" + llvm::toString(value.Val.getInt(), 10) + ");";
}

void constant_finder::check_types(Stmt const* s) const {
  VarDecl const* const variable = named_by(s);
  NamedDecl const* type = variable == nullptr ? nullptr : declaration_of(variable->getType());
  if (type == nullptr || type->getParentFunctionOrMethod() == nullptr) return;
  SourceRange const whole = made_.directive->getSourceRange();
  SourceManager const& sources = context_.getSourceManager();
  if (!sources.isBeforeInTranslationUnit(type->getBeginLoc(), whole.getBegin())) return;
  std::string const name =
      type->getIdentifier() == nullptr ? "the type" : "type '" + type->getNameAsString() + "'";
  report_.error(s, name + " of '" + variable->getNameAsString() +
                       "' is declared in a function; declare it in front "
                       "of the function");
}

}  // namespace gridloom::juggler::cc
