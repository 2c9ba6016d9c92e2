#pragma once
// The summed area table as an application of Juggler (Crow 1984). S(r, c) is the sum of all pixels
// above and to the left of (r, c), inclusive. A task computes one tile:
//
//  S(r, c) = S(above the tile, c) + sum over the tile's rows up to r of (the sum to the left of
//            the tile in that row + the row's pixels up to c in the tile)
//
// So a tile needs the last row of the tile above, and the sum of each row up to the tile's left
// edge. Tasks store these row sums in a separate array: reading a column of the left tile would
// cost one memory sector per element. Each pixel is read once and each sum is written once.

#include <cstdint>

#include "apps/grid/tiling.hpp"
#include "juggler/ours/prefetch.hpp"
#include "juggler/task.hpp"

namespace gridloom::juggler::sat {

inline constexpr int largest_tile = 1024;
/// Threads per block, on a GPU.
inline constexpr int most_threads = 256;
inline constexpr int most_warps = most_threads / 32;

/// The elements of a thread: `Rows` × `Width`. Each row is one memory access.
template <int Width, int Rows>
struct strip {
  static constexpr int width = Width;
  static constexpr int height = Rows;
  struct alignas(4 * Width) piece {
    std::uint32_t of[Width];
  };
  piece rows[Rows];

  /// Reads elements of a tile from row `row` and column `col` on, with 0 outside the tile.
  GRIDLOOM_FN void load(std::uint32_t const* tile_begin, int tile, int row, int col) {
    GRIDLOOM_UNROLL
    for (int k = 0; k < Rows; ++k) {
      rows[k] = {};
      if (row + k < tile && col < tile)
        rows[k] = *reinterpret_cast<piece const*>(tile_begin + (row + k) * tile + col);
    }
  }
  /// Stores the sum of each element and its column's element of `base`.
  GRIDLOOM_FN void store(std::uint32_t* tile_begin, int tile, int row, int col,
                         piece const& base) const {
    if (col >= tile) return;
    GRIDLOOM_UNROLL
    for (int k = 0; k < Rows; ++k) {
      if (row + k < tile)
        *reinterpret_cast<piece*>(tile_begin + (row + k) * tile + col) = sum(rows[k], base);
    }
  }
  /// Adds up each row separately. Every element becomes the sum of `left`, of all earlier lanes,
  /// and of its lane's elements up to it. Then `left` becomes the sum of the whole row.
  template <warp_group Warp>
  GRIDLOOM_FN void add_along_rows(Warp const& warp, std::uint32_t* left, int tile, int row) {
    int const lane = warp.thread_rank();
    int const lanes = warp.num_threads();
    std::uint32_t before[Rows];
    GRIDLOOM_UNROLL
    for (int k = 0; k < Rows; ++k) {
      GRIDLOOM_UNROLL
      for (int x = 1; x < Width; ++x) rows[k].of[x] += rows[k].of[x - 1];
      before[k] = rows[k].of[Width - 1];
    }
    for (int step = 1; step < lanes; step *= 2) {
      GRIDLOOM_UNROLL
      for (int k = 0; k < Rows; ++k) {
        std::uint32_t const other = warp.shuffle(before[k], lane < step ? lane : lane - step);
        if (lane >= step) before[k] += other;
      }
    }
    GRIDLOOM_UNROLL
    for (int k = 0; k < Rows; ++k) {
      std::uint32_t const own = rows[k].of[Width - 1];
      before[k] += (row + k < tile ? left[row + k] : 0) - own;
      GRIDLOOM_UNROLL
      for (int x = 0; x < Width; ++x) rows[k].of[x] += before[k];
    }
    // Waits until all lanes have read `left`.
    warp.sync();
    if (lane + 1 != lanes) return;
    GRIDLOOM_UNROLL
    for (int k = 0; k < Rows; ++k) {
      if (row + k < tile) left[row + k] = rows[k].of[Width - 1];
    }
  }
  GRIDLOOM_FN void add_along_columns() {
    GRIDLOOM_UNROLL
    for (int k = 1; k < Rows; ++k) rows[k] = sum(rows[k], rows[k - 1]);
  }
  GRIDLOOM_FN static piece sum(piece a, piece const& b) {
    GRIDLOOM_UNROLL
    for (int x = 0; x < Width; ++x) a.of[x] += b.of[x];
    return a;
  }
};

/// With 16 × 4 elements per thread, 256 threads keep a tile of 128 × 128 in registers. That gives
/// enough overlapping accesses to hide the memory latency of an H200.
template <int Width, int Rows>
struct app {
  using task_data = tile_place;
  using own_strip = strip<Width, Rows>;
  using piece = typename own_strip::piece;
  struct scratch {
    /// For each column: the sum in the row above the current rows.
    std::uint32_t above[largest_tile + Width];
    /// For each row: the sum of the pixels to the left of the current columns.
    std::uint32_t left[largest_tile];
    /// For each warp and lane: the sums in the last row of the warp's band.
    piece bands[most_warps][32];
  };
  static constexpr int max_threads = most_threads;
  /// Two blocks leave 128 of 65,536 registers per thread, three leave 85. While one block waits,
  /// others load and store.
  static constexpr int min_blocks = Width * Rows > 32 ? 2 : 3;

  std::uint32_t const* pixels;
  std::uint32_t* sums;
  /// At tile number × tile + r: the sum of row r from the image's left to the tile's right edge.
  std::uint32_t* row_sums;
  tiling cut;

  GRIDLOOM_FN void prefetch(std::uint32_t, task_data const& of) const {
    prefetch_to_l2(pixels + cut.begin(of.i, of.j), cut.tile_cells());
  }

  /// Warps take bands of rows, and lanes take pieces of these rows.
  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, std::uint32_t, task_data const& of,
                              scratch& shared) const {
    int const threads = block.num_threads();
    int const lanes = threads < 32 ? threads : 32;
    int const warps = threads / lanes;
    int const band = block.thread_rank() / lanes;
    int const lane = block.thread_rank() % lanes;
    // Threads of a partial last warp have no band.
    bool const works = band < warps;
    int const tile = cut.tile;
    std::int64_t const number = cut.number(of.i, of.j);
    for (int first_col = 0; first_col < tile; first_col += lanes * Width) {
      int const col = first_col + lane * Width;
      for (int first_row = 0; first_row < tile; first_row += warps * Rows) {
        int const row = first_row + band * Rows;
        own_strip own;
        if (works) own.load(pixels + number * cut.tile_cells(), tile, row, col);
        // Reads borders between the loads of the first pixels and their use, so both overlap.
        if (first_row + first_col == 0) read_borders(block, of, shared);
        // Waits until the borders are written and all threads have read the previous bands.
        block.sync();
        if (works) {
          own.add_along_rows(block.warp(), shared.left, tile, row);
          own.add_along_columns();
          shared.bands[band][lane] = own.rows[Rows - 1];
        }
        block.sync();
        piece base{};
        if (works && col < tile) {
          GRIDLOOM_UNROLL
          for (int x = 0; x < Width; ++x) base.of[x] = shared.above[col + x];
          // Unrolled, the loop would take so many registers that only one block fits.
          GRIDLOOM_NO_UNROLL
          for (int b = 0; b < band; ++b) base = own_strip::sum(base, shared.bands[b][lane]);
          own.store(sums + number * cut.tile_cells(), tile, row, col, base);
        }
        if (first_row + warps * Rows >= tile) continue;
        // Waits until all threads have read `above`.
        block.sync();
        if (band + 1 == warps && col < tile) {
          base = own_strip::sum(base, own.rows[Rows - 1]);
          GRIDLOOM_UNROLL
          for (int x = 0; x < Width; ++x) shared.above[col + x] = base.of[x];
        }
      }
    }
    // The block has synchronised since `left` was written.
    for (int k = block.thread_rank(); k < tile; k += threads)
      row_sums[number * tile + k] = shared.left[k];
  }

 private:
  /// Reads the borders of the tiles above and to the left.
  template <thread_group Block>
  GRIDLOOM_FN void read_borders(Block const& block, tile_place of, scratch& shared) const {
    int const tile = cut.tile;
    for (int k = block.thread_rank(); k < tile; k += block.num_threads()) {
      shared.above[k] = of.i == 0 ? 0 : sums[cut.begin(of.i - 1, of.j) + (tile - 1) * tile + k];
      shared.left[k] = of.j == 0 ? 0 : row_sums[cut.number(of.i, of.j - 1) * tile + k];
    }
  }
};

}  // namespace gridloom::juggler::sat
