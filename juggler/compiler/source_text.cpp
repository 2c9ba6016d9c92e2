#include "compiler/source_text.hpp"

#include <algorithm>

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

Stmt const* body_of(OMPExecutableDirective const* directive) {
  if (!directive->hasAssociatedStmt() || directive->getAssociatedStmt() == nullptr) return nullptr;
  Stmt const* body = directive->getAssociatedStmt();
  while (auto const* captured = dyn_cast<CapturedStmt>(body)) body = captured->getCapturedStmt();
  return body;
}

text_range source_text::range(SourceRange of) const {
  CharSourceRange const written = sources_.getExpansionRange(of);
  auto const [file, begin] = sources_.getDecomposedLoc(written.getBegin());
  auto const [end_file, last] = sources_.getDecomposedLoc(written.getEnd());
  unsigned end = last;
  if (written.isTokenRange())
    end += Lexer::MeasureTokenLength(written.getEnd(), sources_, language_);
  return {file, begin, end};
}

unsigned source_text::statement_end(Stmt const* of) const {
  if (auto const* captured = dyn_cast<CapturedStmt>(of))
    return statement_end(captured->getCapturedStmt());
  if (auto const* directive = dyn_cast<OMPExecutableDirective>(of)) {
    Stmt const* body = body_of(directive);
    return body == nullptr ? pragma(directive).end : statement_end(body);
  }
  if (auto const* loop = dyn_cast<ForStmt>(of)) return statement_end(loop->getBody());
  if (auto const* loop = dyn_cast<CXXForRangeStmt>(of)) return statement_end(loop->getBody());
  if (auto const* loop = dyn_cast<WhileStmt>(of)) return statement_end(loop->getBody());
  if (auto const* choice = dyn_cast<SwitchStmt>(of)) return statement_end(choice->getBody());
  if (auto const* label = dyn_cast<LabelStmt>(of)) return statement_end(label->getSubStmt());
  if (auto const* label = dyn_cast<SwitchCase>(of)) return statement_end(label->getSubStmt());
  if (auto const* choice = dyn_cast<IfStmt>(of))
    return statement_end(choice->getElse() != nullptr ? choice->getElse() : choice->getThen());
  text_range const plain = range(of->getSourceRange());
  if (isa<CompoundStmt>(of) || isa<DeclStmt>(of) || isa<NullStmt>(of)) return plain.end;
  // Clang's range excludes the semicolon after an expression, return or break.
  llvm::StringRef const all = buffer(plain.file);
  unsigned at = plain.end;
  while (at < all.size() && isWhitespace(all[at])) ++at;
  return at < all.size() && all[at] == ';' ? at + 1 : plain.end;
}

text_range source_text::range(Stmt const* of) const {
  text_range result = range(of->getSourceRange());
  result.end = std::max(result.end, statement_end(of));
  return result;
}

text_range source_text::pragma(OMPExecutableDirective const* of) const {
  text_range result = range(SourceRange(of->getBeginLoc(), of->getBeginLoc()));
  llvm::StringRef const all = buffer(result.file);
  std::size_t end = result.begin;
  for (;;) {
    end = std::min(all.find('\n', end), all.size());
    std::size_t last = end;
    if (last > 0 && all[last - 1] == '\r') --last;
    if (end == all.size() || last == 0 || all[last - 1] != '\\') break;
    ++end;
  }
  result.end = static_cast<unsigned>(end);
  return result;
}

bool source_text::is_whole(SourceRange of) const {
  SourceLocation const begin = of.getBegin();
  if (begin.isMacroID() && !Lexer::isAtStartOfMacroExpansion(begin, sources_, language_))
    return false;
  SourceLocation const end = of.getEnd();
  if (!end.isMacroID() || Lexer::isAtEndOfMacroExpansion(end, sources_, language_)) return true;
  SourceLocation const last = sources_.getSpellingLoc(end);
  auto const next = Lexer::findNextToken(last, sources_, language_);
  if (!next || next->isNot(tok::semi)) return false;
  auto const distance = static_cast<int>(sources_.getFileOffset(next->getLocation())) -
                        static_cast<int>(sources_.getFileOffset(last));
  return Lexer::isAtEndOfMacroExpansion(end.getLocWithOffset(distance), sources_, language_);
}

bool source_text::is_written(OMPExecutableDirective const* of) const {
  if (of->getBeginLoc().isMacroID()) return false;
  text_range const at = range(SourceRange(of->getBeginLoc(), of->getBeginLoc()));
  return buffer(at.file)[at.begin] == '#';
}

bool source_text::is_line_number(Stmt const* of) const {
  return isa<IntegerLiteral>(of) && of->getBeginLoc().isMacroID() &&
         Lexer::getImmediateMacroName(of->getBeginLoc(), sources_, language_) == "__LINE__";
}

std::string source_text::text(text_range of) const {
  return buffer(of.file).slice(of.begin, of.end).str();
}

std::string source_text::indent(text_range of) const {
  llvm::StringRef const all = buffer(of.file);
  std::size_t const before = all.rfind('\n', of.begin);
  std::size_t const begin = before == llvm::StringRef::npos ? 0 : before + 1;
  std::size_t end = begin;
  while (end < of.begin && (all[end] == ' ' || all[end] == '\t')) ++end;
  return all.slice(begin, end).str();
}

std::string source_text::place(SourceLocation of) const {
  PresumedLoc const at = sources_.getPresumedLoc(sources_.getExpansionLoc(of));
  llvm::StringRef const path = at.getFilename();
  return (path.substr(path.rfind('/') + 1) + ":" + llvm::Twine(at.getLine())).str();
}

std::string text_edits::render(source_text const& source, text_range range) const {
  auto const found = edits_.find(range.file);
  if (found == edits_.end()) return source.text(range);
  std::vector<edit> edits = found->second;
  // An insertion comes before a replacement that begins at the same position.
  std::stable_sort(edits.begin(), edits.end(), [](edit const& a, edit const& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.begin == a.end && b.begin != b.end;
  });
  std::string result;
  unsigned at = range.begin;
  for (edit const& e : edits) {
    if (e.begin < at || e.end > range.end) continue;
    // Insertions at both ends of the range are included, though they may belong to its neighbours.
    result += source.text({range.file, at, e.begin}) + e.text;
    at = e.end;
  }
  return result + source.text({range.file, at, range.end});
}

void add_argument(text_edits& edits, source_text const& source, CallExpr const* call,
                  std::string const& argument) {
  bool const is_first = call->getNumArgs() == 0 || isa<CXXDefaultArgExpr>(call->getArg(0));
  edits.insert_before(source.range(is_first ? SourceRange(call->getRParenLoc())
                                            : call->getArg(0)->getSourceRange()),
                      argument + (is_first ? "" : ", "));
}

std::string one_line(std::string text) {
  // A directive may contain escaped line ends.
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at)) {
    text[at] = ' ';
    std::size_t before = at;
    if (before > 0 && text[before - 1] == '\r') text[--before] = ' ';
    if (before > 0 && text[before - 1] == '\\') text[before - 1] = ' ';
  }
  return text;
}

}  // namespace gridloom::juggler::cc
