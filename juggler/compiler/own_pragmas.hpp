#pragma once
// What of a program's directives is read before Clang parses it.

#include <set>
#include <string>
#include <vector>

#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

/// Lines of the file in which a directive begins that the preprocessor hands on: not in a comment, a text,
/// or code that is left out.
[[nodiscard]] std::set<unsigned> active_pragmas(std::string const& file,
                                                std::vector<std::string> const& flags);

/// Directives of ours in a program's text:
///
///   #pragma juggler target map(...)   in front of `parallel`: the region, with its copies
///   #pragma juggler eligible          in front of a region: it is, whatever the check finds
///
/// The first becomes `#pragma omp target map(...)` of the same width, which Clang parses; other
/// compilers ignore both. What is wrong with one is said by file, line and column. Of OpenMP 5 the clause
/// `affinity` of tasks is taken as a hint, and what may be expected to work is refused with advice.
class own_pragmas {
 public:
  std::string text;
  own_directives found;
  bool failed = false;

  own_pragmas(std::string const& file, std::string const& program, std::set<unsigned> const& lines);

 private:
  void refuse_newer(std::string const& line, unsigned number);
  void drop_affinity(std::size_t begin, std::size_t end, unsigned number);
  void take(std::string& line, unsigned number);
  void complain(std::string const& line, unsigned number, std::size_t at, std::string const& what);

  std::string file_;
};

}  // namespace gridloom::juggler::cc
