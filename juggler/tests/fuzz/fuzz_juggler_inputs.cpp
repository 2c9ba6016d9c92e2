// Fuzzes the readers of the applications' input files. The first option chooses the reader: '0'
// FASTA, '4' series, '8' a matrix of scores, '<' PGM.

#include <algorithm>
#include <cmath>

#include "apps/dtw/series.hpp"
#include "apps/grid/image.hpp"
#include "apps/sw/input.hpp"
#include "apps/sw/scoring.hpp"
#include "fuzz_target.hpp"
#include "gridloom/error.hpp"
#include "memory_file.hpp"

namespace gridloom::fuzz {
namespace {

using namespace juggler;

void require(bool kept, char const* broken) {
  if (!kept) throw broken_promise(broken);
}

void read_sequence(std::string const& file, std::int64_t number) {
  static sw::scoring const by = sw::nucleotides(2, -3, 5, 2);
  sw::sequence const read = sw::read_fasta(file, number, by);
  require(!read.empty(), "a sequence without letters");
  require(std::all_of(read.begin(), read.end(), [](int letter) { return letter < 5; }),
          "a letter that the scoring does not have");
}

void read_numbers(std::string const& file, std::int64_t number) {
  std::vector<double> const read = dtw::read_series(file, number);
  require(!read.empty(), "a series without numbers");
  require(std::all_of(read.begin(), read.end(), [](double value) { return std::isfinite(value); }),
          "a number that is not finite");
}

void read_scores(std::string const& file) {
  sw::scoring const read = sw::substitution_matrix(file, 11, 1);
  auto const letters = static_cast<int>(read.letters.size());
  require(letters > 0 && letters <= sw::most_letters, "no letters or too many");
  for (int a = 0; a < letters; ++a) {
    require(read.number_of(read.letters[static_cast<std::size_t>(a)]) == a, "a letter twice");
  }
  require(*std::min_element(read.scores.begin(), read.scores.end()) >= -127, "a score below -127");
}

void read_image(std::string const& file) {
  grey_image const read = read_pgm(file);
  require(read.rows > 0 && read.cols > 0, "an image without pixels");
  require(static_cast<std::int64_t>(read.pixels.size()) == read.rows * read.cols,
          "other pixels than rows times columns");
}

/// Returns whether the file is accepted. Requires that the message of a refusal begins with the
/// file's name and has no control characters.
template <class Read>
outcome outcome_of(std::string const& file, Read const& read) {
  try {
    read();
    return outcome::read;
  } catch (usage_error const& error) {
    std::string const message = error.what();
    require(message.starts_with(file + ":"), "refused without naming the file");
    require(std::all_of(message.begin(), message.end(),
                        [](unsigned char c) { return c >= ' ' && c != 0x7f; }),
            "refused by characters that a terminal would obey");
    return outcome::refused;
  }
}

}  // namespace

outcome fuzz_one(std::span<std::uint8_t const> input) {
  if (input.empty()) return outcome::refused;
  static memory_file const memory;
  memory.hold({reinterpret_cast<char const*>(input.data() + 1), input.size() - 1});
  std::string const file = memory.name();
  choices const of = choices_of(input);
  if (of.second) return outcome_of(file, [&] { of.first ? read_image(file) : read_scores(file); });
  auto const read = [&](std::int64_t number) {
    return outcome_of(file,
                      [&] { of.first ? read_numbers(file, number) : read_sequence(file, number); });
  };
  // Reads the second sequence as well, but returns the outcome of the first.
  (void)read(2);
  return read(1);
}

}  // namespace gridloom::fuzz
