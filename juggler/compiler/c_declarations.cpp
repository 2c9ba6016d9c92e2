// Finds declarations of C that C++ does not have.

#include <set>

#include "compiler/c_source.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

class declaration_finder : public RecursiveASTVisitor<declaration_finder> {
 public:
  declaration_finder(ASTContext& context, reporter const& report)
      : context_(context), report_(report) {}

  bool VisitFunctionDecl(FunctionDecl* function) {
    if (!is_own_code(context_, function->getLocation())) return true;
    if (FunctionTypeLoc const type = function->getFunctionTypeLoc())
      refuse_new_type(type.getReturnLoc(), "a return type");
    for (ParmVarDecl const* p : function->parameters())
      refuse_new_type(p->getTypeSourceInfo()->getTypeLoc(), "parameters");
    if (function->isThisDeclarationADefinition()) check_jumps(function, report_);
    if (function->hasAttr<GNUInlineAttr>())
      report_.error(function,
                    "'gnu_inline' leaves no function to link with in C++; write 'static inline'");
    return true;
  }

  // In C, the body of a loop is a scope inside the scope of the loop's head.
  bool VisitForStmt(ForStmt* loop) {
    auto const* head = dyn_cast_or_null<DeclStmt>(loop->getInit());
    auto const* body = dyn_cast_or_null<CompoundStmt>(loop->getBody());
    if (head == nullptr || body == nullptr || !is_own_code(context_, loop->getForLoc()))
      return true;
    std::set<llvm::StringRef> names;
    for (Decl const* d : head->decls()) {
      if (auto const* named = dyn_cast<NamedDecl>(d)) names.insert(named->getName());
    }
    for (Stmt const* s : body->body()) {
      auto const* declared = dyn_cast<DeclStmt>(s);
      for (Decl const* d : declared == nullptr ? DeclGroupRef() : declared->getDeclGroup()) {
        auto const* named = dyn_cast<NamedDecl>(d);
        if (named != nullptr && names.count(named->getName()) != 0)
          report_.error(named,
                        "C++ does not allow a second '" + named->getNameAsString() +
                            "' in the body of a loop that declares one in its head; rename it");
      }
    }
    return true;
  }

  // In C++, a name must have one meaning in the whole structure.
  bool VisitRecordDecl(RecordDecl* record) {
    if (!record->isThisDeclarationADefinition() || !is_own_code(context_, record->getLocation()))
      return true;
    std::set<llvm::StringRef> types;
    for (FieldDecl const* field : record->fields()) {
      for (TypeLoc at = field->getTypeSourceInfo()->getTypeLoc(); !at.isNull();
           at = at.getNextTypeLoc()) {
        if (auto const type = at.getUnqualifiedLoc().getAs<TypedefTypeLoc>(); !type.isNull())
          types.insert(type.getTypedefNameDecl()->getName());
      }
      if (field->getIdentifier() != nullptr && types.count(field->getName()) != 0)
        report_.error(field,
                      "'" + field->getNameAsString() +
                          "' is a type in this structure, and C++ allows no member of that name; "
                          "rename one of them");
    }
    return true;
  }

  bool VisitVarDecl(VarDecl* variable) {
    if (!is_own_code(context_, variable->getLocation())) return true;
    std::string const name = "'" + variable->getNameAsString() + "'";
    bool const is_constant = context_.getBaseElementType(variable->getType()).isConstQualified();
    if (is_constant && !variable->hasInit() && !isa<ParmVarDecl>(variable) &&
        !variable->hasExternalStorage())
      report_.error(variable, "C++ has no constant " + name + " without a value; write '= {0}'");
    if (variable->getStorageClass() == SC_Auto)
      report_.error(variable->getBeginLoc(),
                    "'auto' deduces a type in C++; leave it out, it has no effect in C");
    return true;
  }

  bool VisitAlignedAttr(AlignedAttr* aligned) {
    if (!aligned->isAlignas() || !aligned->isAlignmentExpr() ||
        !is_own_code(context_, aligned->getLocation()))
      return true;
    // Clang keeps the alignment's value, not the type written in the program.
    Expr const* const value = aligned->getAlignmentExpr()->IgnoreParenImpCasts();
    if (isa<UnaryExprOrTypeTraitExpr>(value) &&
        source_text(context_).text(value).find("lignof") == std::string::npos)
      report_.error(aligned->getLocation(),
                    "'_Alignas' of a type is not supported here; write '_Alignas(_Alignof(type))'");
    return true;
  }

  bool VisitUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr* size) {
    if (size->isArgumentType() && is_own_code(context_, size->getBeginLoc()))
      refuse_new_type(size->getArgumentTypeInfo()->getTypeLoc(), "'sizeof'");
    return true;
  }
  bool VisitCStyleCastExpr(CStyleCastExpr* cast) {
    if (is_own_code(context_, cast->getBeginLoc()))
      refuse_new_type(cast->getTypeInfoAsWritten()->getTypeLoc(), "a cast");
    return true;
  }
  bool VisitCompoundLiteralExpr(CompoundLiteralExpr* literal) {
    if (is_own_code(context_, literal->getBeginLoc()))
      refuse_new_type(literal->getTypeSourceInfo()->getTypeLoc(), "a compound literal");
    return true;
  }

  bool VisitUnaryOperator(UnaryOperator* op) {
    if (op->isIncrementDecrementOp() && op->getSubExpr()->getType()->isBooleanType() &&
        is_own_code(context_, op->getBeginLoc()))
      report_.error(op, "C++ does not increment or decrement a bool; write an assignment");
    return true;
  }

  bool VisitCallExpr(CallExpr* call) {
    QualType const callee = call->getCallee()->getType();
    QualType const function = callee->isPointerType() ? callee->getPointeeType() : callee;
    if (call->getDirectCallee() == nullptr && call->getNumArgs() > 0 &&
        function->isFunctionNoProtoType() && is_own_code(context_, call->getBeginLoc()))
      report_.error(
          call, "'()' of this function pointer means no parameters in C++; declare the parameters");
    return true;
  }

 private:
  void refuse_new_type(TypeLoc type, char const* where) {
    for (; !type.isNull(); type = type.getNextTypeLoc()) {
      auto const tag = type.getUnqualifiedLoc().getAs<TagTypeLoc>();
      if (tag.isNull() || !tag.isDefinition()) continue;
      report_.error(tag.getNameLoc(), std::string("C++ does not declare a type in ") + where +
                                          "; declare the type before this");
      return;
    }
  }

  ASTContext& context_;
  reporter const& report_;
};

// Refuses calls of C library functions that mean something else in C++, because of its overloads.

class library_finder : public RecursiveASTVisitor<library_finder> {
 public:
  library_finder(ASTContext& context, reporter const& report)
      : context_(context), report_(report) {}

  bool VisitConditionalOperator(ConditionalOperator* choice) {
    if (!is_own_code(context_, choice->getBeginLoc())) return true;
    for (Expr const* one : {choice->getTrueExpr(), choice->getFalseExpr()}) {
      auto const* named = dyn_cast<DeclRefExpr>(one->IgnoreParenImpCasts());
      auto const* function = named == nullptr ? nullptr : dyn_cast<FunctionDecl>(named->getDecl());
      if (function == nullptr || !is_of_library(function) || !is_known_function(function)) continue;
      std::string const name = function->getNameAsString();
      report_.error(
          named->getBeginLoc(),
          "C++ has one '" + name +
              "' for each type of number, and cannot choose one here; call it in the branch: '" +
              name + "(x)'");
    }
    return true;
  }

  bool VisitCallExpr(CallExpr* call) {
    FunctionDecl const* callee = call->getDirectCallee();
    if (callee == nullptr || callee->getIdentifier() == nullptr || !is_of_library(callee) ||
        !is_own_code(context_, call->getBeginLoc()))
      return true;
    static std::set<llvm::StringRef> const searches{"strchr", "strrchr", "strstr", "strpbrk",
                                                    "memchr", "wcschr",  "wcsrchr"};
    if (callee->getName() == "div") check_division(call);
    if (searches.count(callee->getName()) != 0) check_search(call, callee->getNameAsString());
    return true;
  }

  // In C++, tgmath.h declares other functions instead of its type-generic macros.
  bool VisitDeclRefExpr(DeclRefExpr* reference) {
    auto const* function = dyn_cast<FunctionDecl>(reference->getDecl());
    if (function == nullptr || function->getIdentifier() == nullptr ||
        !is_own_code(context_, reference->getBeginLoc()))
      return true;
    llvm::StringRef name = function->getName();
    if (name.consume_front("__tg_") && !name.startswith("promote"))
      report_.error(reference,
                    "'" + name.str() +
                        "' of tgmath.h is another function in C++; include math.h, and call '" +
                        name.str() + "f' for float");
    return true;
  }

 private:
  [[nodiscard]] bool is_of_library(FunctionDecl const* function) const {
    SourceManager const& sources = context_.getSourceManager();
    return sources.isInSystemHeader(sources.getExpansionLoc(function->getLocation()));
  }

  void check_division(CallExpr const* call) {
    for (Expr const* argument : call->arguments()) {
      auto const* cast = dyn_cast<ImplicitCastExpr>(argument);
      if (cast == nullptr || cast->getCastKind() == CK_LValueToRValue) continue;
      report_.error(argument,
                    "C++ has one 'div' for each type of number; write the conversion: '(int)'");
    }
  }

  // In C++, strchr and similar functions return a pointer to const for constant memory.
  void check_search(CallExpr const* call, std::string const& name) {
    Expr const* const in = call->getArg(0)->IgnoreParenImpCasts();
    QualType const type = in->getType();
    bool const is_constant =
        isa<StringLiteral>(in) ||
        (type->isPointerType() && type->getPointeeType().isConstQualified()) ||
        (type->isArrayType() && context_.getBaseElementType(type).isConstQualified());
    if (!is_constant) return;
    auto parents = context_.getParents(*call);
    while (!parents.empty() && parents[0].get<ParenExpr>() != nullptr)
      parents = context_.getParents(*parents[0].get<ParenExpr>());
    if (parents.empty()) return;
    auto const* assignment = parents[0].get<BinaryOperator>();
    bool const is_kept =
        parents[0].get<VarDecl>() != nullptr || parents[0].get<CallExpr>() != nullptr ||
        parents[0].get<ReturnStmt>() != nullptr || parents[0].get<InitListExpr>() != nullptr ||
        (assignment != nullptr && assignment->isAssignmentOp());
    if (is_kept)
      report_.error(call, "'" + name +
                              "' of constant memory returns a pointer to const in C++; assign it "
                              "to such a pointer, or write '(char *)' in front");
  }

  ASTContext& context_;
  reporter const& report_;
};

}  // namespace

void check_declarations(ASTContext& context, reporter const& report) {
  declaration_finder(context, report).TraverseDecl(context.getTranslationUnitDecl());
}

void check_library(ASTContext& context, reporter const& report) {
  library_finder(context, report).TraverseDecl(context.getTranslationUnitDecl());
}

}  // namespace gridloom::juggler::cc
