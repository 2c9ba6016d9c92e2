// Answers questions about the syntax that several stages ask.
#include <algorithm>
#include <map>
#include <set>

#include "compiler/model.hpp"
#include "compiler/parallel_loop.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

VarDecl const* variable_of(Expr const* expression) {
  auto const* reference = dyn_cast_or_null<DeclRefExpr>(
      expression == nullptr ? nullptr : expression->IgnoreParenImpCasts());
  return reference == nullptr ? nullptr : dyn_cast<VarDecl>(reference->getDecl());
}

VarDecl const* named_by(Stmt const* statement) {
  auto const* reference = dyn_cast<DeclRefExpr>(statement);
  return reference == nullptr ? nullptr : dyn_cast<VarDecl>(reference->getDecl());
}

Expr const* assigned_by(Stmt const* statement) {
  auto const* both = dyn_cast<BinaryOperator>(statement);
  auto const* one = dyn_cast<UnaryOperator>(statement);
  if (both != nullptr && both->isAssignmentOp()) return both->getLHS();
  return one != nullptr && one->isIncrementDecrementOp() ? one->getSubExpr() : nullptr;
}

FunctionDecl const* callee_of(CallExpr const* call) {
  FunctionDecl const* callee = call == nullptr ? nullptr : call->getDirectCallee();
  FunctionDecl const* definition = nullptr;
  return callee != nullptr && callee->hasBody(definition) ? definition : nullptr;
}

bool is_declared_in(Stmt const* statement, VarDecl const* variable) {
  return any_in(statement, [&](Stmt const* s) {
    auto const* declaration = dyn_cast<DeclStmt>(s);
    return declaration != nullptr && has(declaration->decls(), variable);
  });
}

bool is_usable_constant(ASTContext& context, VarDecl const* variable) {
  QualType const type = variable->getType();
  return type.isConstQualified() && type->isIntegralOrEnumerationType() && variable->hasInit() &&
         !variable->getInit()->isValueDependent() && variable->getInit()->isEvaluatable(context);
}

bool is_local_table(ASTContext& context, VarDecl const* variable) {
  QualType element = variable->getType();
  while (auto const* array = element->getAsArrayTypeUnsafe()) element = array->getElementType();
  return variable->isStaticLocal() && element.isConstQualified() && !element->isPointerType() &&
         variable->hasInit() && variable->getInit()->isConstantInitializer(context, false);
}

std::string declaration(ASTContext& context, QualType type, std::string name) {
  PrintingPolicy policy(context.getLangOpts());
  policy.Bool = true;
  policy.SuppressUnwrittenScope = true;
  policy.SuppressTagKeyword = context.getLangOpts().CPlusPlus;
  // Clang prints members of class templates, such as size_type, in a form that no compiler accepts.
  QualType element = type.getCanonicalType().getNonReferenceType();
  while (element->isPointerType() || element->isArrayType())
    element = element->isPointerType() ? element->getPointeeType()
                                       : element->getAsArrayTypeUnsafe()->getElementType();
  if (context.getLangOpts().CPlusPlus && element->isBuiltinType()) type = type.getCanonicalType();
  type.getAsStringInternal(name, policy);
  return name;
}

bool holds_pointer(QualType type) {
  type = type.getCanonicalType();
  if (type->isPointerType()) return true;
  if (auto const* array = type->getAsArrayTypeUnsafe())
    return holds_pointer(array->getElementType());
  RecordDecl const* record = type->getAsRecordDecl();
  if (record == nullptr || record->getDefinition() == nullptr) return false;
  for (FieldDecl const* field : record->getDefinition()->fields()) {
    if (holds_pointer(field->getType())) return true;
  }
  return false;
}

bool is_changing_reference(QualType type) {
  return type->isReferenceType() && !type->getPointeeType().isConstQualified();
}

bool is_known_function(FunctionDecl const* function) {
  static std::set<std::string> const integers{"abs", "labs", "llabs"};
  // Each has a variant for float, with f at the end.
  static std::set<std::string> const reals{
      "fabs",      "sqrt",   "cbrt",     "exp",      "exp2",      "expm1", "log",   "log2",
      "log10",     "log1p",  "logb",     "ilogb",    "sin",       "cos",   "tan",   "asin",
      "acos",      "atan",   "atan2",    "sinh",     "cosh",      "tanh",  "asinh", "acosh",
      "atanh",     "pow",    "fmod",     "floor",    "ceil",      "round", "trunc", "rint",
      "lrint",     "llrint", "lround",   "llround",  "hypot",     "fmax",  "fmin",  "fdim",
      "remainder", "fma",    "ldexp",    "copysign", "nearbyint", "erf",   "erfc",  "tgamma",
      "lgamma",    "scalbn", "nextafter"};
  // The built-ins behind HUGE_VAL, INFINITY, NAN, isnan and similar macros of math.h.
  static std::set<std::string> const macros{
      "__builtin_huge_val", "__builtin_huge_valf",  "__builtin_inff",     "__builtin_nanf",
      "__builtin_isnan",    "__builtin_isinf_sign", "__builtin_isfinite", "__builtin_signbit",
      "__builtin_signbitf", "__builtin_signbitl"};
  if (function->getIdentifier() == nullptr || isa<CXXMethodDecl>(function)) return false;
  // The program may define its own function with such a name.
  SourceManager const& sources = function->getASTContext().getSourceManager();
  FunctionDecl const* definition = nullptr;
  if (function->hasBody(definition) &&
      !sources.isInSystemHeader(sources.getExpansionLoc(definition->getLocation())))
    return false;
  std::string const name = function->getName().str();
  bool const is_float = name.size() > 1 && name.back() == 'f';
  return integers.count(name) != 0 || reals.count(name) != 0 || macros.count(name) != 0 ||
         (is_float && reals.count(name.substr(0, name.size() - 1)) != 0);
}

namespace {

/// The local variable that an lvalue is or is a part of; null if a pointer leads there.
VarDecl const* local_of(Expr const* lvalue) {
  Expr const* at = lvalue->IgnoreParenCasts();
  for (;;) {
    if (auto const* member = dyn_cast<MemberExpr>(at)) {
      if (member->isArrow()) return nullptr;
      at = member->getBase()->IgnoreParenImpCasts();
    } else if (auto const* element = dyn_cast<ArraySubscriptExpr>(at)) {
      at = element->getBase()->IgnoreParenImpCasts();
      if (!at->getType()->isArrayType()) return nullptr;
    } else {
      break;
    }
  }
  auto const* variable = variable_of(at);
  if (auto const* reference = dyn_cast<DeclRefExpr>(at); reference != nullptr) {
    // `auto [x, y] = pair` names parts of a variable without a name.
    if (auto const* part = dyn_cast<BindingDecl>(reference->getDecl()))
      variable = dyn_cast<VarDecl>(part->getDecomposedDecl());
  }
  if (variable == nullptr || !variable->hasLocalStorage()) return nullptr;
  return variable->getType()->isReferenceType() ? nullptr : variable;
}

class effect_finder {
 public:
  explicit effect_finder(bool with_tasks) : with_tasks_(with_tasks) {}
  effects found;

  void look(Stmt const* statement, int loops, int switches) {
    if (statement == nullptr) return;
    if (auto const* captured = dyn_cast<CapturedStmt>(statement)) {
      look(captured->getCapturedStmt(), loops, switches);
      return;
    }
    if (auto const* directive = dyn_cast<OMPExecutableDirective>(statement)) {
      if (with_tasks_ || !isa<OMPTaskDirective>(directive))
        look(body_of(directive), loops, switches);
      return;
    }
    if (isa<ReturnStmt>(statement) || isa<GotoStmt>(statement)) found.jumps = true;
    if (isa<ContinueStmt>(statement) && loops == 0) found.jumps = true;
    if (isa<BreakStmt>(statement) && loops == 0 && switches == 0) found.jumps = true;
    if (auto const* expression = dyn_cast<Expr>(statement)) look_at(expression);
    if (auto const* declaration = dyn_cast<DeclStmt>(statement)) {
      for (Decl const* d : declaration->decls()) {
        auto const* variable = dyn_cast<VarDecl>(d);
        if (variable != nullptr && is_changing_reference(variable->getType()))
          escape(variable->getInit());
        own_.insert(d);
      }
    }
    bool const is_loop =
        isa<ForStmt>(statement) || isa<WhileStmt>(statement) || isa<DoStmt>(statement);
    for (Stmt const* child : statement->children())
      look(child, loops + (is_loop ? 1 : 0), switches + (isa<SwitchStmt>(statement) ? 1 : 0));
  }

 private:
  void assign(Expr const* lvalue) {
    VarDecl const* local = local_of(lvalue);
    if (local == nullptr) {
      found.stores = true;
    } else {
      add(found.assigns, local);
    }
  }
  void add(std::vector<VarDecl const*>& to, VarDecl const* variable) {
    if (own_.count(variable) == 0 && !has(to, variable)) to.push_back(variable);
  }
  void escape(Expr const* lvalue) {
    if (lvalue == nullptr) return;
    if (auto const* choice = dyn_cast<AbstractConditionalOperator>(lvalue->IgnoreParenImpCasts())) {
      escape(choice->getTrueExpr());
      escape(choice->getFalseExpr());
      return;
    }
    VarDecl const* local = local_of(lvalue);
    // Code cannot store through the address of a constant variable.
    if (local == nullptr || local->getType().isConstQualified()) return;
    add(found.escapes, local);
  }
  void look_at(Expr const* e) {
    if (Expr const* const to = assigned_by(e)) {
      assign(to);
    } else if (auto const* one = dyn_cast<UnaryOperator>(e)) {
      if (one->getOpcode() == UO_AddrOf) escape(one->getSubExpr());
      if (one->getOpcode() == UO_Deref) found.reads = true;
    } else if (auto const* element = dyn_cast<ArraySubscriptExpr>(e)) {
      if (local_of(element) == nullptr) found.reads = true;
      decayed_.insert(element->getBase()->IgnoreParens());
    } else if (auto const* member = dyn_cast<MemberExpr>(e)) {
      if (member->isArrow()) found.reads = true;
    } else if (auto const* reference = dyn_cast<DeclRefExpr>(e)) {
      auto const* variable = dyn_cast<VarDecl>(reference->getDecl());
      auto const* part = dyn_cast<BindingDecl>(reference->getDecl());
      if (part != nullptr) variable = dyn_cast<VarDecl>(part->getDecomposedDecl());
      if (variable != nullptr &&
          (!variable->hasLocalStorage() || variable->getType()->isReferenceType()))
        found.reads = true;
    } else if (auto const* cast = dyn_cast<ImplicitCastExpr>(e)) {
      if (cast->getCastKind() == CK_ArrayToPointerDecay && decayed_.count(cast) == 0)
        escape(cast->getSubExpr());
    } else if (auto const* call = dyn_cast<CallExpr>(e)) {
      FunctionDecl const* callee = callee_of(call);
      // Some of these functions have a body in the C++ library.
      if (callee != nullptr && is_known_function(callee)) callee = nullptr;
      found.reads = true;
      if (callee != nullptr) {
        if (stores_memory(callee)) found.stores = true;
        for_each_argument(callee, call, [&](ParmVarDecl const* parameter, Expr const* argument) {
          if (!is_changing_reference(parameter->getType())) return;
          assign(argument);
          escape(argument);
        });
      } else if (call->getDirectCallee() == nullptr ||
                 !is_known_function(call->getDirectCallee())) {
        found.stores = true;
      }
    }
  }

  bool with_tasks_;
  std::set<Decl const*> own_;
  std::set<Expr const*> decayed_;
};

/// Computes one answer per function and keeps it. If computing it asks for the same function again,
/// the answer is `within`.
template <class Ask>
bool remembered(FunctionDecl const* function, std::map<FunctionDecl const*, bool>& answers,
                bool within, Ask const& ask) {
  auto const [at, is_new] = answers.emplace(function->getCanonicalDecl(), within);
  if (!is_new) return at->second;
  bool const answer = ask();
  answers[function->getCanonicalDecl()] = answer;
  return answer;
}

}  // namespace

effects effects_of(Stmt const* statement, bool with_tasks) {
  effect_finder finder(with_tasks);
  finder.look(statement, 0, 0);
  return finder.found;
}

bool stores_memory(FunctionDecl const* function) {
  static std::map<FunctionDecl const*, bool> answers;
  return remembered(function, answers, true,
                    [&] { return effects_of(function->getBody()).stores; });
}

namespace {

/// `seen` stops the search when functions call each other.
bool has_parallel_loop(Stmt const* statement, std::set<FunctionDecl const*>& seen) {
  return any_in(statement, [&](Stmt const* s) {
    FunctionDecl const* callee = callee_of(dyn_cast<CallExpr>(s));
    return is_parallel_loop(s) ||
           (callee != nullptr && seen.insert(callee->getCanonicalDecl()).second &&
            has_parallel_loop(callee->getBody(), seen));
  });
}

}  // namespace

bool is_block_wide(Stmt const* statement) {
  std::set<FunctionDecl const*> seen;
  return has_parallel_loop(statement, seen);
}

bool is_block_wide(FunctionDecl const* function) {
  static std::map<FunctionDecl const*, bool> answers;
  return remembered(function, answers, false, [&] { return is_block_wide(function->getBody()); });
}

}  // namespace gridloom::juggler::cc
