#pragma once
// How many rows a small text may ask for. CSR takes a word for every row, filled or not, so a
// number in a file of a few bytes (an edge "0 2000000000", a header that claims as many rows) could
// take 16 GB. Such a file is nearly always a mistake, a wrong column or a damaged number, and is
// refused: memory must follow the text that is there.
//
// The rule: up to 2^24 rows (128 MiB of offsets) are always taken; above that there must be at
// least an entry for every 64 rows. Graphs and matrices from applications have more than one entry
// a row; a text that holds one row in 64 can be renumbered.

#include <algorithm>
#include <cstdint>
#include <limits>

namespace gridloom::sparse {

inline constexpr std::uint64_t always_plausible_rows = std::uint64_t{1} << 24U;
inline constexpr std::uint64_t plausible_rows_per_entry = 64;

/// The most rows (or columns) for so many entries that were really read.
[[nodiscard]] constexpr std::uint64_t most_plausible_rows(std::uint64_t entries) {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  if (entries > most / plausible_rows_per_entry) return most;
  return std::max(always_plausible_rows, entries * plausible_rows_per_entry);
}

}  // namespace gridloom::sparse
