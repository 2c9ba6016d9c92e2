#include "compiler/region_checks.hpp"

#include <algorithm>

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

void region_work::take_variables(OMPClause const* clause, std::vector<VarDecl const*>& into) {
  for (Stmt const* item : clause->children()) {
    VarDecl const* const variable = variable_of(dyn_cast<Expr>(item));
    bool const is_known = std::find(into.begin(), into.end(), variable) != into.end();
    if (variable != nullptr && !is_known) into.push_back(variable);
  }
}

namespace {

bool is_lambda(TagDecl const* tag) {
  auto const* record = dyn_cast<CXXRecordDecl>(tag);
  return record != nullptr && record->isLambda();
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
  if (std::find(made_.privates.begin(), made_.privates.end(), variable) != made_.privates.end())
    return true;
  if (is_declared_in(made_.body, variable)) return true;
  for (DeclStmt const* d : made_.declarations) {
    if (is_declared_in(d, variable)) return true;
  }
  // The variable may belong to a function called by the region or by a task.
  auto const* owner = dyn_cast_or_null<FunctionDecl>(variable->getParentFunctionOrMethod());
  return variable->hasLocalStorage() && owner != nullptr && owner != made_.within &&
         owner->getCanonicalDecl() != made_.within->getCanonicalDecl();
}

}  // namespace gridloom::juggler::cc
