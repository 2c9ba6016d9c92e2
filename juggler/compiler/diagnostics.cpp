#include "compiler/diagnostics.hpp"

#include <iostream>
#include <sstream>

namespace gridloom::juggler::cc {

using namespace clang;

namespace {

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

}  // namespace

user_diagnostics::user_diagnostics(std::string const& given, std::string const& read)
    : out_(text_) {
  auto const with = options();
  out_.enable_colors(with->ShowColors != 0);
  printer_ = std::make_unique<TextDiagnosticPrinter>(out_, with.get());
  std::istringstream from(given);
  std::istringstream to(read);
  for (std::string one, other; std::getline(from, one) && std::getline(to, other);) {
    if (one != other && !other.empty()) lines_[shown(other)] = shown(one);
  }
}

user_diagnostics::~user_diagnostics() = default;

void user_diagnostics::BeginSourceFile(LangOptions const& language,
                                       Preprocessor const* preprocessor) {
  printer_->BeginSourceFile(language, preprocessor);
}

void user_diagnostics::EndSourceFile() { printer_->EndSourceFile(); }

void user_diagnostics::HandleDiagnostic(DiagnosticsEngine::Level level, Diagnostic const& what) {
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

/// Gives advice for directives that Clang's parser refuses.
void user_diagnostics::advise(Diagnostic const& what) {
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

}  // namespace gridloom::juggler::cc
