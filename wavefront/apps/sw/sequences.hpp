#pragma once
// Sequences of residues for local alignment by Smith and Waterman, from FASTA files or drawn at
// random. All sequences of one side are joined to one text. So one lattice of cells holds every
// pair of sequences.

#include <array>
#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/files/sequences.hpp"
#include "gridloom/random.hpp"

namespace gridloom::wavefront::sw {

namespace detail {

// BLOSUM62 has no scores for J, O and U.
inline int residue_of(char letter) {
  auto upper = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  if (std::string_view("JOU").find(upper) != std::string_view::npos) upper = 'X';
  auto const place = blosum62_letters.find(upper);
  return place == std::string_view::npos ? -1 : static_cast<int>(place);
}

}  // namespace detail

using residue = std::uint8_t;

/// Stands between two sequences of a text. No alignment crosses it.
inline constexpr residue separator = 24;
/// Number of codes: a power of two above all residues.
inline constexpr std::uint32_t alphabet = 32;
/// Score of a separator with any residue.
inline constexpr std::int8_t no_score = -128;

struct gap_costs {
  /// The first residue of a gap costs open + extend, and each further residue costs extend.
  std::int32_t open = 11;
  std::int32_t extend = 1;
};

/// Score of residues a and b at [alphabet * a + b], by BLOSUM62; `no_score` if either is none.
[[nodiscard]] inline std::array<std::int8_t, alphabet * alphabet> const& blosum62() {
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

/// All sequences of a FASTA file with separators between them. The residues J, O and U, which
/// BLOSUM62 does not have, become X. Throws usage_error as gridloom::read_fasta does.
[[nodiscard]] inline std::vector<residue> read_fasta(std::string const& file) {
  std::vector<residue> joined;
  for (sequence const& each :
       gridloom::read_fasta(file, {std::string(blosum62_letters) + "JOU", detail::residue_of})) {
    if (!joined.empty()) joined.push_back(separator);
    joined.insert(joined.end(), each.begin(), each.end());
  }
  return joined;
}

/// Residues drawn uniformly from the twenty amino acids.
[[nodiscard]] inline std::vector<residue> draw_residues(std::size_t length, std::uint64_t seed) {
  random_source random(seed);
  std::vector<residue> drawn(length);
  for (residue& one : drawn) one = static_cast<residue>(random.below(20));
  return drawn;
}

}  // namespace gridloom::wavefront::sw
