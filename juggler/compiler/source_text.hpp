#pragma once
// The text of the user's program, and edits to it. Generated code is the user's text with
// insertions, so names, macros and comments are kept.

#include <map>
#include <string>
#include <vector>

#include "compiler/clang_headers.hpp"

namespace gridloom::juggler::cc {

/// A range of one file, as offsets.
struct text_range {
  clang::FileID file;
  unsigned begin = 0;
  unsigned end = 0;
};

/// Reads the text of statements. The context must outlive it.
class source_text {
 public:
  explicit source_text(clang::ASTContext const& context)
      : sources_(context.getSourceManager()), language_(context.getLangOpts()) {}

  /// The range of a syntax element. For code from a macro, the range where the macro is used.
  [[nodiscard]] text_range range(clang::SourceRange of) const;
  /// The range of a statement with its semicolon. A directive's range includes its pragma.
  [[nodiscard]] text_range range(clang::Stmt const* of) const;
  /// The lines of a directive, including continuation lines.
  [[nodiscard]] text_range pragma(clang::OMPExecutableDirective const* of) const;
  [[nodiscard]] std::string text(text_range of) const;
  [[nodiscard]] std::string text(clang::Expr const* of) const {
    return text(range(of->getSourceRange()));
  }
  /// The white space at the start of the range's line.
  [[nodiscard]] std::string indent(text_range of) const;
  /// Whether any part comes from a macro, where nothing can be inserted.
  [[nodiscard]] static bool in_macro(clang::SourceRange of) {
    return of.getBegin().isMacroID() || of.getEnd().isMacroID();
  }
  /// Whether the range's macros contain nothing else, apart from a semicolon.
  [[nodiscard]] bool is_whole(clang::SourceRange of) const;
  /// Whether a directive is written as a line of the file, not as _Pragma or in a macro.
  [[nodiscard]] bool is_written(clang::OMPExecutableDirective const* of) const;
  /// Whether the statement is a number that replaced `__LINE__`.
  [[nodiscard]] bool is_line_number(clang::Stmt const* of) const;
  /// Whether the statement is `__func__` or a similar name that the user wrote.
  [[nodiscard]] bool is_function_name(clang::Stmt const* of) const {
    return llvm::isa<clang::PredefinedExpr>(of) &&
           !sources_.isInSystemHeader(sources_.getSpellingLoc(of->getBeginLoc()));
  }
  /// "file:line", where file has no folder.
  [[nodiscard]] std::string place(clang::SourceLocation of) const;
  [[nodiscard]] unsigned line(clang::SourceLocation of) const {
    return sources_.getExpansionLineNumber(of);
  }
  [[nodiscard]] unsigned line_at(text_range of) const {
    return sources_.getLineNumber(of.file, of.begin);
  }

 private:
  [[nodiscard]] unsigned statement_end(clang::Stmt const* of) const;
  [[nodiscard]] llvm::StringRef buffer(clang::FileID file) const {
    return sources_.getBufferData(file);
  }

  clang::SourceManager const& sources_;
  clang::LangOptions const& language_;
};

/// The text with line ends replaced by spaces.
[[nodiscard]] std::string one_line(std::string text);

/// Edits for one generated text.
class text_edits {
 public:
  void replace(text_range range, std::string text) {
    edits_[range.file].push_back({range.begin, range.end, std::move(text)});
  }
  /// Inserts text. A later insertion at the same position follows an earlier one.
  void insert_before(text_range range, std::string text) {
    edits_[range.file].push_back({range.begin, range.begin, std::move(text)});
  }
  void insert_behind(text_range range, std::string text) {
    edits_[range.file].push_back({range.end, range.end, std::move(text)});
  }
  /// The text of a range with its edits. Edits inside a replaced range are ignored.
  [[nodiscard]] std::string render(source_text const& source, text_range range) const;

 private:
  struct edit {
    unsigned begin;
    unsigned end;
    std::string text;
  };
  std::map<clang::FileID, std::vector<edit>> edits_;
};

/// Inserts an argument in front of those that a call has.
void add_argument(text_edits& edits, source_text const& source, clang::CallExpr const* call,
                  std::string const& argument);

/// The statement of a directive, without Clang's wrapper nodes.
[[nodiscard]] clang::Stmt const* body_of(clang::OMPExecutableDirective const* directive);

/// Calls visit(statement) for a statement and everything inside, including the statements of
/// directives but not their clauses. It does not descend where visit returns false.
template <class Visit>
void walk(clang::Stmt const* statement, Visit const& visit) {
  if (statement == nullptr) return;
  if (auto const* captured = llvm::dyn_cast<clang::CapturedStmt>(statement)) {
    walk(captured->getCapturedStmt(), visit);
    return;
  }
  if (!visit(statement)) return;
  if (auto const* directive = llvm::dyn_cast<clang::OMPExecutableDirective>(statement)) {
    walk(body_of(directive), visit);
    return;
  }
  for (clang::Stmt const* child : statement->children()) walk(child, visit);
}
/// Whether is(statement) is true for a statement or something inside, as `walk` visits them.
template <class Predicate>
[[nodiscard]] bool any_in(clang::Stmt const* statement, Predicate const& is) {
  bool found = false;
  walk(statement, [&](clang::Stmt const* s) {
    found = found || is(s);
    return !found;
  });
  return found;
}

}  // namespace gridloom::juggler::cc
