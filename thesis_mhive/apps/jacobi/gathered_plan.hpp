#pragma once
// How the version `gathered` shares a system among blocks that keep their rows for good.
//
// Rows are shared and ordered as in neighbour_plan.hpp. A block's threads share its entries by
// themselves: sorted by columns, whatever their rows, so that threads side by side read x side by
// side. Each product has a place in shared memory, where its row's sum finds it: those of a row of
// more than 32 entries one after the other, those of 32 shorter rows side by side, first ones
// first. A part whose products do not fit is worked off by chunks.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "neighbour_plan.hpp"

namespace gridloom::mhive::jacobi {

/// Rows whose products are in shared memory at a time.
struct gathered_chunk {
  std::uint64_t first_entry;
  std::uint32_t num_entries;
  /// Of gathered_plan::rows.
  std::uint32_t first_row;
  /// That warps add up; before those that threads do.
  std::uint32_t num_long;
  /// Up to 31 that there are not, to fill up 32.
  std::uint32_t num_short;
};

/// One block's chunks. Every block has one at least.
struct gathered_part {
  /// Of the system; one of the block's rows.
  std::uint32_t first_row;
  std::uint32_t first_chunk;
  std::uint32_t num_chunks;
  std::uint32_t first_giant;
  std::uint32_t num_giants;
};

/// A row of a chunk.
template <class Value>
struct gathered_row {
  /// Of the system; no_index: none.
  std::uint32_t row;
  /// Entries.
  std::uint32_t length;
  /// Place of its first product; of a short row's the next is 32 further on.
  std::uint32_t first;
  Value right_side;
  Value diagonal;
};

/// A row of more entries than there are places: its warp reads x itself.
template <class Value>
struct giant_row {
  /// In the row's order.
  std::uint64_t first_entry;
  gathered_row<Value> of;
};

/// The parts of all blocks, one after the other. Columns are the system's.
template <typename Value>
struct gathered_plan {
  std::vector<gathered_part> parts;
  std::vector<gathered_chunk> chunks;
  std::vector<gathered_row<Value>> rows;
  std::vector<giant_row<Value>> giants;
  // By entries, chunk by chunk; giants' behind. A block that another one reads of and that reads
  // nothing of it has an entry for that in its first chunk, with the place no_place.
  std::vector<Value> values;
  std::vector<std::uint32_t> columns;
  /// Giants have none.
  std::vector<std::uint16_t> places;
};

/// Of an entry whose product nobody needs.
inline constexpr std::uint16_t no_place = 0xFFFF;
/// Places that a chunk may have.
inline constexpr std::uint32_t most_places = no_place;

/// Plans for `blocks` blocks, or as many as there are rows, with `places` products a chunk.
/// `segment` as in make_neighbour_plan. Throws std::invalid_argument for no blocks and unless
/// `places` is from 32², where 32 short rows fit, to most_places. Cost: sorting the entries.
template <typename Value>
[[nodiscard]] gathered_plan<Value> make_gathered_plan(system<Value> const& of, int blocks,
                                                      std::uint32_t segment, std::uint32_t places);

}  // namespace gridloom::mhive::jacobi
