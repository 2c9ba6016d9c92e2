#pragma once
// The integral histogram as an application of Juggler (Porikli 2005). H(b, r, c) counts the pixels
// of bin b above and to the left of (r, c), inclusive. With it, any rectangle's histogram takes
// four look-ups per bin. A task computes one tile for all bins. Its input is the tile's pixels, the
// last row of the tile above, and the row counts of the tile to its left. It waits for these two
// tiles, as in the tiled wavefront of Poostchi et al. Each pixel is read once and each count is
// written once.

#include <cstdint>

#include "apps/grid/tiling.hpp"
#include "apps/int_hist/bits.hpp"
#include "juggler/ours/prefetch.hpp"
#include "juggler/task.hpp"

namespace gridloom::juggler::int_hist {

/// Rows and columns of a part of a tile. A larger tile has whole parts.
inline constexpr int largest_part = 128;
inline constexpr int most_bins = 256;
inline constexpr int most_threads = 256;

struct app {
  using task_data = tile_place;
  static constexpr int most_words = 2048;
  struct scratch {
    /// The bin of each pixel of a small tile.
    std::uint8_t bin_of[word_columns * word_columns];
    /// For a larger tile: bits of some bins, counts to the left of each row and above each column.
    alignas(16) std::uint32_t bits[most_words];
    alignas(16) std::uint32_t left[most_words];
    alignas(16) std::uint32_t above[most_words];
  };
  static constexpr int max_threads = most_threads;
  /// This leaves 64 of 65,536 registers per thread. While one block waits, others write counts.
  static constexpr int min_blocks = 4;

  std::uint8_t const* pixels;
  /// The counts, tile after tile; within a tile, bin after bin.
  std::uint32_t* counts;
  /// One count per tile, bin and row, in this order: from the image's left edge to the tile's right
  /// edge.
  std::uint32_t* row_counts;
  tiling cut;
  int bins;

  GRIDLOOM_FN void prefetch(std::uint32_t, task_data const& of) const {
    prefetch_to_l2(pixels + cut.begin(of.i, of.j), cut.tile_cells());
  }

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, std::uint32_t, task_data const& of,
                              scratch& shared) const {
    int const lanes = block.num_threads() < 32 ? block.num_threads() : 32;
    bin_lane const mine(cut.tile, lanes, block.thread_rank() % lanes);
    if (cut.tile < word_columns && cut.tile <= lanes && mine.groups != 0) {
      count_small(block, of, lanes, mine, shared);
    } else if (cut.tile % 4 == 0) {
      count_large<4>(block, of, shared);
    } else {
      count_large<1>(block, of, shared);
    }
  }

  /// The index in `counts` of the first count of bin `bin` in tile (i, j).
  [[nodiscard]] GRIDLOOM_FN std::int64_t begin(std::int64_t i, std::int64_t j, int bin) const {
    return (cut.number(i, j) * bins + bin) * cut.tile_cells();
  }
  /// The index in `row_counts` of the first count of bin `bin` in tile (i, j).
  [[nodiscard]] GRIDLOOM_FN std::int64_t begin_of_rows(std::int64_t i, std::int64_t j,
                                                       int bin) const {
    return (cut.number(i, j) * bins + bin) * cut.tile;
  }

 private:
  /// A lane's part if a warp handles several bins of a small tile. Each bin has a group of lanes,
  /// one lane per column. The size of a group is a power of two. If a warp has fewer lanes, there
  /// is no group.
  struct bin_lane {
    int groups;
    int group;
    /// The lane's column, in the tile or beyond it. The lane also handles the row of this number.
    int col;
    int first_lane;
    /// Bit masks: the group's lanes up to this one, and all lanes of the group.
    std::uint32_t up_to;
    std::uint32_t all;

    GRIDLOOM_FN bin_lane(int tile, int lanes, int lane) {
      int width = 1;
      while (width < tile && width < lanes) width *= 2;
      groups = lanes / width;
      group = lane / width;
      col = lane % width;
      first_lane = group * width;
      up_to = (lanes_below(lane) | 1U << lane) & ~lanes_below(first_lane);
      int const last = first_lane + width - 1;
      all = (lanes_below(last) | 1U << last) & ~lanes_below(first_lane);
    }
  };
  /// Counts of the tile above for the lane's column, and of the tile to the left for its row.
  struct borders {
    std::uint32_t above;
    std::uint32_t left;
  };
  GRIDLOOM_FN borders borders_of(tile_place of, int bin, bin_lane const& mine) const {
    int const tile = cut.tile;
    borders found{0, 0};
    if (mine.col >= tile || mine.group >= mine.groups || bin >= bins) return found;
    if (of.i > 0) found.above = counts[begin(of.i - 1, of.j, bin) + (tile - 1) * tile + mine.col];
    if (of.j > 0) found.left = row_counts[begin_of_rows(of.i, of.j - 1, bin) + mine.col];
    return found;
  }

  /// Warps handle bins and lanes handle columns; lanes without a column of the tile handle further
  /// bins. One ballot tells each lane which pixels to its left are in the bin.
  template <thread_group Block>
  GRIDLOOM_FN void count_small(Block const& block, tile_place of, int lanes, bin_lane const& mine,
                               scratch& shared) const {
    int const threads = block.num_threads();
    int const warps = threads / lanes;
    int const own_warp = block.thread_rank() / lanes;
    int const cells = cut.tile * cut.tile;
    // Reads borders before pixels, so the accesses overlap.
    borders next{};
    if (own_warp < warps) next = borders_of(of, own_warp * mine.groups + mine.group, mine);
    std::uint8_t const* const from = pixels + cut.begin(of.i, of.j);
    for (int k = block.thread_rank(); k < cells; k += threads)
      shared.bin_of[k] = static_cast<std::uint8_t>(from[k] * bins >> 8);
    block.sync();
    // Threads of a partial last warp have no bins.
    if (own_warp >= warps) return;
    int const stride = warps * mine.groups;
    for (int first = own_warp * mine.groups; first < bins; first += stride) {
      borders const from_outside = next;
      next = borders_of(of, first + stride + mine.group, mine);
      count_bins(block.warp(), of, first + mine.group, mine, from_outside, shared.bin_of);
    }
  }
  /// Counts one bin per group of lanes. A group must have at least as many lanes as the tile
  /// columns.
  template <warp_group Warp>
  GRIDLOOM_FN void count_bins(Warp const& warp, tile_place of, int bin, bin_lane const& mine,
                              borders const& from_outside, std::uint8_t const* bin_of) const {
    int const tile = cut.tile;
    bool const has = mine.col < tile && mine.group < mine.groups && bin < bins;
    std::uint32_t* const to = counts + begin(of.i, of.j, bin) + mine.col;
    std::uint32_t count = from_outside.above;
    std::uint32_t row_sum = from_outside.left;
    for (int r = 0; r < tile; ++r) {
      std::uint32_t const here = warp.ballot(has && bin_of[r * tile + mine.col] == bin);
      count += warp.shuffle(from_outside.left, mine.first_lane + r) +
               static_cast<std::uint32_t>(count_lanes(here & mine.up_to));
      if (r == mine.col) row_sum += static_cast<std::uint32_t>(count_lanes(here & mine.all));
      if (has) to[r * tile] = count;
    }
    if (has) row_counts[begin_of_rows(of.i, of.j, bin) + mine.col] = row_sum;
  }

  /// Where the counts of the tile and of its neighbours begin; null if there is no neighbour.
  struct sides {
    std::uint32_t* own;
    /// The last row of the tile above.
    std::uint32_t const* above;
    std::uint32_t* own_rows;
    std::uint32_t const* left_rows;
  };
  [[nodiscard]] GRIDLOOM_FN sides sides_of(tile_place of) const {
    std::int64_t const number = cut.number(of.i, of.j);
    std::int64_t const counts_of_tile = bins * cut.tile_cells();
    std::int64_t const rows_of_tile = std::int64_t{bins} * cut.tile;
    std::int64_t const last_row = cut.tile_cells() - cut.tile;
    std::uint32_t* const own = counts + number * counts_of_tile;
    std::uint32_t* const own_rows = row_counts + number * rows_of_tile;
    return {own, of.i == 0 ? nullptr : own - cut.tile_cols() * counts_of_tile + last_row, own_rows,
            of.j == 0 ? nullptr : own_rows - rows_of_tile};
  }

  /// Counts with words of bits, for as many bins at a time as shared memory can hold, part by part.
  template <int Width, thread_group Block>
  GRIDLOOM_FN void count_large(Block const& block, tile_place of, scratch& shared) const {
    int const side = cut.tile < largest_part ? cut.tile : largest_part;
    int const at_once = most_words / (words_of_row(side) * side);
    sides const at = sides_of(of);
    for (int first = 0; first < bins; first += at_once) {
      int const left_over = bins - first;
      tile_bits const these{shared.bits, side, first, left_over < at_once ? left_over : at_once,
                            cut.tile};
      for (int row = 0; row < cut.tile; row += side) {
        for (int col = 0; col < cut.tile; col += side) {
          // Waits until all threads have written the part before and read its bits.
          if (first + row + col != 0) block.sync();
          count_part<Width>(block, of, at, these, row, col, shared);
        }
      }
    }
  }
  template <int Width, thread_group Block>
  GRIDLOOM_FN void count_part(Block const& block, tile_place of, sides const& at,
                              tile_bits const& these, int row, int col, scratch& shared) const {
    int const tile = cut.tile;
    std::int64_t const begin = std::int64_t{row} * tile + col;
    these.read<Width>(block, pixels + cut.begin(of.i, of.j) + begin, bins,
                      [&] { copy_borders<Width>(block, at, these, row, col, shared); });
    for (int k = block.thread_rank(); k < these.bins * these.tile; k += block.num_threads()) {
      int const bin = k / these.tile, own_row = k % these.tile;
      at.own_rows[(these.first_bin + bin) * tile + row + own_row] =
          shared.left[k] + these.in_row(bin, own_row);
    }
    these.write<Width>(block, shared.left, shared.above,
                       at.own + these.first_bin * cut.tile_cells() + begin);
  }
  /// Copies the counts above and to the left of a part to shared memory: from neighbouring tiles, or
  /// from the parts before.
  template <int Width, thread_group Block>
  GRIDLOOM_FN void copy_borders(Block const& block, sides const& from, tile_bits const& to, int row,
                                int col, scratch& shared) const {
    int const tile = cut.tile;
    std::int64_t const cells = cut.tile_cells();
    std::uint32_t const* const left = col == 0 ? from.left_rows : from.own_rows;
    std::uint32_t const* const above =
        row == 0 ? from.above : from.own + std::int64_t{row - 1} * tile;
    to.for_each_piece<Width>(block, [&](int bin, int k) {
      int const place = bin * to.tile + k;
      int const number = to.first_bin + bin;
      if (left == nullptr) {
        piece_at<Width>(shared.left + place) = {};
      } else {
        copy<Width>(shared.left + place, left + number * tile + row + k);
      }
      if (above == nullptr) {
        piece_at<Width>(shared.above + place) = {};
      } else {
        copy<Width>(shared.above + place, above + number * cells + col + k);
      }
    });
    end_copy_group();
  }
  template <int Width>
  GRIDLOOM_FN static void copy(std::uint32_t* to_shared, std::uint32_t const* from) {
    if constexpr (Width == 4) {
      copy_async(&piece_at<4>(to_shared), &piece_at<4>(from));
    } else {
      *to_shared = *from;
    }
  }
};

}  // namespace gridloom::juggler::int_hist
