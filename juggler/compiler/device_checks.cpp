#include <algorithm>

#include "clang/AST/ParentMapContext.h"
#include "compiler/parallel_loop.hpp"
#include "compiler/region_checks.hpp"
#include "llvm/ADT/STLExtras.h"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

void device_checker::check(Stmt const* code, bool in_parallel_for) {
  walk(code, [&](Stmt const* s) {
    if (refuse_other_file(s, code)) return false;
    if (auto const* directive = dyn_cast<OMPExecutableDirective>(s)) {
      check_directive(directive, in_parallel_for);
      return false;
    }
    if (auto const* call = dyn_cast<CallExpr>(s)) take_call(call, in_parallel_for);
    if (isa<LambdaExpr>(s))
      report_.error(s, "a lambda in a task is not supported; write a function");
    auto const* constructed = dyn_cast<CXXConstructExpr>(s);
    if (constructed != nullptr && constructed->getConstructor()->isUserProvided())
      report_.error(s, "constructors are not supported in a task; set the members one by one");
    if (isa<CXXThrowExpr>(s) || isa<CXXTryStmt>(s))
      report_.error(s, "exceptions in a task are not supported; store a flag");
    if (isa<CXXNewExpr>(s) || isa<CXXDeleteExpr>(s))
      report_.error(s, "memory is not allocated in a task; map an array for it");
    if (isa<GotoStmt>(s) || isa<IndirectGotoStmt>(s))
      report_.error(s, "'goto' is not supported in a task; write a loop, or 'if'");
    if (isa<AsmStmt>(s))
      report_.error(s,
                    "assembly is not supported in a task, because a device has other instructions; "
                    "write it in C");
    if (auto const* size = dyn_cast<UnaryExprOrTypeTraitExpr>(s)) check_size(size);
    auto const* address = dyn_cast<UnaryOperator>(s);
    if (VarDecl const* v = address != nullptr && address->getOpcode() == UO_AddrOf
                               ? variable_of(address->getSubExpr())
                               : nullptr;
        v != nullptr && is_pointer_in_task(v))
      report_.error(
          address,
          "the address of array '" + v->getNameAsString() +
              "' as a whole is not known in a task; write the address of its first element");
    auto const* value = dyn_cast<Expr>(s);
    if (value != nullptr &&
        context_.hasSameUnqualifiedType(value->getType(), context_.LongDoubleTy)) {
      report_.error(s, "a device has no 'long double'; use double in a task");
      return false;
    }
    refuse_names_of_source(s, "a task");
    if (auto const* declared = dyn_cast<DeclStmt>(s)) {
      for (Decl const* d : declared->decls()) {
        auto const* type = dyn_cast<TypedefNameDecl>(d);
        if (type != nullptr) refuse_variable_length(type->getUnderlyingType(), type->getLocation());
        check_local(dyn_cast<VarDecl>(d));
      }
    }
    if (auto const* cast = dyn_cast<ExplicitCastExpr>(s))
      refuse_variable_length(cast->getTypeAsWritten(), cast->getBeginLoc());
    return true;
  });
}

void device_checker::refuse_variable_length(QualType type, SourceLocation at) const {
  if (type->isVariablyModifiedType())
    report_.error(at,
                  "an array whose length is not a constant is not supported in a task, nor a "
                  "pointer to one; use a pointer to elements, and compute their numbers");
}

void device_checker::check_local(VarDecl const* variable) const {
  if (variable == nullptr) return;
  if (variable->isStaticLocal() && !is_local_table(context_, variable))
    report_.error(variable,
                  "a static variable in a task is not supported; map a variable for it, or write "
                  "'const' and constants where it is a table");
  refuse_variable_length(variable->getType(), variable->getLocation());
  if (variable->getType()->isRValueReferenceType() && !variable->isImplicit())
    report_.error(variable,
                  "a reference to a value without a name is not supported in a task; declare a "
                  "variable");
  check_type(variable->getType(), variable->getLocation());
}

// Whether tasks see the variable as a pointer, as they do with outside arrays.
bool device_checker::is_pointer_in_task(VarDecl const* variable) const {
  return variable->getType().getNonReferenceType()->isArrayType() &&
         (!variable->hasLocalStorage() || variable->getParentFunctionOrMethod() == made_.within) &&
         !is_inside(variable) && !(variable->isStaticLocal() && is_local_table(context_, variable));
}

void device_checker::check_size(UnaryExprOrTypeTraitExpr const* size) const {
  if (size->isArgumentType()) {
    refuse_variable_length(size->getArgumentType(), size->getBeginLoc());
    return;
  }
  VarDecl const* variable = variable_of(size->getArgumentExpr());
  if (variable != nullptr && is_pointer_in_task(variable))
    report_.error(size, "the size of array '" + variable->getNameAsString() +
                            "' is not known in a task; write its number of "
                            "elements times the size of one");
}

void device_checker::check_directive(OMPExecutableDirective const* directive,
                                     bool in_parallel_for) {
  if (!require_written(directive)) return;
  if (isa<OMPSimdDirective>(directive)) {
    check_clauses(context_, directive, place_of_clause::simd, report_, made_.remarks);
    made_.remarks.push_back("line " + std::to_string(source_.line(directive->getBeginLoc())) +
                            ": 'simd' has no effect on results");
    check(body_of(directive), in_parallel_for);
  } else if (is_parallel_loop(directive) && !in_parallel_for) {
    check_clauses(context_, directive, place_of_clause::parallel_for, report_, made_.remarks);
    check_reductions(directive);
    check(body_of(directive), true);
  } else {
    refuse_directive(directive, in_parallel_for ? "in a parallel loop of a task" : "in a task",
                     report_);
  }
}

void device_checker::check_reductions(OMPExecutableDirective const* directive) const {
  for (auto const* clause : directive->getClausesOfKind<OMPReductionClause>()) {
    std::string const op = clause->getNameInfo().getAsString();
    if (op != "operator+" && op != "+" && op != "min" && op != "max")
      report_.error(clause, "reduction '" + op + "' is not supported; +, min and max are");
    for (Expr const* item : clause->varlists()) {
      VarDecl const* variable = variable_of(item);
      if (variable == nullptr || !variable->getType()->isArithmeticType())
        report_.error(item,
                      "a reduction needs a variable of an arithmetic type; reduce into a "
                      "local variable and store it after the loop");
    }
  }
}

void device_checker::check_print(CallExpr const* call) {
  auto const parents = context_.getParents(*call);
  auto const* user = parents.empty() ? nullptr : parents[0].get<Expr>();
  if (user != nullptr && !user->getType()->isVoidType())
    report_.error(call, "'printf' returns another number on a device; do not use it");
  auto const* format = call->getNumArgs() == 0
                           ? nullptr
                           : dyn_cast<StringLiteral>(call->getArg(0)->IgnoreParenImpCasts());
  if (format == nullptr) {
    report_.error(call,
                  "'printf' in a task needs a literal format; write \"%s\" and a text after it");
    return;
  }
  for (Expr const* argument : llvm::drop_begin(call->arguments())) {
    if (!argument->getType()->isArithmeticType() && !argument->getType()->isEnumeralType() &&
        !isa<StringLiteral>(argument->IgnoreParenImpCasts()))
      report_.error(argument, "'printf' in a task prints only numbers and string literals");
  }
  made_.remarks.push_back("line " + std::to_string(source_.line(call->getBeginLoc())) +
                          ": on a GPU 'printf' shows its text when the region ends");
}

void device_checker::take_call(CallExpr const* call, bool in_parallel_for) {
  FunctionDecl const* named = call->getDirectCallee();
  if (named == nullptr) {
    report_.error(call,
                  "a call through a pointer is not supported in a task; call a function by name");
    return;
  }
  FunctionDecl const* callee = callee_of(call);
  SourceManager const& sources = context_.getSourceManager();
  bool const is_of_library =
      sources.isInSystemHeader(sources.getExpansionLoc(named->getLocation()));
  if (is_of_library && is_known_function(named)) return;
  if (is_of_library && named->getIdentifier() != nullptr && named->getName() == "printf") {
    check_print(call);
    return;
  }
  if (is_of_library && callee != nullptr) {
    report_.error(call,
                  "'" + named->getNameAsString() +
                      "' of the C++ library is not supported in a task; write a plain function");
    return;
  }
  if (callee == nullptr) {
    if (is_known_function(named) || (named->getBuiltinID() != 0 && named->isConstexpr())) return;
    std::string const name = "'" + named->getNameAsString() + "'";
    report_.error(call, is_of_library
                            ? name +
                                  " of the C library is not supported in a task; leave it out, or "
                                  "write a function that does the same by another name"
                            : name +
                                  " has no body here, so a task cannot call it; define it in this "
                                  "file");
    return;
  }
  if (in_parallel_for && is_block_wide(callee))
    report_.error(call, "'" + callee->getNameAsString() +
                            "' has a parallel loop and is called in one; one loop "
                            "level is parallel");
  if (isa<CXXMethodDecl>(callee)) {
    if (!callee->isTrivial())
      report_.error(call, "member functions are not supported in a task; write a plain function");
    return;
  }
  if (has(made_.device_functions, callee) || has(open_, callee)) return;
  if (callee->isOverloadedOperator()) {
    report_.error(call,
                  "operators of a program's own are not supported in a task; write a function");
    return;
  }
  check_function(callee, call);
  open_.push_back(callee);
  check(callee->getBody(), false);
  open_.pop_back();
  made_.device_functions.push_back(callee);
}

}  // namespace gridloom::juggler::cc
