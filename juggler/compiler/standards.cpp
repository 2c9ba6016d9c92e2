// Refuses code whose value or type differs between the program's language and C++20, the language
// of the generated source.
#include <set>

#include "compiler/c_source.hpp"

namespace gridloom::juggler::cc {

using namespace clang;

namespace {

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

void check_standard(ASTContext& context, reporter const& report) {
  standard_finder(context, report).TraverseDecl(context.getTranslationUnitDecl());
}

}  // namespace gridloom::juggler::cc
