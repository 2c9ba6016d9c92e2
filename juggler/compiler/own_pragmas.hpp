#pragma once
// Reads juggler-cc's own directives before Clang parses the program.

#include <set>
#include <string>
#include <vector>

#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

/// Makes actions for Clang's tools, each with the same argument.
template <class Action, class Argument>
class action_factory final : public clang::tooling::FrontendActionFactory {
 public:
  explicit action_factory(Argument& argument) : argument_(argument) {}
  std::unique_ptr<clang::FrontendAction> create() override {
    return std::make_unique<Action>(argument_);
  }

 private:
  Argument& argument_;
};

/// What the preprocessor knows about the lines of the file, numbered from 1.
struct preprocessed_lines {
  /// Lines on which an active directive begins, outside of comments, strings and skipped code.
  std::set<unsigned> pragmas;
  /// Conditional lines (`#if` and similar) within braces, and the lines that they skip. They are
  /// removed before code is copied. A copied piece might contain `#if` without its `#endif`, or
  /// stand where a macro has another value.
  std::set<unsigned> decided;
  /// All conditional lines, and the lines that they skip.
  std::set<unsigned> left_out;
};
[[nodiscard]] preprocessed_lines preprocess(std::string const& file,
                                            std::vector<std::string> const& flags);

/// The text with these lines blanked.
[[nodiscard]] std::string without_lines(std::string text, std::set<unsigned> const& lines);

/// juggler-cc's own directives in a program's text:
///
///  #pragma juggler target map(...)   in front of `parallel`: makes a region, with its copies
///  #pragma juggler eligible          in front of a region: skips the check of section 4.1
///
/// Other compilers ignore both. The first is rewritten to `#pragma omp target map(...)` of the same
/// width for Clang's parser. Some clauses of OpenMP 5 are rewritten to their forms in 4.5; others
/// are refused with advice. Errors name file, line and column.
class own_pragmas {
 public:
  std::string text;
  own_directives found;
  bool failed = false;

  own_pragmas(std::string const& file, std::string const& program, std::set<unsigned> const& lines);

 private:
  void refuse_newer(std::string const& line, unsigned number);
  void take_newer(std::size_t begin, std::size_t end, unsigned number);
  bool blank_clause(std::size_t at, std::size_t width, std::size_t end);
  void take(std::string& line, unsigned number);
  void complain(std::string const& line, unsigned number, std::size_t at, std::string const& what);

  std::string file_;
};

}  // namespace gridloom::juggler::cc
