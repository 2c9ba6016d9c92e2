#include "compiler/own_pragmas.hpp"

#include <algorithm>
#include <cctype>
#include <iostream>
#include <map>

namespace gridloom::juggler::cc {

using namespace clang;

namespace {

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The words of a line with their positions.
std::vector<std::pair<std::size_t, std::string>> words_in(std::string const& line) {
  std::vector<std::pair<std::size_t, std::string>> result;
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at;
    while (end < line.size() && is_of_word(line[end])) ++end;
    if (end > at) result.emplace_back(at, line.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return result;
}

}  // namespace

own_pragmas::own_pragmas(std::string const& file, std::string const& program,
                         std::set<unsigned> const& lines)
    : text(program), file_(file) {
  unsigned number = 1;
  for (std::size_t at = 0; at < text.size(); ++number) {
    std::size_t end = std::min(text.find('\n', at), text.size());
    if (lines.count(number) == 0) {
      at = end + 1;
      continue;
    }
    std::size_t const begin = at;
    unsigned const first = number;
    for (;; ++number) {
      std::string const line = text.substr(at, end - at);
      refuse_newer(line, number);
      std::size_t const last = line.find_last_not_of('\r');
      if (last == std::string::npos || line[last] != '\\' || end == text.size()) break;
      at = end + 1;
      end = std::min(text.find('\n', at), text.size());
    }
    take_newer(begin, end, first);
    std::size_t const end_of_first = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end_of_first - begin);
    std::size_t const width = line.size();
    take(line, first);
    text.replace(begin, width, line);
    at = end + line.size() - width + 1;
  }
  // The directive 'eligible' refers to the next line.
  for (unsigned& at : found.eligible_lines) ++at;
}

/// Refuses features of OpenMP 5 for which Clang's parser, set to 4.5, would give no advice.
void own_pragmas::refuse_newer(std::string const& line, unsigned number) {
  static std::map<std::string, std::string> const dependences{
      {"iterator(", "an iterator; write the list items one by one, or a section that holds all"},
      {"depobj:", "'depobj'; name the storage in the task's depend clause"},
      {"depobj(", "'depobj'; name the storage in the task's depend clause"}};
  static std::string const sums =
      "let each task write its own element, and a last task add them up";
  static std::map<std::string, std::string> const clauses{{"detach(", "leave it out"},
                                                          {"in_reduction(", sums},
                                                          {"task_reduction(", sums},
                                                          {"allocate(", "leave it out"}};
  static std::map<std::string, std::string> const others{
      {"masked", "write single"}, {"omp_all_memory", "name the storage, or write 'taskwait'"}};
  std::string const plain = line.substr(0, line.find("//"));
  for (auto const& [at, word] : words_in(plain)) {
    std::size_t const sign = plain.find_first_not_of(" \t", at + word.size());
    std::string const whole = sign == std::string::npos ? word : word + plain[sign];
    if (auto const known = dependences.find(whole); known != dependences.end())
      complain(line, number, at, "dependences are in, out or inout, not " + known->second);
    bool const is_argument = plain.find('(') < at && word != "omp_all_memory";
    if (auto const known = others.find(word); known != others.end() && !is_argument)
      complain(line, number, at, "'" + word + "' of OpenMP 5 is not supported; " + known->second);
    if (auto const known = clauses.find(whole); known != clauses.end())
      complain(line, number, at,
               "clause '" + word + "' of OpenMP 5 is not supported; " + known->second);
  }
}

/// Rewrites clauses of OpenMP 5 that have an equivalent in 4.5, without moving other text.
void own_pragmas::take_newer(std::size_t begin, std::size_t end, unsigned number) {
  end = std::min(end, text.find("//", begin));
  auto const words = words_in(text.substr(begin, end - begin));
  if (words.size() < 4 || words[1].second != "omp") return;
  std::string const& directive = words[2].second;
  auto const take = [&](std::string const& how) { found.newer.emplace(number, how); };
  for (auto const& [offset, word] : words) {
    if (directive == "task" && word == "affinity" && blank_clause(begin + offset, word.size(), end))
      take("'affinity' of 'task' has no effect on results");
    if (directive == "taskwait" && word == "depend" &&
        blank_clause(begin + offset, word.size(), end))
      take("waits for all tasks before it, not for those of 'depend' alone");
    // A variable may have the same name as a kind of dependence.
    bool const is_kind = text[text.find_last_not_of(" \t\r\n\\", begin + offset - 1)] == '(' &&
                         text[text.find_first_not_of(" \t", begin + offset + word.size())] == ':';
    if (directive == "task" && is_kind && (word == "mutexinoutset" || word == "inoutset")) {
      std::string const kind = "inout";
      text.replace(begin + offset, word.size(), kind + std::string(word.size() - kind.size(), ' '));
      take("'" + word + "' is 'inout' here: the tasks follow each other");
    }
  }
}

/// Replaces a clause and its parentheses by blanks. Its name begins at `at`. Returns false if it
/// has no parentheses.
bool own_pragmas::blank_clause(std::size_t at, std::size_t width, std::size_t end) {
  std::size_t const open = text.find_first_not_of(" \t\r\n\\", at + width);
  if (open >= end || text[open] != '(') return false;
  std::size_t last = open;
  for (int depth = 0; last < end; ++last) {
    depth += text[last] == '(' ? 1 : text[last] == ')' ? -1 : 0;
    if (depth == 0) break;
  }
  // The parser reports the missing parenthesis.
  if (last == end) return false;
  for (std::size_t i = at; i <= last; ++i) {
    if (text[i] != '\n' && text[i] != '\r' && text[i] != '\\') text[i] = ' ';
  }
  return true;
}

void own_pragmas::complain(std::string const& line, unsigned number, std::size_t at,
                           std::string const& what) {
  std::cerr << file_ << ':' << number << ':' << at + 1 << ": error: " << what << '\n'
            << line << '\n'
            << std::string(at, ' ') << "^\n";
  failed = true;
}

void own_pragmas::take(std::string& line, unsigned number) {
  std::size_t at = line.find_first_not_of(" \t");
  if (at == std::string::npos || line[at] != '#') return;
  at = line.find_first_not_of(" \t", at + 1);
  if (at == std::string::npos || line.compare(at, 6, "pragma") != 0) return;
  at = line.find_first_not_of(" \t", at + 6);
  if (at == std::string::npos || line.compare(at, 7, "juggler") != 0) return;
  std::size_t const begin = std::min(line.find_first_not_of(" \t", at + 7), line.size());
  std::size_t const end = std::min(line.find_first_of(" \t(\r", begin), line.size());
  std::string const word = line.substr(begin, end - begin);
  if (word == "target") {
    line.replace(at, 7, "omp    ");
    found.target_lines.push_back(number);
  } else if (word == "eligible") {
    found.eligible_lines.push_back(number);
    line.replace(0, line.size(), "");
  } else {
    complain(
        line, number, at,
        "unknown directive of juggler '" + word + "'; 'target map(...)' and 'eligible' are known");
  }
}

}  // namespace gridloom::juggler::cc
