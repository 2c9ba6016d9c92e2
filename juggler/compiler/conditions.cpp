// Finds preprocessor conditions on which the three compilers differ.
#include "compiler/conditions.hpp"

#include <cctype>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "compiler/workplace.hpp"

namespace gridloom::juggler::cc {

namespace {

/// The text of lines, by file and number.
using lines_of_files = std::map<std::pair<std::string, unsigned>, std::string>;

std::string trimmed(std::string const& text) {
  std::size_t const first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string> lines_in(std::string const& file) {
  std::ifstream in(file);
  std::vector<std::string> result;
  for (std::string line; std::getline(in, line);) result.push_back(line);
  return result;
}

/// Finds the lines of the user's files that a compiler keeps. Returns false if the compiler fails,
/// which is reported elsewhere.
bool preprocess_by(std::vector<std::string> words, workplace const& here, lines_of_files& result) {
  std::string const made = here.folder() / "kept";
  words.insert(words.begin(), {"/bin/sh", "-c", "exec \"$@\" 2>/dev/null", "sh"});
  words.insert(words.end(), {"-w", "-E", "-fdirectives-only", "-o", made});
  if (here.run(words) != 0) return false;
  std::ifstream in(made);
  std::string file;
  unsigned number = 0;
  for (std::string line; std::getline(in, line); ++number) {
    if (line.size() > 3 && line[0] == '#' && line[1] == ' ' && std::isdigit(line[2]) != 0) {
      std::size_t const open = line.find('"');
      std::size_t const close = line.rfind('"');
      if (open != std::string::npos && close > open) {
        bool const is_system = line.find(" 3", close) != std::string::npos;
        file = is_system || line[open + 1] == '<' ? "" : line.substr(open + 1, close - open - 1);
        number = static_cast<unsigned>(std::stoul(line.substr(2))) - 1;
        continue;
      }
    }
    std::string const text = file.empty() ? "" : trimmed(line);
    if (!text.empty()) result[{file, number}] = text;
  }
  return true;
}

/// Whether a line may be kept in only one of the languages: `extern "C"` and its brace, a macro for
/// system headers, or a comment.
bool is_harmless(std::string const& text) {
  return text == "}" || text.rfind("extern \"C\"", 0) == 0 || text.rfind("#define _", 0) == 0 ||
         text.rfind("//", 0) == 0 || text.rfind("/*", 0) == 0;
}

/// Number of the line with the `#if` that encloses a line, from 1; 0 if there is none.
unsigned condition_around(std::vector<std::string> const& lines, unsigned number) {
  int depth = 0;
  for (unsigned n = std::min<std::size_t>(number - 1, lines.size()); n > 0; --n) {
    std::string const text = trimmed(lines[n - 1]);
    if (text.empty() || text[0] != '#') continue;
    std::string const word = trimmed(text.substr(1));
    if (word.rfind("endif", 0) == 0) ++depth;
    if (word.rfind("if", 0) == 0 && depth-- == 0) return n;
  }
  return 0;
}

}  // namespace

bool conditions_agree(std::string const& file, std::string const& text,
                      preprocessed_lines const& known, compiler_flags const& flags) {
  if (known.left_out.empty() && text.find("#include \"") == std::string::npos) return true;
  configuration const with = read_configuration();
  workplace const folder;
  // GCC 12 rejects -fopenmp together with -fdirectives-only.
  std::string const openmp = "-D_OPENMP=201511";
  bool const is_c = file.substr(file.rfind('.')) == ".c";
  std::vector<std::string> here{with.compiler, "-x", is_c ? "c" : "c++", openmp};
  if (!is_c) here.push_back("-std=gnu++17");
  std::vector<std::string> there{with.compiler, "-x", "c++", openmp, "-std=c++20"};
  if (with.has_cuda) there.insert(there.end(), {"-D__CUDACC__=1", "-D__NVCC__=1"});
  for (std::string const& flag : flags.reading) {
    here.push_back(flag);
    if (flag.rfind("-std=", 0) != 0) there.push_back(flag);
  }
  // The default optimisation level; user flags override it.
  there.push_back("-O2");
  for (auto* words : {&here, &there}) {
    words->insert(words->end(), flags.compiling.begin(), flags.compiling.end());
    words->push_back(file);
  }
  lines_of_files kept;
  lines_of_files kept_there;
  if (!preprocess_by(here, folder, kept) || !preprocess_by(there, folder, kept_there)) return true;
  bool agree = true;
  std::set<std::pair<std::string, unsigned>> said;
  auto const refuse = [&](std::string const& in, unsigned number, bool is_ours,
                          std::string const& what) {
    std::vector<std::string> const lines = lines_in(in);
    unsigned const at = condition_around(lines, number);
    // For conditions within braces, the generated source already contains Clang's decision.
    if (at == 0 || (is_ours && known.decided.count(at) != 0) || !said.insert({in, at}).second)
      return;
    std::string const& line = lines[at - 1];
    std::size_t const column = line.find('#');
    std::cerr << in << ':' << at << ':' << column + 1 << ": error: " << what
              << "; test a macro of your own, defined by -D\n"
              << line << '\n'
              << std::string(column, ' ') << "^\n";
    agree = false;
  };
  // Compares Clang with the user's compiler.
  std::string const by_flags =
      "Clang, which reads the program, and the compiler evaluate this condition differently";
  std::vector<std::string> const lines = lines_in(file);
  bool goes_on = false;
  for (unsigned n = 1; n <= lines.size(); ++n) {
    std::string const line = trimmed(lines[n - 1]);
    bool const is_rest = goes_on;
    goes_on = !line.empty() && line.back() == '\\';
    bool const is_kept = kept.count({file, n}) != 0;
    bool const is_left_out = known.left_out.count(n) != 0;
    bool const is_silent = line.empty() || is_rest ||
                           (line[0] == '#' && trimmed(line.substr(1)).rfind("define", 0) != 0);
    if (is_kept ? is_left_out && !is_rest : !is_left_out && !is_silent)
      refuse(file, n, false, by_flags);
  }
  std::string const by_language =
      "the generated source is C++20, which evaluates this condition differently";
  auto const compare = [&](lines_of_files const& one, lines_of_files const& other) {
    for (auto const& [place, line] : one) {
      auto const found = other.find(place);
      if ((found == other.end() || found->second != line) && !is_harmless(line))
        refuse(place.first, place.second, place.first == file, by_language);
    }
  };
  compare(kept, kept_there);
  compare(kept_there, kept);
  return agree;
}

}  // namespace gridloom::juggler::cc
