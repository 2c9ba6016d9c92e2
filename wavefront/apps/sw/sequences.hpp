#pragma once
// Sequences of residues for local alignment by Smith and Waterman: from FASTA files or drawn, joined
// to one text each, so that one lattice of cells holds every pair.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace gridloom::wavefront::sw {

using residue = std::uint8_t;

/// Between two sequences: no alignment goes across it.
inline constexpr residue separator = 24;
/// A power of two above all residues.
inline constexpr std::uint32_t alphabet = 32;
/// What BLOSUM62 gives a separator.
inline constexpr std::int8_t no_score = -128;

struct gap_costs {
  /// The first residue of a gap costs both, each further one the second.
  std::int32_t open = 11;
  std::int32_t extend = 1;
};

/// scores[alphabet * a + b] of BLOSUM62; `no_score` where one is no residue.
[[nodiscard]] std::array<std::int8_t, alphabet * alphabet> const& blosum62();

/// All sequences of a file, a separator between each two. Letters of residues that the table does not
/// have (J, O, U) are X. Throws usage_error "FILE:LINE: expected ..., got ..." for a line before the
/// first `>`, what is no residue, and a sequence or a file without any.
[[nodiscard]] std::vector<residue> read_fasta(std::string const& file);

/// Drawn from the twenty amino acids, all alike.
[[nodiscard]] std::vector<residue> draw_residues(std::size_t length, std::uint64_t seed);

}  // namespace gridloom::wavefront::sw
