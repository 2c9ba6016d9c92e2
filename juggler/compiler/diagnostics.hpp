#pragma once
// Prints messages of Clang and of juggler-cc.

#include <map>
#include <string>

#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

/// Shows the user's lines in messages, not the rewritten lines that Clang reads. Adds advice to
/// some of Clang's messages.
class user_diagnostics : public clang::DiagnosticConsumer {
 public:
  /// `given` is the user's text, and `read` is what Clang reads, with the same number of lines.
  user_diagnostics(std::string const& given, std::string const& read);
  ~user_diagnostics() override;

  void BeginSourceFile(clang::LangOptions const& language,
                       clang::Preprocessor const* preprocessor) override;
  void EndSourceFile() override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        clang::Diagnostic const& what) override;

 private:
  void advise(clang::Diagnostic const& what);

  std::map<std::string, std::string> lines_;
  std::string text_;
  llvm::raw_string_ostream out_;
  std::unique_ptr<clang::DiagnosticConsumer> printer_;
};

}  // namespace gridloom::juggler::cc
