#include <set>

#include "compiler/c_source.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

char const* const c_words =
    "#define restrict __restrict__\n"
    "#define register\n"
    "#define typeof __typeof__\n"
    "#define _Bool bool\n"
    "#define __auto_type auto\n"
    "#define _Alignas(n) __attribute__((aligned(n)))\n"
    "#define _Alignof alignof\n"
    "#define _Noreturn __attribute__((noreturn))\n"
    "#define _Static_assert static_assert\n"
    "#define _Thread_local thread_local\n";

namespace {

class conversion_writer : public RecursiveASTVisitor<conversion_writer> {
 public:
  conversion_writer(ASTContext& context, reporter const& report, text_edits& edits)
      : sources_(context.getSourceManager()),
        context_(context),
        source_(context),
        report_(report),
        edits_(edits) {}

  // Adds missing returns to the program's own functions. Copies of functions get theirs separately.
  bool VisitFunctionDecl(FunctionDecl* function) {
    if (is_own_code(context_, function->getLocation()))
      write_missing_return(context_, function, report_, edits_, false);
    return true;
  }
  bool VisitEnumDecl(EnumDecl* of) {
    write_enumeration(context_, of, edits_);
    return true;
  }
  // In C++, comparing a pointer to void with another pointer needs no cast.
  bool VisitBinaryOperator(BinaryOperator* op) {
    if (op->isComparisonOp()) compared_.insert({op->getLHS(), op->getRHS()});
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr* cast) {
    QualType const to = cast->getType();
    bool const from_void =
        compared_.count(cast) == 0 && cast->getCastKind() == CK_BitCast && to->isPointerType() &&
        cast->getSubExpr()->getType()->isVoidPointerType() && !to->isVoidPointerType();
    // System headers have a C++ definition of NULL; only the program's own NULL needs a cast.
    bool const from_null = cast->getCastKind() == CK_NullToPointer && !to->isVoidPointerType() &&
                           cast->getSubExpr()->getType()->isVoidPointerType() &&
                           !sources_.isInSystemHeader(sources_.getSpellingLoc(
                               cast->getSubExpr()->IgnoreParens()->getBeginLoc()));
    bool const to_enum = cast->getCastKind() == CK_IntegralCast && to->isEnumeralType();
    bool const from_function =
        to->isVoidPointerType() && cast->getSubExpr()->getType()->isFunctionPointerType();
    if (from_void || from_null) write(cast, "from 'void *'");
    if (from_function) write(cast, "from a pointer to a function");
    if (to_enum) write(cast, "to an enumeration");
    return true;
  }
  // Without a cast, C++ would choose an overload for another precision.
  bool VisitCallExpr(CallExpr* call) {
    FunctionDecl const* callee = call->getDirectCallee();
    if (callee == nullptr || !is_known_function(callee) || callee->getBuiltinID() == 0) return true;
    for (Expr* argument : call->arguments()) {
      auto* cast = dyn_cast<ImplicitCastExpr>(argument);
      if (cast != nullptr && is_of_numbers(cast->getCastKind()))
        write(cast, "to another type of number", cast->getCastKind() == CK_IntegralToFloating);
    }
    return true;
  }
  // Clang keeps an initialiser list in two forms. The semantic one has the conversions, and the
  // visitor skips it.
  bool VisitInitListExpr(InitListExpr* list) {
    convert_values(list->isSemanticForm() ? list : list->getSemanticForm());
    return true;
  }

 private:
  void convert_values(InitListExpr* list) {
    if (list == nullptr) return;
    for (Expr* value : list->inits()) {
      if (auto* inner = dyn_cast_or_null<InitListExpr>(value)) convert_values(inner);
      auto* cast = dyn_cast_or_null<ImplicitCastExpr>(value);
      if (cast == nullptr) continue;
      VisitImplicitCastExpr(cast);
      // C++ refuses narrowing conversions of numbers in braces.
      if (is_of_numbers(cast->getCastKind())) write(cast, "to another type of number");
    }
  }
  static bool is_of_numbers(CastKind kind) {
    return kind == CK_IntegralCast || kind == CK_FloatingCast || kind == CK_FloatingToIntegral ||
           kind == CK_IntegralToFloating;
  }
  /// If `is_optional`, a conversion inside a macro is left as it is.
  void write(ImplicitCastExpr* cast, char const* what, bool is_optional = false) {
    SourceLocation const begin = sources_.getExpansionLoc(cast->getBeginLoc());
    if (begin.isInvalid() || sources_.isInSystemHeader(begin)) return;
    CharSourceRange const whole = Lexer::makeFileCharRange(
        CharSourceRange::getTokenRange(cast->getSourceRange()), sources_, context_.getLangOpts());
    if (whole.isInvalid() && is_optional) return;
    if (whole.isInvalid()) {
      report_.error(cast, "a conversion " + std::string(what) +
                              " in a macro needs a cast in C++; write the cast in the macro");
      return;
    }
    if (!sources_.isWrittenInMainFile(whole.getBegin())) {
      report_.error(cast, "a conversion " + std::string(what) +
                              " in a header needs a cast in C++; write the cast");
      return;
    }
    auto const [file, first] = sources_.getDecomposedLoc(whole.getBegin());
    text_range const at{file, first, sources_.getFileOffset(whole.getEnd())};
    // Both forms of a list contain the same expression.
    if (!written_.insert({at.begin, at.end}).second) return;
    edits_.insert_before(
        at, "(" + declaration(context_, cast->getType().getUnqualifiedType(), "") + ")(");
    edits_.insert_behind(at, ")");
  }

  SourceManager const& sources_;
  ASTContext& context_;
  source_text source_;
  reporter const& report_;
  text_edits& edits_;
  std::set<std::pair<unsigned, unsigned>> written_;
  std::set<Expr const*> compared_;
};

// Refuses code whose value or type differs between the program's language and C++20, the language
// of the generated source.

class standard_finder : public RecursiveASTVisitor<standard_finder> {
 public:
  standard_finder(ASTContext& context, reporter const& report)
      : context_(context), report_(report) {}

  bool VisitIntegerLiteral(IntegerLiteral* number) {
    check(number);
    return true;
  }
  bool VisitNamedDecl(NamedDecl* named) {
    static std::set<llvm::StringRef> const words{"char8_t", "co_await",  "co_return", "co_yield",
                                                 "concept", "consteval", "constinit", "requires"};
    if (context_.getLangOpts().CPlusPlus && named->getIdentifier() != nullptr &&
        words.count(named->getName()) != 0 && is_own_code(context_, named->getLocation()))
      report_.error(named, "'" + named->getNameAsString() +
                               "' is a keyword of C++20, which the generated source "
                               "is; rename it");
    return true;
  }
  bool VisitStringLiteral(StringLiteral* text) {
    check(text);
    if (text->isUTF8() && is_own_code(context_, text->getBeginLoc()))
      report_.error(text,
                    "a text with 'u8' has another type in C++20; leave 'u8' out, the file is "
                    "UTF-8");
    return true;
  }

 private:
  void check(Expr const* literal) {
    SourceLocation const at = literal->getBeginLoc();
    if (!at.isMacroID() || !is_own_code(context_, at)) return;
    std::string const macro =
        Lexer::getImmediateMacroName(at, context_.getSourceManager(), context_.getLangOpts()).str();
    if (macro == "__STDC_VERSION__" || macro == "__cplusplus")
      report_.error(
          at,
          "'" + macro +
              "' would have the value of the generated source, which is C++20; write the number");
    if (macro == "__BASE_FILE__" || macro == "__TIMESTAMP__")
      report_.error(at, "'" + macro + "' would describe the generated source; write the text");
  }

  ASTContext& context_;
  reporter const& report_;
};

}  // namespace

void write_conversions(ASTContext& context, Stmt const* of, reporter const& report,
                       text_edits& edits) {
  if (context.getLangOpts().CPlusPlus) return;
  conversion_writer writer(context, report, edits);
  if (of == nullptr) {
    writer.TraverseDecl(context.getTranslationUnitDecl());
  } else {
    writer.TraverseStmt(const_cast<Stmt*>(of));
  }
}

void check_standard(ASTContext& context, reporter const& report) {
  standard_finder(context, report).TraverseDecl(context.getTranslationUnitDecl());
}

}  // namespace gridloom::juggler::cc
