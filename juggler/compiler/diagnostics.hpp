#pragma once
// How Clang's messages, and ours, are shown.

#include <map>
#include <string>

#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

/// Prints messages with the user's lines in place of those that Clang was given, and says what to write where
/// Clang alone does not.
class user_diagnostics : public clang::DiagnosticConsumer {
 public:
  /// `given` is the user's text, `read` what Clang reads: as many lines.
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
