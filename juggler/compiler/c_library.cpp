// Refuses calls of C library functions that mean something else in C++, because of its overloads.
#include <set>

#include "compiler/c_source.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

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

void check_library(ASTContext& context, reporter const& report) {
  library_finder(context, report).TraverseDecl(context.getTranslationUnitDecl());
}

}  // namespace gridloom::juggler::cc
