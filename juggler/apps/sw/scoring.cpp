#include "apps/sw/scoring.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "apps/strips/text_lines.hpp"
#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"

namespace gridloom::juggler::sw {

namespace {

constexpr std::string_view blosum62_letters = "ARNDCQEGHILKMFPSTWYVBZX*";

/// BLOSUM62 as NCBI distributes it (made by matblas from blosum62.iij; Henikoff and Henikoff 1992), in
/// half bits: each letter with those before it and itself.
// clang-format off
constexpr std::int8_t blosum62[] = {
    4,
    -1, 5,
    -2, 0, 6,
    -2, -2, 1, 6,
    0, -3, -3, -3, 9,
    -1, 1, 0, 0, -3, 5,
    -1, 0, 0, 2, -4, 2, 5,
    0, -2, 0, -1, -3, -2, -2, 6,
    -2, 0, 1, -1, -3, 0, 0, -2, 8,
    -1, -3, -3, -3, -1, -3, -3, -4, -3, 4,
    -1, -2, -3, -4, -1, -2, -3, -4, -3, 2, 4,
    -1, 2, 0, -1, -3, 1, 1, -2, -1, -3, -2, 5,
    -1, -1, -2, -3, -1, 0, -2, -3, -2, 1, 2, -1, 5,
    -2, -3, -3, -3, -2, -3, -3, -3, -1, 0, 0, -3, 0, 6,
    -1, -2, -2, -1, -3, -1, -1, -2, -2, -3, -3, -1, -2, -4, 7,
    1, -1, 1, 0, -1, 0, 0, 0, -1, -2, -2, 0, -1, -2, -1, 4,
    0, -1, 0, -1, -1, -1, -1, -2, -2, -1, -1, -1, -1, -2, -1, 1, 5,
    -3, -3, -4, -4, -2, -2, -3, -2, -2, -3, -2, -3, -1, 1, -4, -3, -2, 11,
    -2, -2, -2, -3, -2, -1, -2, -3, 2, -1, -1, -2, -1, 3, -3, -2, -2, 2, 7,
    0, -3, -3, -3, -1, -2, -2, -3, -3, 3, 1, -2, 1, -1, -2, -2, 0, -3, -1, 4,
    -2, -1, 3, 4, -3, 0, 1, -1, 0, -3, -4, 0, -3, -3, -2, 0, -1, -4, -3, -3, 4,
    -1, 0, 0, 1, -3, 3, 4, -2, 0, -3, -3, 1, -1, -3, -1, 0, -1, -3, -2, -2, 1, 4,
    0, -1, -1, -1, -2, -1, -1, -1, -1, -1, -1, -1, -1, -1, -2, 0, 0, -2, -1, -1, -1, -1, -1,
    -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, 1,
};
// clang-format on

char capital(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

void set_score(scoring& of, std::size_t a, std::size_t b, int score) {
  of.scores[a * most_letters + b] = static_cast<std::int8_t>(score);
}

scoring make_blosum62() {
  scoring made;
  made.letters = blosum62_letters;
  std::size_t place = 0;
  for (std::size_t a = 0; a < made.letters.size(); ++a) {
    for (std::size_t b = 0; b <= a; ++b, ++place) {
      set_score(made, a, b, blosum62[place]);
      set_score(made, b, a, blosum62[place]);
    }
  }
  return made;
}

/// The next word of a line, which is taken from it; empty at the end.
std::string_view next_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  std::string_view const word = line.substr(0, std::min(line.find_first_of(" \t"), line.size()));
  line.remove_prefix(word.size());
  return word;
}

/// A letter of an alphabet: a capital, or the * that stands for all that is none.
char letter_of(text_lines const& lines, std::string_view word) {
  char const letter = word.size() == 1 ? capital(word[0]) : '\0';
  if (letter != '*' && (letter < 'A' || letter > 'Z')) lines.refuse("a letter", word);
  return letter;
}

std::string read_letters(text_lines const& lines, std::string_view line) {
  std::string letters;
  for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
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
  auto const [last, error] = std::from_chars(word.data(), word.data() + word.size(), score);
  if (word.empty() || error != std::errc{} || last != word.data() + word.size() || score < -127 ||
      score > 127)
    lines.refuse("a whole number from -127 to 127 for each letter", word);
  return score;
}

scoring read_matrix(std::string const& file) {
  text_lines lines(file);
  scoring made;
  std::string found;
  for (std::string_view line; lines.next(line);) {
    std::string_view rest = line;
    std::string_view const first = next_word(rest);
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
      set_score(made, a, b, read_score(lines, next_word(rest)));
    if (!next_word(rest).empty()) lines.refuse("no more scores than letters", line);
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
