#include "apps/sw/fasta.hpp"

#include <algorithm>

#include "apps/strips/text_lines.hpp"
#include "gridloom/random.hpp"

namespace gridloom::juggler::sw {

namespace {

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t") == line.npos; }

void append(text_lines const& lines, std::string_view line, scoring const& by, sequence& to) {
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
  for (char const& letter : line) {
    int const number = by.number_of(letter);
    if (number < 0) lines.refuse("letters of " + by.letters, {&letter, 1});
    to.push_back(static_cast<std::uint8_t>(number));
  }
}

}  // namespace

sequence read_fasta(std::string const& file, std::int64_t number, scoring const& by) {
  text_lines lines(file);
  sequence found;
  std::int64_t seen = 0;
  for (std::string_view line; seen <= number && lines.next(line);) {
    if (!line.empty() && line.front() == '>') {
      ++seen;
    } else if (!is_blank(line)) {
      if (seen == 0) lines.refuse("a header that begins with >", line);
      if (seen == number) append(lines, line, by, found);
    }
  }
  if (seen < number)
    lines.refuse_file("expected at least " + std::to_string(number) + " sequences, got " +
                      std::to_string(seen));
  if (found.empty())
    lines.refuse_file("expected letters in sequence " + std::to_string(number) + ", got none");
  return found;
}

sequence make_sequence(std::int64_t length, std::uint64_t seed, scoring const& by) {
  random_source random(seed);
  // The letter behind A, C, G and T matches nothing.
  std::size_t const usual =
      by.letters.size() == 5 ? 4 : std::min<std::size_t>(by.letters.size(), 20);
  sequence made(static_cast<std::size_t>(length));
  for (std::uint8_t& letter : made) letter = static_cast<std::uint8_t>(random.below(usual));
  return made;
}

}  // namespace gridloom::juggler::sw
