#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

#include "compiler/c_source.hpp"
#include "compiler/command_line.hpp"
#include "compiler/conditions.hpp"
#include "compiler/macro_names.hpp"
#include "compiler/model.hpp"
#include "compiler/own_pragmas.hpp"

namespace gridloom::juggler::cc {

using namespace clang;

namespace {

struct work {
  translation_request const& request;
  own_directives const& own;
  translation& result;
};

class consumer : public ASTConsumer {
 public:
  consumer(work const& all, Preprocessor& preprocessor) : work_(all), preprocessor_(preprocessor) {}

  void HandleTranslationUnit(ASTContext& context) override {
    reporter const report(context);
    if (report.failed()) return;
    program found = find_regions(context, report, work_.own);
    found.macros = find_macros(preprocessor_);
    if (!report.failed() && found.regions.empty()) {
      std::cerr << work_.request.file
                << ": error: no region for Juggler here; looked for '#pragma omp target parallel' "
                   "with 'single' in it and 'task' in that, and for '#pragma juggler target "
                   "map(...)' in front of 'parallel'\n";
      return;
    }
    for (region& r : found.regions) r.read_through = check_eligibility(context, r, report);
    check_c_source(context, report);
    check_standard(context, report);
    if (report.failed()) return;
    if (work_.request.makes_dag && work_.request.dag_region > found.regions.size()) {
      std::cerr << work_.request.file << ": error: --region: expected 1 to " << found.regions.size()
                << ", got " << work_.request.dag_region << '\n';
      return;
    }
    work_.result.text =
        emit(found, report,
             {work_.request.file, work_.request.made_file, work_.request.policy_type,
              work_.request.makes_dag ? work_.request.dag_region : 0, work_.request.dag_values});
    if (work_.request.explains) work_.result.text = explain(found);
    work_.result.done = !report.failed();
  }

 private:
  work const& work_;
  Preprocessor& preprocessor_;
};

class action : public ASTFrontendAction {
 public:
  explicit action(work const& all) : work_(all) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler,
                                                 llvm::StringRef) override {
    return std::make_unique<consumer>(work_, compiler.getPreprocessor());
  }

 private:
  work const& work_;
};

/// The line as messages show it, with spaces instead of tabs.
std::string shown(std::string const& line) {
  constexpr std::size_t tab = 8;
  std::string result;
  for (char const c : line) {
    if (c == '\r') continue;
    if (c == '\t')
      result.append(tab - result.size() % tab, ' ');
    else
      result += c;
  }
  return result;
}

IntrusiveRefCntPtr<DiagnosticOptions> options() {
  auto* result = new DiagnosticOptions;
  result->ShowColors = llvm::sys::Process::StandardErrHasColors();
  return result;
}

/// Prints messages of Clang and of juggler-cc with the user's lines, not the rewritten lines that
/// Clang reads. Adds advice to some of Clang's messages.
class user_diagnostics final : public DiagnosticConsumer {
 public:
  /// `given` is the user's text, and `read` is what Clang reads, with the same number of lines.
  user_diagnostics(std::string const& given, std::string const& read) : out_(text_) {
    auto const with = options();
    out_.enable_colors(with->ShowColors != 0);
    printer_ = std::make_unique<TextDiagnosticPrinter>(out_, with.get());
    std::istringstream from(given);
    std::istringstream to(read);
    for (std::string one, other; std::getline(from, one) && std::getline(to, other);) {
      if (one != other && !other.empty()) lines_[shown(other)] = shown(one);
    }
  }

  void BeginSourceFile(LangOptions const& language, Preprocessor const* preprocessor) override {
    printer_->BeginSourceFile(language, preprocessor);
  }
  void EndSourceFile() override { printer_->EndSourceFile(); }
  void HandleDiagnostic(DiagnosticsEngine::Level level, Diagnostic const& what) override {
    DiagnosticConsumer::HandleDiagnostic(level, what);
    printer_->HandleDiagnostic(level, what);
    std::istringstream said(out_.str());
    for (std::string line; std::getline(said, line);) {
      auto const own = lines_.find(line);
      std::cerr << (own == lines_.end() ? line : own->second) << '\n';
    }
    text_.clear();
    if (what.getID() == diag::err_omp_prohibited_region) advise(what);
  }

 private:
  /// Gives advice for directives that Clang's parser refuses.
  static void advise(Diagnostic const& what) {
    SourceManager const& sources = what.getSourceManager();
    PresumedLoc const at = sources.getPresumedLoc(sources.getExpansionLoc(what.getLocation()));
    bool invalid = false;
    llvm::StringRef const line(
        sources.getCharacterData(sources.getExpansionLoc(what.getLocation()), &invalid));
    if (invalid || at.isInvalid()) return;
    if (line.take_until([](char c) { return c == '\n'; }).contains("barrier"))
      std::cerr << at.getFilename() << ':' << at.getLine() << ':' << at.getColumn()
                << ": note: leave it out: nothing waits within a task; make the code after it a "
                   "separate task, and order both by depend clauses\n";
  }

  std::map<std::string, std::string> lines_;
  std::string text_;
  llvm::raw_string_ostream out_;
  std::unique_ptr<DiagnosticConsumer> printer_;
};

}  // namespace

translation translate(translation_request const& request) {
  translation result;
  std::ifstream in(request.file);
  std::ostringstream all;
  all << in.rdbuf();
  if (!in) {
    std::cerr << "juggler-cc: cannot read " << request.file << '\n';
    return result;
  }
  std::vector<std::string> flags{
      "-fopenmp",          "-fopenmp-version=45",  "-Werror=extra-tokens",
      "-Wno-unused-value", "-fparse-all-comments", "-resource-dir=" JUGGLER_CC_RESOURCES};
  // gnu++17 is the default of GCC 12.
  if (request.file.substr(request.file.rfind('.')) != ".c") flags.push_back("-std=gnu++17");
  for (std::string const& flag : request.flags) {
    if (flag.rfind("-fopenmp", 0) != 0) flags.push_back(flag);
    // Trigraphs exist only in languages without GNU's extensions, and C++20 has none.
    if (flag.rfind("-std=c", 0) == 0 || flag.rfind("-std=iso", 0) == 0)
      flags.emplace_back("-Werror=trigraphs");
  }
  // C only warns about the following; C++ refuses it.
  for (char const* warning :
       {"implicit-function-declaration", "implicit-int", "int-conversion", "pointer-sign",
        "incompatible-pointer-types", "incompatible-pointer-types-discards-qualifiers",
        "incompatible-function-pointer-types", "pointer-integer-compare"})
    flags.push_back("-Werror=" + std::string(warning));
  std::string text = all.str();
  if (text.rfind("\xef\xbb\xbf", 0) == 0) text.erase(0, 3);
  preprocessed_lines const lines = preprocess(request.file, flags);
  if (!conditions_agree(request.file, text, lines, {request.flags, request.compiling}))
    return result;
  own_pragmas const own(request.file, without_lines(text, lines.decided), lines.pragmas);
  if (own.failed) return result;
  tooling::FixedCompilationDatabase const database(".", flags);
  tooling::ClangTool tool(database, {request.file});
  tool.setPrintErrorMessage(false);
  user_diagnostics said(text, own.text);
  tool.setDiagnosticConsumer(&said);
  tool.mapVirtualFile(request.file, own.text);
  work const todo{request, own.found, result};
  action_factory<action, work const> factory(todo);
  if (tool.run(&factory) != 0) result.done = false;
  return result;
}

}  // namespace gridloom::juggler::cc
