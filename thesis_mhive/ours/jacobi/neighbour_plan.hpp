#pragma once
// The plan of the versions `neighbours`: which rows each block keeps.
//
// A block owns consecutive rows, with about as many entries as any other. Two blocks are neighbours
// if one reads values of x that the other computes. Neighbours wait for each other, so two buffers
// of x are enough (see task_graph). A block first computes rows of more than 32 entries, which
// warps sum. Next come the rows that share values with other blocks. All others come last, and hide
// the latency of the exchange. Shorter rows are stored in slices of 32 (sliced ELL): entry k of all
// rows of a slice is contiguous, so a warp's accesses coalesce.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "thesis_mhive/apps/jacobi/problem.hpp"

namespace gridloom::mhive::jacobi {

/// Number of rows of a slice. A row of at most this many entries is summed by one thread
/// (row_sum.hpp).
inline constexpr std::uint32_t slice_rows = 32;
/// Column or row of a padding entry.
inline constexpr std::uint32_t no_index = ~0U;

/// One block's part. Other members count entries from the block's first one.
struct block_part {
  /// Index of the block's first entry in the whole plan.
  std::uint64_t first_entry;
  std::uint32_t first_row;
  std::uint32_t num_rows;
  std::uint32_t first_long;
  std::uint32_t num_long;
  /// Number of entries of long rows. They come before the entries of the slices.
  std::uint32_t long_entries;
  std::uint32_t num_entries;
  std::uint32_t first_slice;
  std::uint32_t num_slices;
  /// Number of slices of edge rows, which other blocks read or which read rows of other blocks.
  std::uint32_t edge_slices;
  std::uint32_t first_export;
  std::uint32_t first_halo;
  std::uint32_t num_halo;
  std::uint32_t first_neighbour;
  std::uint32_t num_neighbours;
  // The other members describe shared memory, and are set by `fit`.
  std::uint32_t cached_slices;
  /// Number of cached entries. They include all entries of long rows, or none.
  std::uint32_t cached_entries;
};

/// A row of more than 32 entries, or of more than a segment.
template <class Value>
struct long_row {
  std::uint32_t first_entry;
  std::uint32_t num_entries;
  std::uint32_t row;
  Value right_side;
  Value diagonal;
};

/// The parts of all blocks, one after the other. Rows and columns have the system's numbers. In a
/// local plan they have the block's numbers: first its own rows, then its halo. The halo is the
/// values that it reads from other blocks. An exported row has one slot, from which all other
/// blocks read it.
template <typename Value>
struct neighbour_plan {
  bool local = false;
  std::vector<block_part> parts;
  std::vector<Value> values;
  std::vector<std::uint32_t> columns;
  /// Array of num_slices + 1 words per block: where the entries of each slice begin.
  std::vector<std::uint32_t> slice_offsets;
  /// Array of 32 rows per slice.
  std::vector<std::uint32_t> rows;
  /// Array of 32 values per slice.
  std::vector<Value> right_side;
  std::vector<long_row<Value>> long_rows;
  /// Slots of the exported rows that the block reads.
  std::vector<std::uint32_t> halo;
  std::vector<std::uint32_t> neighbours;
  std::uint32_t num_exports = 0;
};

/// Makes a plan for `blocks` blocks, at most one per row. The plan is local if, in every block, two
/// copies of its x and its halo take at most `local_bytes`. With 0 it never is. Rows longer than
/// `segment` are summed in segments of that length. Throws std::invalid_argument for zero blocks.
/// Cost: linear in the entries, and sorting.
template <typename Value>
[[nodiscard]] neighbour_plan<Value> make_neighbour_plan(system<Value> const& of, int blocks,
                                                        std::uint32_t segment,
                                                        std::size_t local_bytes);

/// Returns the bytes of shared memory that a block's x and halo take in a local plan.
template <typename Value>
[[nodiscard]] std::size_t local_bytes_of(block_part const& part);

/// Decides how much of each block's part, from its beginning, is kept in `bytes` of shared memory.
/// `index_bytes` is the size of the number of a row or column.
template <typename Value>
void fit(neighbour_plan<Value>& plan, std::size_t bytes, std::size_t index_bytes);

}  // namespace gridloom::mhive::jacobi
