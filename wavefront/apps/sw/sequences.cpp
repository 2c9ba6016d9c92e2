#include "sequences.hpp"

#include <cctype>
#include <string_view>

#include "gridloom/files/sequences.hpp"
#include "gridloom/random.hpp"

namespace gridloom::wavefront::sw {
namespace {

// BLOSUM62 has no scores for J, O and U.
int residue_of(char letter) {
  auto upper = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  if (std::string_view("JOU").find(upper) != std::string_view::npos) upper = 'X';
  auto const place = blosum62_letters.find(upper);
  return place == std::string_view::npos ? -1 : static_cast<int>(place);
}

}  // namespace

std::array<std::int8_t, alphabet * alphabet> const& blosum62() {
  static auto const table = [] {
    std::array<std::int8_t, alphabet * alphabet> made{};
    made.fill(no_score);
    for (std::size_t a = 0; a < blosum62_letters.size(); ++a) {
      for (std::size_t b = 0; b < blosum62_letters.size(); ++b)
        made[alphabet * a + b] = static_cast<std::int8_t>(gridloom::blosum62(a, b));
    }
    return made;
  }();
  return table;
}

std::vector<residue> read_fasta(std::string const& file) {
  std::vector<residue> joined;
  for (sequence const& each :
       gridloom::read_fasta(file, {std::string(blosum62_letters) + "JOU", residue_of})) {
    if (!joined.empty()) joined.push_back(separator);
    joined.insert(joined.end(), each.begin(), each.end());
  }
  return joined;
}

std::vector<residue> draw_residues(std::size_t length, std::uint64_t seed) {
  random_source random(seed);
  std::vector<residue> drawn(length);
  for (residue& one : drawn) one = static_cast<residue>(random.below(20));
  return drawn;
}

}  // namespace gridloom::wavefront::sw
