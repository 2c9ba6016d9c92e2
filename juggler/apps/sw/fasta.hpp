#pragma once
// Sequences from FASTA files, and random ones.

#include <cstdint>
#include <string>

#include "apps/sw/scoring.hpp"
#include "gridloom/files/sequences.hpp"

namespace gridloom::juggler::sw {

using gridloom::sequence;

/// Reads sequence `number` of a FASTA file, from 1 on, in letters of the scoring. Throws
/// usage_error, as gridloom::read_fasta does.
[[nodiscard]] sequence read_fasta(std::string const& file, std::int64_t number, scoring const& by);

/// Draws letters uniformly: A, C, G and T, or the first twenty letters of a protein matrix.
[[nodiscard]] sequence make_sequence(std::int64_t length, std::uint64_t seed, scoring const& by);

}  // namespace gridloom::juggler::sw
