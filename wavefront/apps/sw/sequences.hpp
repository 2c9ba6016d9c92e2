#pragma once
// Sequences of residues for local alignment by Smith and Waterman, from FASTA files or drawn at
// random. All sequences of one side are joined to one text. So one lattice of cells holds every
// pair of sequences.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace gridloom::wavefront::sw {

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
[[nodiscard]] std::array<std::int8_t, alphabet * alphabet> const& blosum62();

/// All sequences of a FASTA file with separators between them. The residues J, O and U, which
/// BLOSUM62 does not have, become X. Throws usage_error as gridloom::read_fasta does.
[[nodiscard]] std::vector<residue> read_fasta(std::string const& file);

/// Residues drawn uniformly from the twenty amino acids.
[[nodiscard]] std::vector<residue> draw_residues(std::size_t length, std::uint64_t seed);

}  // namespace gridloom::wavefront::sw
