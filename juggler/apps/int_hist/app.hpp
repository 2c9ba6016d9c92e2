#pragma once
// The integral histogram as an application of Juggler (Porikli 2005): H(b, r, c) counts the pixels
// of bin b above and to the left of (r, c), inclusive, so that any rectangle's histogram is four
// look-ups a bin. A task makes a tile of it for all bins, from its pixels, the last row of the tile
// above, and how much each row of the tile to its left has so far; it waits for these two tiles, as
// in the tiled wavefront of Poostchi et al. Each pixel is read once and each count written once.

#include <cstdint>

#include "apps/grid/tiling.hpp"
#include "juggler/prefetch.hpp"
#include "juggler/task.hpp"

namespace gridloom::juggler::int_hist {

inline constexpr int largest_tile = 128;
inline constexpr int most_bins = 256;
inline constexpr int most_threads = 256;
inline constexpr int most_warps = most_threads / 32;

struct app {
  using task_data = tile_place;
  struct scratch {
    /// The bin of each pixel.
    std::uint8_t bin_of[largest_tile * largest_tile];
    /// Of each row of a warp's bin: what is to the left of these columns, and of the next ones.
    std::uint32_t left[most_warps][2][largest_tile];
  };
  static constexpr int max_threads = most_threads;

  std::uint8_t const* pixels;
  /// Tile by tile; in a tile, bin by bin.
  std::uint32_t* counts;
  /// In the same order, a number a row: the row from the image's left end to the tile's right one.
  std::uint32_t* row_counts;
  tiling cut;
  int bins;

  GRIDLOOM_FN void prefetch(std::uint32_t, task_data const& of) const {
    prefetch_to_l2(pixels + cut.begin(of.i, of.j), cut.tile_cells());
  }

  /// Warps take bins, lanes columns. Where a pixel of the bin is to the left within a warp's columns
  /// is one ballot. The lanes of a warp that would have no column of a small tile take more bins.
  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, std::uint32_t, task_data const& of,
                              scratch& shared) const {
    int const threads = block.num_threads();
    int const lanes = threads < 32 ? threads : 32;
    int const warps = threads / lanes;
    int const first_bin = block.thread_rank() / lanes;
    int const cells = cut.tile * cut.tile;
    bin_lane mine(cut.tile, lanes, block.thread_rank() % lanes);
    bool const is_small = cut.tile <= lanes && mine.groups != 0;
    // Before the pixels, so that they are on their way together.
    borders next{};
    if (is_small && first_bin < warps)
      next = borders_of(of, first_bin * mine.groups + mine.group, mine);
    std::uint8_t const* const from = pixels + cut.begin(of.i, of.j);
    for (int k = block.thread_rank(); k < cells; k += threads)
      shared.bin_of[k] = static_cast<std::uint8_t>(from[k] * bins >> 8);
    block.sync();
    if (first_bin >= warps) return;  // a last warp with fewer lanes
    if (is_small) {
      int const stride = warps * mine.groups;
      for (int first = first_bin * mine.groups; first < bins; first += stride) {
        borders const from_outside = next;
        next = borders_of(of, first + stride + mine.group, mine);
        count_bins(block.warp(), of, first + mine.group, mine, from_outside, shared.bin_of);
      }
      return;
    }
    for (int bin = first_bin; bin < bins; bin += warps)
      count_bin(block.warp(), of, bin, lanes, shared.bin_of, shared.left[first_bin]);
  }

  /// Where bin `bin` of tile (i, j) begins in `counts`.
  [[nodiscard]] GRIDLOOM_FN std::int64_t begin(std::int64_t i, std::int64_t j, int bin) const {
    return (cut.number(i, j) * bins + bin) * cut.tile_cells();
  }
  /// And in `row_counts`.
  [[nodiscard]] GRIDLOOM_FN std::int64_t begin_of_rows(std::int64_t i, std::int64_t j,
                                                       int bin) const {
    return (cut.number(i, j) * bins + bin) * cut.tile;
  }

 private:
  /// A lane's part where a warp has several bins of a small tile: a group of lanes a bin, a lane a
  /// column. Groups are of a power of two, and there is none where that is more than the lanes of
  /// a warp of any number.
  struct bin_lane {
    int groups;
    int group;
    /// Of the group: a column of the tile, or none; it also keeps what belongs to that row.
    int col;
    int first_lane;
    /// The group's lanes up to this one, and all of them.
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
  /// What comes from the tiles above and to the left: of the lane's column, and of its row.
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

  /// A bin a group of lanes, of a tile that a group covers.
  template <warp_group Warp>
  GRIDLOOM_FN void count_bins(Warp const& warp, tile_place of, int bin, bin_lane const& mine,
                              borders const& from_outside, std::uint8_t const* bin_of) const {
    int const tile = cut.tile;
    bool const has = mine.col < tile && mine.group < mine.groups && bin < bins;
    std::uint32_t* const to = counts + begin(of.i, of.j, bin) + mine.col;
    std::uint32_t count = from_outside.above;
    std::uint32_t of_row = from_outside.left;
    for (int r = 0; r < tile; ++r) {
      std::uint32_t const here = warp.ballot(has && bin_of[r * tile + mine.col] == bin);
      count += warp.shuffle(from_outside.left, mine.first_lane + r) +
               static_cast<std::uint32_t>(count_lanes(here & mine.up_to));
      if (r == mine.col) of_row += static_cast<std::uint32_t>(count_lanes(here & mine.all));
      if (has) to[r * tile] = count;
    }
    if (has) row_counts[begin_of_rows(of.i, of.j, bin) + mine.col] = of_row;
  }

  /// One bin of a tile, by a warp.
  template <warp_group Warp>
  GRIDLOOM_FN void count_bin(Warp const& warp, tile_place of, int bin, int lanes,
                             std::uint8_t const* bin_of,
                             std::uint32_t (&left_of)[2][largest_tile]) const {
    int const tile = cut.tile;
    int const lane = warp.thread_rank();
    std::uint32_t const up_to = lanes_below(lane) | 1U << lane;
    std::uint32_t* const to = counts + begin(of.i, of.j, bin);
    std::uint32_t const* const above =
        of.i == 0 ? nullptr : counts + begin(of.i - 1, of.j, bin) + (tile - 1) * tile;
    std::uint32_t const* const before =
        of.j == 0 ? nullptr : row_counts + begin_of_rows(of.i, of.j - 1, bin);
    std::uint32_t* left = left_of[0];
    std::uint32_t* next = left_of[1];
    warp.sync();  // the bin before has been written out
    for (int r = lane; r < tile; r += lanes) next[r] = before == nullptr ? 0 : before[r];
    for (int first = 0; first < tile; first += lanes) {
      warp.sync();  // `next` is there, and nobody reads `left` any more
      std::uint32_t* const was_read = left;
      left = next;
      next = was_read;
      int const col = first + lane;
      bool const has = col < tile;
      std::uint32_t count = has && above != nullptr ? above[col] : 0;
      for (int r = 0; r < tile; ++r) {
        std::uint32_t const here = warp.ballot(has && bin_of[r * tile + col] == bin);
        count += left[r] + static_cast<std::uint32_t>(count_lanes(here & up_to));
        if (has) to[r * tile + col] = count;
        if (lane == 0) next[r] = left[r] + static_cast<std::uint32_t>(count_lanes(here));
      }
    }
    warp.sync();
    std::uint32_t* const own = row_counts + begin_of_rows(of.i, of.j, bin);
    for (int r = lane; r < tile; r += lanes) own[r] = next[r];
  }
};

}  // namespace gridloom::juggler::int_hist
