#include "sequences.hpp"

#include <cctype>
#include <span>
#include <sstream>
#include <string_view>

#include "gridloom/error.hpp"
#include "gridloom/files/input_file.hpp"
#include "gridloom/parse.hpp"
#include "gridloom/printable.hpp"
#include "gridloom/random.hpp"

namespace gridloom::wavefront::sw {
namespace {

constexpr std::string_view letters = "ARNDCQEGHILKMFPSTWYVBZX*";

// The lower triangle by rows, in the order of the letters.
constexpr std::int8_t triangle[] = {
    4,                                                                                      // A
    -1, 5,                                                                                  // R
    -2, 0,  6,                                                                              // N
    -2, -2, 1,  6,                                                                          // D
    0,  -3, -3, -3, 9,                                                                      // C
    -1, 1,  0,  0,  -3, 5,                                                                  // Q
    -1, 0,  0,  2,  -4, 2,  5,                                                              // E
    0,  -2, 0,  -1, -3, -2, -2, 6,                                                          // G
    -2, 0,  1,  -1, -3, 0,  0,  -2, 8,                                                      // H
    -1, -3, -3, -3, -1, -3, -3, -4, -3, 4,                                                  // I
    -1, -2, -3, -4, -1, -2, -3, -4, -3, 2,  4,                                              // L
    -1, 2,  0,  -1, -3, 1,  1,  -2, -1, -3, -2, 5,                                          // K
    -1, -1, -2, -3, -1, 0,  -2, -3, -2, 1,  2,  -1, 5,                                      // M
    -2, -3, -3, -3, -2, -3, -3, -3, -1, 0,  0,  -3, 0,  6,                                  // F
    -1, -2, -2, -1, -3, -1, -1, -2, -2, -3, -3, -1, -2, -4, 7,                              // P
    1,  -1, 1,  0,  -1, 0,  0,  0,  -1, -2, -2, 0,  -1, -2, -1, 4,                          // S
    0,  -1, 0,  -1, -1, -1, -1, -2, -2, -1, -1, -1, -1, -2, -1, 1,  5,                      // T
    -3, -3, -4, -4, -2, -2, -3, -2, -2, -3, -2, -3, -1, 1,  -4, -3, -2, 11,                 // W
    -2, -2, -2, -3, -2, -1, -2, -3, 2,  -1, -1, -2, -1, 3,  -3, -2, -2, 2,  7,              // Y
    0,  -3, -3, -3, -1, -2, -2, -3, -3, 3,  1,  -2, 1,  -1, -2, -2, 0,  -3, -1, 4,          // V
    -2, -1, 3,  4,  -3, 0,  1,  -1, 0,  -3, -4, 0,  -3, -3, -2, 0,  -1, -4, -3, -3, 4,      // B
    -1, 0,  0,  1,  -3, 3,  4,  -2, 0,  -3, -3, 1,  -1, -3, -1, 0,  -1, -3, -2, -2, 1,  4,  // Z
    0,  -1, -1, -1, -2, -1, -1, -1, -1, -1, -1, -1, -1, -1, -2, 0,  0,  -2, -1, -1, -1, -1, -1, -4,
    -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, 1};

/// 255: none.
residue residue_of(char letter) {
  auto const upper = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  if (std::string_view("JOU").find(upper) != std::string_view::npos)
    return static_cast<residue>(letters.find('X'));
  auto const place = letters.find(upper);
  return place == std::string_view::npos ? residue{255} : static_cast<residue>(place);
}

}  // namespace

std::array<std::int8_t, alphabet * alphabet> const& blosum62() {
  static auto const table = [] {
    static_assert(std::size(triangle) == 24 * 25 / 2);
    std::array<std::int8_t, alphabet * alphabet> made{};
    made.fill(no_score);
    std::size_t k = 0;
    for (std::size_t a = 0; a < letters.size(); ++a) {
      for (std::size_t b = 0; b <= a; ++b, ++k)
        made[alphabet * a + b] = made[alphabet * b + a] = triangle[k];
    }
    return made;
  }();
  return table;
}

std::vector<residue> read_fasta(std::string const& file) {
  std::vector<std::byte> const bytes = read_file(file);
  std::istringstream input(std::string(reinterpret_cast<char const*>(bytes.data()), bytes.size()));
  std::vector<residue> joined;
  std::string line;
  std::size_t header = 0;
  std::size_t first = 0;  // residue of this sequence
  auto const place = [&](std::size_t number) { return file + ":" + std::to_string(number) + ": "; };
  auto const require_residues = [&] {
    if (header != 0 && joined.size() == first)
      throw usage_error(place(header) + "expected a sequence behind this line, got none");
  };
  for (std::size_t number = 1; std::getline(input, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    if (line.front() == '>') {
      require_residues();
      if (!joined.empty()) joined.push_back(separator);
      header = number;
      first = joined.size();
      continue;
    }
    if (header == 0)
      throw usage_error(place(number) + "expected a line that begins with >, got \"" +
                        printable(line.substr(0, 20)) + "\"");
    for (char const letter : line) {
      residue const one = residue_of(letter);
      if (one == 255)
        throw usage_error(place(number) + "expected a residue, got \"" +
                          printable(std::string(1, letter)) + "\"");
      joined.push_back(one);
    }
  }
  require_residues();
  if (joined.empty()) throw usage_error(file + ": expected a sequence, got none");
  return joined;
}

std::vector<residue> draw_residues(std::size_t length, std::uint64_t seed) {
  random_source random(seed);
  std::vector<residue> drawn(length);
  for (residue& one : drawn) one = static_cast<residue>(random.below(20));
  return drawn;
}

}  // namespace gridloom::wavefront::sw
