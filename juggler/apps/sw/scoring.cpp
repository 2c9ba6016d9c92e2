#include "apps/sw/scoring.hpp"

#include <algorithm>
#include <limits>

#include "gridloom/error.hpp"
#include "gridloom/files/sequences.hpp"
#include "gridloom/files/text_lines.hpp"
#include "gridloom/number.hpp"

namespace gridloom::juggler::sw {

namespace {

char capital(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

void set_score(scoring& of, std::size_t a, std::size_t b, int score) {
  of.scores[a * most_letters + b] = static_cast<std::int8_t>(score);
}

scoring make_blosum62() {
  scoring made;
  made.letters = blosum62_letters;
  for (std::size_t a = 0; a < made.letters.size(); ++a) {
    for (std::size_t b = 0; b < made.letters.size(); ++b) set_score(made, a, b, blosum62(a, b));
  }
  return made;
}

/// Reads a letter of an alphabet: a letter, or the * that stands for all other characters.
char letter_of(text_lines const& lines, std::string_view word) {
  char const letter = word.size() == 1 ? capital(word[0]) : '\0';
  if (letter != '*' && (letter < 'A' || letter > 'Z')) lines.refuse("a letter", word);
  return letter;
}

std::string read_letters(text_lines const& lines, std::string_view line) {
  std::string letters;
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
    char const letter = letter_of(lines, word);
    if (letters.find(letter) != std::string::npos) lines.refuse("each letter once", word);
    if (letters.size() == most_letters)
      lines.refuse("at most " + std::to_string(most_letters) + " letters", word);
    letters.push_back(letter);
  }
  return letters;
}

int read_score(text_lines const& lines, std::string_view word) {
  int score = 0;
  if (!read_number(word, score) || score < -127 || score > 127)
    lines.refuse("a whole number from -127 to 127 for each letter", word);
  return score;
}

scoring read_matrix(std::string const& file) {
  text_lines lines(file);
  scoring made;
  std::string found;
  for (std::string_view line; lines.next(line);) {
    std::string_view rest = line;
    std::string_view const first = take_word(rest);
    if (first.empty() || first.front() == '#') continue;
    if (made.letters.empty()) {
      made.letters = read_letters(lines, line);
      continue;
    }
    char const letter = letter_of(lines, first);
    std::size_t const a = made.letters.find(letter);
    if (a == std::string::npos || found.find(letter) != std::string::npos)
      lines.refuse("a letter of the columns, each once", first);
    found.push_back(letter);
    for (std::size_t b = 0; b < made.letters.size(); ++b)
      set_score(made, a, b, read_score(lines, take_word(rest)));
    if (!take_word(rest).empty()) lines.refuse("no more scores than letters", line);
  }
  if (made.letters.empty()) lines.refuse_file("expected a matrix of scores, got none");
  if (found.size() != made.letters.size())
    lines.refuse_file("expected a line for each of " + std::to_string(made.letters.size()) +
                      " letters, got " + std::to_string(found.size()));
  return made;
}

}  // namespace

int scoring::number_of(char letter) const {
  std::size_t const number = letters.find(capital(letter));
  return number == std::string::npos ? -1 : static_cast<int>(number);
}

scoring nucleotides(int match, int mismatch, int gap_open, int gap_extend) {
  scoring made;
  made.letters = "ACGTN";
  for (std::size_t a = 0; a < 5; ++a) {
    for (std::size_t b = 0; b < 5; ++b) set_score(made, a, b, a == b && a < 4 ? match : mismatch);
  }
  made.gap_open = gap_open;
  made.gap_extend = gap_extend;
  return made;
}

scoring substitution_matrix(std::string const& name_or_file, int gap_open, int gap_extend) {
  scoring made = name_or_file == "BLOSUM62" ? make_blosum62() : read_matrix(name_or_file);
  made.gap_open = gap_open;
  made.gap_extend = gap_extend;
  return made;
}

void require_scores_fit(scoring const& by, std::int64_t rows, std::int64_t cols) {
  std::int64_t const highest = *std::max_element(by.scores.begin(), by.scores.end());
  std::int64_t const most = std::numeric_limits<std::int32_t>::max() / 2;
  if (std::max(rows, cols) > most || (highest > 0 && std::min(rows, cols) > most / highest))
    throw usage_error("--app sw: scores of " + std::to_string(rows) + " and " +
                      std::to_string(cols) + " letters may be beyond 32 bits");
}

}  // namespace gridloom::juggler::sw
