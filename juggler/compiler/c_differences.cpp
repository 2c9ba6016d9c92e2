#include "compiler/c_source.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

LangOptions cpp_20() {
  LangOptions result;
  result.CPlusPlus = result.CPlusPlus11 = result.CPlusPlus14 = result.CPlusPlus17 =
      result.CPlusPlus20 = true;
  result.Bool = result.WChar = result.Char8 = result.CXXOperatorNames = true;
  return result;
}

class difference_finder : public RecursiveASTVisitor<difference_finder> {
 public:
  difference_finder(ASTContext& context, reporter const& report)
      : context_(context), report_(report), language_(cpp_20()), words_(language_) {}

  bool VisitNamedDecl(NamedDecl* named) {
    if (named->getIdentifier() == nullptr || !is_own(named->getLocation())) return true;
    IdentifierInfo const& word = words_.get(named->getName());
    std::string const name = "'" + named->getNameAsString() + "'";
    if (word.isKeyword(language_) || word.isCPlusPlusOperatorKeyword())
      report_.error(named, name + " is a keyword of C++, the generated language; rename it");
    bool const is_outer = named->getDeclContext()->isTranslationUnit();
    if (is_outer &&
        (named->getName() == "std" || named->getName() == "gridloom" || named->getName() == "jcc"))
      report_.error(named, name + " is a namespace of the generated source; rename it");
    return true;
  }

  bool VisitFunctionDecl(FunctionDecl* function) {
    if (!is_own(function->getLocation())) return true;
    if (function->isMain() && !function->getReturnType()->isIntegerType())
      report_.error(function, "C++ requires 'int main'; write 'int'");
    if (function->isThisDeclarationADefinition() && function->getNumParams() > 0 &&
        !function->hasWrittenPrototype())
      report_.error(function,
                    "C++ has no types of parameters behind the parentheses; write the types in the "
                    "parentheses");
    for (ParmVarDecl const* p : function->parameters()) check_parameter(p);
    return true;
  }

  bool VisitVarDecl(VarDecl* variable) {
    if (!is_own(variable->getLocation())) return true;
    std::string const name = "'" + variable->getNameAsString() + "'";
    bool const is_outer = variable->isFileVarDecl() && !variable->hasExternalStorage();
    for (VarDecl const* before = variable->getPreviousDecl(); is_outer && before != nullptr;
         before = before->getPreviousDecl()) {
      if (before->hasExternalStorage()) continue;
      report_.error(variable,
                    name + " is defined twice, which C++ does not allow; remove one definition");
      report_.note(before, "the other definition");
      break;
    }
    if (variable->getType()->getBaseElementTypeUnsafe()->isAnyComplexType())
      report_.error(variable, "C++ has different complex numbers; use a structure of two numbers");
    if (variable->getType()->isAtomicType())
      report_.error(variable, "C++ has no '_Atomic'; leave it out, depend clauses order the tasks");
    auto const* text = dyn_cast_or_null<StringLiteral>(
        variable->getInit() == nullptr ? nullptr : variable->getInit()->IgnoreParens());
    auto const* array = context_.getAsConstantArrayType(variable->getType());
    if (text != nullptr && array != nullptr && array->getSize() == text->getLength())
      report_.error(variable,
                    name +
                        " has no room for the text's final zero, which C++ requires; write one "
                        "element more");
    return true;
  }

  bool VisitInitListExpr(InitListExpr* list) {
    if (list->isSemanticForm() && !list->isSyntacticForm()) return true;
    unsigned named = 0;
    unsigned next = 0;
    for (Expr* value : list->inits()) {
      auto const* one = dyn_cast_or_null<DesignatedInitExpr>(value);
      if (one == nullptr || !is_own(one->getBeginLoc())) continue;
      ++named;
      DesignatedInitExpr::Designator const& first = *one->designators().begin();
      if (!first.isFieldDesignator()) {
        report_.error(one,
                      "C++ has no '[index] =' in an initializer; write all elements in order, or "
                      "assign them");
        return true;
      }
      if (one->size() > 1) {
        report_.error(
            one,
            "C++ does not initialize a member of a member by name; put the inner values in braces");
        return true;
      }
      unsigned const at = first.getField() == nullptr ? next : first.getField()->getFieldIndex();
      if (at < next) {
        report_.error(one,
                      "C++ initializes members in the order of their "
                      "declarations; move this one to the front");
        return true;
      }
      next = at + 1;
    }
    for (Expr const* value : list->inits()) {
      auto const* text = dyn_cast_or_null<StringLiteral>(value);
      auto const* array =
          text == nullptr ? nullptr : context_.getAsConstantArrayType(text->getType());
      if (array != nullptr && array->getSize() == text->getLength() && is_own(text->getBeginLoc()))
        report_.error(text,
                      "this has no room for the text's final zero, which C++ requires; write one "
                      "element more");
    }
    if (named != 0 && named != list->getNumInits())
      report_.error(list, "C++ requires names for all members of an initializer, or for none");
    return true;
  }

  bool VisitCompoundLiteralExpr(CompoundLiteralExpr* literal) {
    if (is_own(literal->getBeginLoc()) && literal->getType()->isArrayType())
      report_.error(literal, "C++ has no array without a name; declare a variable for it");
    return true;
  }

  bool VisitUnaryOperator(UnaryOperator* op) {
    if (!is_own(op->getBeginLoc())) return true;
    Expr const* of = op->getSubExpr()->IgnoreParens();
    if (op->getOpcode() == UO_AddrOf && isa<CompoundLiteralExpr>(of))
      report_.error(op, "C++ has no address of a value without a name; declare a variable for it");
    if (op->isIncrementDecrementOp() && of->getType()->isEnumeralType()) refuse_enumeration(op);
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator* op) {
    bool const has_pointer =
        op->getLHS()->getType()->isPointerType() || op->getRHS()->getType()->isPointerType();
    if (!op->isRelationalOp() || !has_pointer || !is_own(op->getBeginLoc())) return true;
    for (Expr const* one : {op->getLHS(), op->getRHS()}) {
      if (one->IgnoreParenImpCasts()->getType()->isIntegerType())
        report_.error(op->getOperatorLoc(),
                      "C++ does not order a pointer and 0; write '!=' or '=='");
    }
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr* cast) {
    Expr const* const of = cast->getSubExpr()->IgnoreParens();
    if (cast->getCastKind() == CK_NullToPointer && of->getType()->isIntegerType() &&
        !isa<IntegerLiteral>(of) && is_own(cast->getBeginLoc()))
      report_.error(cast, "C++ does not accept this as a null pointer; write 0");
    return true;
  }
  bool VisitCompoundAssignOperator(CompoundAssignOperator* op) {
    if (is_own(op->getBeginLoc()) && op->getLHS()->getType()->isEnumeralType())
      refuse_enumeration(op);
    return true;
  }

  bool VisitCallExpr(CallExpr* call) {
    FunctionDecl const* callee = call->getDirectCallee();
    if (callee != nullptr && is_own(call->getBeginLoc()) && call->getNumArgs() > 0 &&
        callee->getBuiltinID() == 0 && callee->getType()->isFunctionNoProtoType())
      report_.error(call, "'" + callee->getNameAsString() +
                              "' is declared without its parameters, which means "
                              "none in C++; declare them");
    return true;
  }

  bool VisitGenericSelectionExpr(GenericSelectionExpr* choice) {
    if (is_own(choice->getBeginLoc()))
      report_.error(choice, "C++ has no '_Generic'; call the function by its name");
    return true;
  }

  // In C, names that a structure declares are also visible outside.
  bool VisitTagTypeLoc(TagTypeLoc at) {
    if (!at.isDefinition()) check_inner(at.getDecl(), at.getNameLoc());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr* reference) {
    if (auto const* value = dyn_cast<EnumConstantDecl>(reference->getDecl()))
      check_inner(cast<TagDecl>(value->getDeclContext()), reference->getLocation());
    return true;
  }

 private:
  [[nodiscard]] bool is_own(SourceLocation at) const { return is_own_code(context_, at); }
  void refuse_enumeration(Expr const* at) {
    report_.error(
        at, "C++ does not change an enumeration by arithmetic; use an int, or write 'x = x + 1'");
  }
  void check_parameter(ParmVarDecl const* p) {
    auto const* array = dyn_cast_or_null<ArrayType>(p->getOriginalType()->getAsArrayTypeUnsafe());
    std::string const name = "parameter '" + p->getNameAsString() + "'";
    if (p->getType()->isVariablyModifiedType()) {
      report_.error(p, name +
                           " has a length that is not a constant, which C++ does "
                           "not have; use a pointer to the elements");
    } else if (array != nullptr && (array->getSizeModifier() != ArrayType::Normal ||
                                    array->getIndexTypeCVRQualifiers() != 0)) {
      report_.error(p, name +
                           " has keywords in its brackets that C++ does not have; write a pointer: "
                           "'double *restrict a'");
    }
  }
  void check_inner(TagDecl const* tag, SourceLocation at) {
    auto const* outer = dyn_cast<RecordDecl>(tag->getLexicalDeclContext());
    if (outer == nullptr || !is_own(at)) return;
    SourceRange const whole = outer->getSourceRange();
    SourceManager const& sources = context_.getSourceManager();
    SourceLocation const where = sources.getExpansionLoc(at);
    if (!sources.isBeforeInTranslationUnit(where, sources.getExpansionLoc(whole.getEnd())))
      report_.error(at,
                    "this type is declared inside '" + outer->getNameAsString() +
                        "', and C++ does not know it outside; declare it before the outer type");
  }

  ASTContext& context_;
  reporter const& report_;
  LangOptions language_;
  IdentifierTable words_;
};

}  // namespace

bool is_own_code(ASTContext const& context, SourceLocation at) {
  SourceManager const& sources = context.getSourceManager();
  SourceLocation const where = sources.getExpansionLoc(at);
  return where.isValid() && !sources.isInSystemHeader(where) &&
         !sources.isWrittenInBuiltinFile(where);
}

void check_c_source(ASTContext& context, reporter const& report) {
  if (context.getLangOpts().CPlusPlus) return;
  difference_finder(context, report).TraverseDecl(context.getTranslationUnitDecl());
  check_declarations(context, report);
  check_enumerations(context, report);
  check_types(context, report);
  check_library(context, report);
}

}  // namespace gridloom::juggler::cc
