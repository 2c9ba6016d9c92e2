#pragma once
// The sequences to be aligned, from FASTA files or random, and their scoring.

#include <algorithm>
#include <cstdint>
#include <string>

#include "apps/sw/scoring.hpp"
#include "gridloom/files/sequences.hpp"
#include "gridloom/random.hpp"

namespace gridloom::juggler::sw {

using gridloom::sequence;

struct input {
  /// The sequence along the rows.
  sequence x;
  /// The sequence along the columns.
  sequence y;
  scoring by;
};

/// Reads sequence `number` of a FASTA file, from 1 on, in letters of the scoring. Throws
/// usage_error, as gridloom::read_fasta does.
[[nodiscard]] inline sequence read_fasta(std::string const& file, std::int64_t number,
                                         scoring const& by) {
  return gridloom::read_fasta(file, {by.letters, [&](char letter) { return by.number_of(letter); }},
                              number);
}

/// Draws letters uniformly: A, C, G and T, or the first twenty letters of a protein matrix.
[[nodiscard]] inline sequence make_sequence(std::int64_t length, std::uint64_t seed,
                                            scoring const& by) {
  random_source random(seed);
  // The letter after A, C, G and T matches nothing, so it is not drawn.
  std::size_t const usual =
      by.letters.size() == 5 ? 4 : std::min<std::size_t>(by.letters.size(), 20);
  sequence made(static_cast<std::size_t>(length));
  for (std::uint8_t& letter : made) letter = static_cast<std::uint8_t>(random.below(usual));
  return made;
}

[[nodiscard]] inline input make_input(std::int64_t length, std::uint64_t seed, scoring const& by) {
  return {make_sequence(length, seed, by), make_sequence(length, seed + 1, by), by};
}

}  // namespace gridloom::juggler::sw
