// Finds active directives and conditions within braces by preprocessing, before the parse.
#include <map>

#include "clang/Frontend/FrontendActions.h"
#include "compiler/own_pragmas.hpp"

namespace gridloom::juggler::cc {

using namespace clang;

namespace {

class line_watcher : public PPCallbacks {
 public:
  line_watcher(SourceManager const& sources, unsigned const& open_braces,
               preprocessed_lines& result)
      : sources_(sources), open_braces_(open_braces), result_(result) {}
  ~line_watcher() override {
    result_.left_out = left_out_;
    for (auto const& [first, last] : groups_) {
      for (auto at = left_out_.lower_bound(first); at != left_out_.end() && *at <= last; ++at)
        result_.decided.insert(*at);
    }
  }
  void PragmaDirective(SourceLocation at, PragmaIntroducerKind kind) override {
    if (kind == PIK_HashPragma && sources_.isInMainFile(at)) result_.pragmas.insert(line(at));
  }
  void If(SourceLocation at, SourceRange, ConditionValueKind) override { open(at); }
  void Ifdef(SourceLocation at, Token const&, MacroDefinition const&) override { open(at); }
  void Ifndef(SourceLocation at, Token const&, MacroDefinition const&) override { open(at); }
  void Elif(SourceLocation at, SourceRange, ConditionValueKind, SourceLocation) override {
    leave_out(at, at);
  }
  void Else(SourceLocation at, SourceLocation) override { leave_out(at, at); }
  void Endif(SourceLocation at, SourceLocation condition) override {
    leave_out(at, at);
    if (sources_.isInMainFile(at) && opened_.count(line(condition)) != 0)
      groups_.emplace(line(condition), line(at));
  }
  void SourceRangeSkipped(SourceRange all, SourceLocation end) override {
    leave_out(all.getBegin(), end);
  }

 private:
  [[nodiscard]] unsigned line(SourceLocation at) const {
    return sources_.getSpellingLineNumber(at);
  }
  void open(SourceLocation at) {
    leave_out(at, at);
    if (open_braces_ > 0 && sources_.isInMainFile(at)) opened_.insert(line(at));
  }
  void leave_out(SourceLocation first, SourceLocation last) {
    if (!sources_.isInMainFile(first)) return;
    for (unsigned n = line(first); n <= line(last); ++n) left_out_.insert(n);
  }

  SourceManager const& sources_;
  unsigned const& open_braces_;
  preprocessed_lines& result_;
  /// Lines with an `#if` or similar within braces.
  std::set<unsigned> opened_;
  /// All conditional lines, and the lines that they skip.
  std::set<unsigned> left_out_;
  std::multimap<unsigned, unsigned> groups_;
};

class line_finder : public PreprocessOnlyAction {
 public:
  explicit line_finder(preprocessed_lines& result) : result_(result) {}
  bool BeginSourceFileAction(CompilerInstance& compiler) override {
    compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<line_watcher>(compiler.getSourceManager(), open_braces_, result_));
    return true;
  }
  void ExecuteAction() override {
    Preprocessor& words = getCompilerInstance().getPreprocessor();
    words.IgnorePragmas();
    words.EnterMainSourceFile();
    Token word;
    do {
      words.Lex(word);
      if (word.is(tok::l_brace)) ++open_braces_;
      if (word.is(tok::r_brace) && open_braces_ > 0) --open_braces_;
    } while (word.isNot(tok::eof));
  }

 private:
  preprocessed_lines& result_;
  unsigned open_braces_ = 0;
};

}  // namespace

preprocessed_lines preprocess(std::string const& file, std::vector<std::string> const& flags) {
  preprocessed_lines result;
  tooling::FixedCompilationDatabase const database(".", flags);
  tooling::ClangTool tool(database, {file});
  tool.setPrintErrorMessage(false);
  // Drops errors: the later parse reports them.
  IgnoringDiagConsumer silent;
  tool.setDiagnosticConsumer(&silent);
  action_factory<line_finder, preprocessed_lines> factory(result);
  (void)tool.run(&factory);
  return result;
}

std::string without_lines(std::string text, std::set<unsigned> const& lines) {
  unsigned number = 1;
  // Whether the previous line was removed and ends in a backslash.
  bool goes_on = false;
  for (std::size_t at = 0; at < text.size(); ++number) {
    std::size_t const end = std::min(text.find('\n', at), text.size());
    std::size_t const last = text.find_last_not_of('\r', end == 0 ? 0 : end - 1);
    bool const is_left_out = goes_on || lines.count(number) != 0;
    goes_on = is_left_out && last != std::string::npos && last >= at && text[last] == '\\';
    // A comment after `#endif` may continue on lines that are kept.
    std::size_t const comment = text.substr(at, end - at).rfind("/*");
    bool const stays_open = is_left_out && comment != std::string::npos && !goes_on &&
                            lines.count(number + 1) == 0 &&
                            text.substr(at, end - at).find("*/", comment) == std::string::npos;
    for (std::size_t i = at; is_left_out && i < end; ++i) {
      if (text[i] != '\r') text[i] = ' ';
    }
    if (stays_open) text.replace(at + comment, 2, "/*");
    at = end + 1;
  }
  return text;
}

}  // namespace gridloom::juggler::cc
