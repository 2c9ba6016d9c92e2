#pragma once
// How the versions `neighbours` share a system among blocks that keep their rows for good.
//
// A block owns consecutive rows, about as many entries as any other. Two blocks are neighbours when
// one reads values of x that the other gives: both wait for each other, so two buffers of x are
// enough (see task_graph). Within a block come first the rows of more than 32 entries, which warps
// add up; then the rows that have to do with other blocks, and then the others, which are computed
// while the first ones' values travel. Shorter rows stand in slices of 32 (sliced ELL): entry k of
// a slice's rows side by side, so that a warp's accesses are.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "problem.hpp"

namespace gridloom::mhive::jacobi {

/// Rows of a slice: as many as rows are added up serially by, see row_sum.hpp.
inline constexpr std::uint32_t slice_rows = 32;
/// A column or row that there is not: an entry that fills up a slice.
inline constexpr std::uint32_t no_index = ~0U;

/// One block's part. Numbers of entries count from the block's first.
struct block_part {
  /// Of the whole plan's.
  std::uint64_t first_entry;
  std::uint32_t first_row;
  std::uint32_t num_rows;
  std::uint32_t first_long;
  std::uint32_t num_long;
  /// Before those of the slices.
  std::uint32_t long_entries;
  std::uint32_t num_entries;
  std::uint32_t first_slice;
  std::uint32_t num_slices;
  /// Of rows that other blocks read or that read other blocks' rows.
  std::uint32_t edge_slices;
  std::uint32_t first_export;
  std::uint32_t first_halo;
  std::uint32_t num_halo;
  std::uint32_t first_neighbour;
  std::uint32_t num_neighbours;
  // What stands in shared memory; set by `fit`.
  std::uint32_t cached_slices;
  /// Long rows' included, all or none of them.
  std::uint32_t cached_entries;
};

/// A row of more than 32 entries or more than a segment.
template <class Value>
struct long_row {
  std::uint32_t first_entry;
  std::uint32_t num_entries;
  std::uint32_t row;
  Value right_side;
  Value diagonal;
};

/// The parts of all blocks, one after the other. Rows and columns are numbers of the system, or in
/// a local plan of the block: its own rows from 0, then its halo, the values that it reads of
/// others. A row that is exported has a slot that all its readers look at.
template <typename Value>
struct neighbour_plan {
  bool local = false;
  std::vector<block_part> parts;
  std::vector<Value> values;
  std::vector<std::uint32_t> columns;
  /// num_slices + 1 a block: first entries.
  std::vector<std::uint32_t> slice_offsets;
  /// 32 a slice.
  std::vector<std::uint32_t> rows;
  /// 32 a slice.
  std::vector<Value> right_side;
  std::vector<long_row<Value>> long_rows;
  /// Slots.
  std::vector<std::uint32_t> halo;
  std::vector<std::uint32_t> neighbours;
  std::uint32_t num_exports = 0;
};

/// Plans for `blocks` blocks, or as many as there are rows. The plan is local if every block's x,
/// two of its own and its halo's, takes at most `local_bytes`; 0: it is not. `segment`: rows longer
/// than it are summed by segments of that length. Throws std::invalid_argument for no blocks. Cost:
/// linear in entries, and sorting.
template <typename Value>
[[nodiscard]] neighbour_plan<Value> make_neighbour_plan(system<Value> const& of, int blocks,
                                                        std::uint32_t segment,
                                                        std::size_t local_bytes);

/// Bytes of shared memory that a block's x and halo take in a local plan.
template <typename Value>
[[nodiscard]] std::size_t local_bytes_of(block_part const& part);

/// Fills `bytes` of each block's shared memory with as much of its part as fits, from its
/// beginning; `index_bytes`: of a row's or column's number.
template <typename Value>
void fit(neighbour_plan<Value>& plan, std::size_t bytes, std::size_t index_bytes);

}  // namespace gridloom::mhive::jacobi
