#pragma once
// What of a program's directives is read before Clang parses it.

#include <set>
#include <string>
#include <vector>

#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

/// What the preprocessor knows of the file's lines, from 1.
struct preprocessed_lines {
  /// In which a directive begins that is handed on: not in a comment, a text, or code that is left out.
  std::set<unsigned> pragmas;
  /// `#if` and the like within braces, and what they leave out. A copy of code may cut through them, or stand
  /// where a macro means something else.
  std::set<unsigned> decided;
  /// Of all conditions, with what they leave out.
  std::set<unsigned> left_out;
};
[[nodiscard]] preprocessed_lines preprocess(std::string const& file,
                                            std::vector<std::string> const& flags);

/// The text with those lines left empty.
[[nodiscard]] std::string without_lines(std::string text, std::set<unsigned> const& lines);

/// Directives of ours in a program's text:
///
///   #pragma juggler target map(...)   in front of `parallel`: the region, with its copies
///   #pragma juggler eligible          in front of a region: it is, whatever the check finds
///
/// The first becomes `#pragma omp target map(...)` of the same width, which Clang parses; other
/// compilers ignore both. What is wrong with one is said by file, line and column. Of OpenMP 5 some clauses
/// are taken for what 4.5 has in their place, and what may be expected to work is refused with advice.
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
