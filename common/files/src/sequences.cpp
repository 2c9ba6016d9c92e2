#include "gridloom/files/sequences.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "gridloom/error.hpp"
#include "gridloom/files/text_lines.hpp"

namespace gridloom {
namespace {

// The lower triangle of the matrix, row by row.
// clang-format off
constexpr std::int8_t blosum62_triangle[] = {
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
static_assert(std::size(blosum62_triangle) ==
              blosum62_letters.size() * (blosum62_letters.size() + 1) / 2);

// Reads all sequences if `only` is 0, otherwise the sequence with this number.
std::vector<sequence> read(std::filesystem::path const& path, fasta_alphabet const& by,
                           std::int64_t only) {
  text_lines lines(path);
  std::vector<sequence> found;
  std::uint64_t header_line = 0;
  auto const require_letters = [&] {
    if (!found.empty() && found.back().empty())
      throw usage_error(path.string() + ":" + std::to_string(header_line) +
                        ": expected letters behind this header, got none");
  };
  std::int64_t seen = 0;
  for (std::string_view line; lines.next(line);) {
    if (line.starts_with('>')) {
      if (only != 0 && seen == only) break;
      require_letters();
      header_line = lines.number();
      if (++seen == only || only == 0) found.emplace_back();
      continue;
    }
    for (char const& letter : line) {
      if (is_blank(letter)) continue;
      if (seen == 0) lines.refuse("a header that begins with >", line);
      if (found.empty()) break;
      int const number = by.number_of(letter);
      if (number < 0) lines.refuse("letters of " + by.letters, {&letter, 1});
      found.back().push_back(static_cast<std::uint8_t>(number));
    }
  }
  require_letters();
  if (seen < std::max<std::int64_t>(only, 1))
    lines.refuse_file("expected at least " + std::to_string(std::max<std::int64_t>(only, 1)) +
                      " sequences, got " + std::to_string(seen));
  return found;
}

}  // namespace

std::vector<sequence> read_fasta(std::filesystem::path const& path, fasta_alphabet const& by) {
  return read(path, by, 0);
}

sequence read_fasta(std::filesystem::path const& path, fasta_alphabet const& by,
                    std::int64_t number) {
  return std::move(read(path, by, number).front());
}

int blosum62(std::size_t a, std::size_t b) {
  if (a < b) std::swap(a, b);
  return blosum62_triangle[a * (a + 1) / 2 + b];
}

}  // namespace gridloom
