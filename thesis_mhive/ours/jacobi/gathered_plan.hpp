#pragma once
// The plan of the version `gathered`: which entries each block and thread keeps.
//
// Rows are distributed and ordered as in neighbour_plan.hpp. The entries of a block are sorted by
// column and shared among its threads, so that neighbouring threads read neighbouring values of x.
// Each product has a place in shared memory, from which its row is summed. A row of more than 32
// entries has consecutive places; the entries of 32 shorter rows are interleaved. A part whose
// products do not fit is computed in chunks.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "neighbour_plan.hpp"

namespace gridloom::mhive::jacobi {

/// Rows of a block whose products are in shared memory at the same time.
struct gathered_chunk {
  std::uint64_t first_entry;
  std::uint32_t num_entries;
  /// Index in gathered_plan::rows.
  std::uint32_t first_row;
  /// Number of rows that warps sum. They come before the rows that threads sum.
  std::uint32_t num_long;
  /// Number of rows that threads sum, padded to a multiple of 32.
  std::uint32_t num_short;
};

/// The chunks of one block. Every block has at least one.
struct gathered_part {
  /// The block's first row in the system.
  std::uint32_t first_row;
  std::uint32_t first_chunk;
  std::uint32_t num_chunks;
  std::uint32_t first_giant;
  std::uint32_t num_giants;
};

template <class Value>
struct gathered_row {
  /// Row of the system, or no_index for padding.
  std::uint32_t row;
  std::uint32_t length;
  /// Place of the first product. The products of a short row are 32 places apart.
  std::uint32_t first;
  Value right_side;
  Value diagonal;
};

/// A row that has more entries than a chunk has places. Its warp reads x without shared memory.
template <class Value>
struct giant_row {
  /// Index of its first entry. Entries are in the order of the row.
  std::uint64_t first_entry;
  gathered_row<Value> of;
};

/// The parts of all blocks, one after the other. Columns have the system's numbers.
template <typename Value>
struct gathered_plan {
  std::vector<gathered_part> parts;
  std::vector<gathered_chunk> chunks;
  std::vector<gathered_row<Value>> rows;
  std::vector<giant_row<Value>> giants;
  // One element per entry, chunk by chunk, with giants last. Blocks must read each other. If block
  // A reads from B but B does not read from A, the first chunk of B gets an extra entry with
  // no_place.
  std::vector<Value> values;
  std::vector<std::uint32_t> columns;
  /// Places of all entries except those of giants.
  std::vector<std::uint16_t> places;
};

/// Place of an entry whose product is not used.
inline constexpr std::uint16_t no_place = 0xFFFF;
/// Largest number of places of a chunk.
inline constexpr std::uint32_t most_places = no_place;

/// Makes a plan for `blocks` blocks, at most one per row, with `places` products per chunk.
/// `segment` is as in make_neighbour_plan. Throws std::invalid_argument for zero blocks, and unless
/// `places` is between 32², where 32 short rows fit, and most_places. Cost: sorting the entries.
template <typename Value>
[[nodiscard]] gathered_plan<Value> make_gathered_plan(system<Value> const& of, int blocks,
                                                      std::uint32_t segment, std::uint32_t places);

}  // namespace gridloom::mhive::jacobi
