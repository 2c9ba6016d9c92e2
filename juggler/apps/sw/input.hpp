#pragma once
// The sequences to be aligned, and their scoring.

#include "apps/sw/fasta.hpp"

namespace gridloom::juggler::sw {

struct input {
  /// The sequence along the rows.
  sequence x;
  /// The sequence along the columns.
  sequence y;
  scoring by;
};

[[nodiscard]] inline input make_input(std::int64_t length, std::uint64_t seed, scoring const& by) {
  return {make_sequence(length, seed, by), make_sequence(length, seed + 1, by), by};
}

}  // namespace gridloom::juggler::sw
