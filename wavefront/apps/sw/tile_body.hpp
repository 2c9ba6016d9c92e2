#pragma once
// A tile of the lattice of cells: 128 rows by some columns, run by one warp. Lane r is one column
// behind lane r - 1, and passes H and F of its last row on in registers.
//
// Tiles exchange data through memory that they overwrite in place. Each column has one edge, from
// the tile above. Each row has H and E, from the tile at the left. Only the tile that overwrites
// data still needs the data. The exception is the corner, which the tile at the left saves beside H
// of the rows.

#include "gridloom/taskgraph/block_task.hpp"
#include "lane_rows.hpp"

namespace gridloom::wavefront::sw {

/// The lattice. The query is padded with separators, so the lattice consists of whole strips.
struct lattice_ref {
  residue const* query;
  residue const* target;
  std::int8_t const* scores;
  gap_costs gaps;
  std::uint32_t rows;
  std::uint32_t cols;
};

struct align_tile {
  static constexpr int max_threads = 32;
  struct scratch {
    score_table table;
    /// Edges above this pass and above the next one. There are two arrays, so that lanes do not
    /// overwrite what others still read.
    edge above[2][most_tile_cols];
    residue target[most_tile_cols + 1];
  };

  lattice_ref of;
  std::uint32_t tile_cols;
  /// Number of tiles of a strip.
  std::uint32_t across;
  /// Array of one edge per column.
  edge* above;
  /// Array of strip_rows + 1 values per strip: the corner, then H of each row.
  std::int32_t* left_h;
  /// Array of strip_rows values per strip: E of each row.
  std::int32_t* left_e;
  /// Array of the best key of each tile.
  std::uint64_t* best;

  GRIDLOOM_FN static nothing_early read(std::uint32_t /*tile*/) { return {}; }
  /// Runs a tile. The block is one warp, and its number of lanes is a power of two.
  template <thread_group Block>
  GRIDLOOM_FN void execute(Block const& block, std::uint32_t tile, nothing_early,
                           scratch& local) const {
    auto const warp = block.warp();
    auto const lanes = static_cast<std::uint32_t>(warp.num_threads());
    auto const rank = static_cast<std::uint32_t>(warp.thread_rank());
    std::uint32_t const strip = tile / across;
    std::uint32_t const first_col = (tile - strip * across) * tile_cols;
    std::uint32_t const cols = tile_cols < of.cols - first_col ? tile_cols : of.cols - first_col;
    bool const leftmost = first_col == 0;
    for (std::uint32_t i = rank; i < alphabet * alphabet; i += lanes)
      local.table.scores[i] = of.scores[i];
    for (std::uint32_t i = rank; i < cols; i += lanes) {
      local.above[0][i] = strip == 0 ? edge{0, lowest} : above[first_col + i];
      local.target[i] = of.target[first_col + i];
    }
    if (rank == 0) local.target[cols] = separator;
    block.sync();
    std::int32_t* const h = left_h + std::size_t{strip} * (strip_rows + 1);
    std::int32_t* const e = left_e + std::size_t{strip} * strip_rows;
    std::int32_t const corner = local.above[0][cols - 1].h;
    // Pointers that are exchanged: with an index that alternates, an H200 takes an eighth longer.
    edge* over_pass = local.above[0];
    edge* under_pass = local.above[1];
    // H of the row above the pass in the previous column.
    std::int32_t over = leftmost ? 0 : h[0];
    std::uint64_t key = 0;
    for (std::uint32_t pass = 0; pass < strip_rows; pass += lanes * rows_of_lane) {
      std::uint32_t const row = pass + rank * rows_of_lane;
      lane_rows mine(of.query, strip * strip_rows + row, of.cols, local.table.scores, of.gaps);
      if (!leftmost) {
        GRIDLOOM_UNROLL
        for (int k = 0; k < rows_of_lane; ++k) {
          mine.h[k] = h[row + static_cast<std::uint32_t>(k) + 1];
          mine.e[k] = e[row + static_cast<std::uint32_t>(k)];
        }
      }
      std::int32_t const last = mine.h[rows_of_lane - 1];
      std::int32_t diagonal = warp.shuffle(last, static_cast<int>(rank == 0 ? 0 : rank - 1));
      if (rank == 0) diagonal = over;
      over = warp.shuffle(last, static_cast<int>(lanes) - 1);
      sweep(warp, local.target, over_pass, under_pass, cols, first_col, diagonal, mine);
      edge* const swept = over_pass;
      over_pass = under_pass;
      under_pass = swept;
      GRIDLOOM_UNROLL
      for (int k = 0; k < rows_of_lane; ++k) {
        h[row + static_cast<std::uint32_t>(k) + 1] = mine.h[k];
        e[row + static_cast<std::uint32_t>(k)] = mine.e[k];
      }
      if (mine.best() > key) key = mine.best();
      block.sync();
    }
    if (rank == 0) h[0] = corner;
    for (std::uint32_t i = rank; i < cols; i += lanes) above[first_col + i] = over_pass[i];
    for (std::uint32_t stride = lanes / 2; stride > 0; stride /= 2) {
      std::uint64_t const other = warp.shuffle(key, static_cast<int>(rank ^ stride));
      if (other > key) key = other;
    }
    if (rank == 0) best[tile] = key;
  }

 private:
  template <warp_group Warp>
  GRIDLOOM_FN void sweep(Warp const& warp, residue const* target, edge const* over, edge* under,
                         std::uint32_t cols, std::uint32_t first_col, std::int32_t diagonal,
                         lane_rows& mine) const {
    auto const lanes = static_cast<std::uint32_t>(warp.num_threads());
    auto const rank = static_cast<std::uint32_t>(warp.thread_rank());
    mine.look_up(target[0]);
    edge below{0, lowest};
    for (std::uint32_t step = 0; step < cols + lanes - 1; ++step) {
      int const from = static_cast<int>(rank == 0 ? 0 : rank - 1);
      edge up{warp.shuffle(below.h, from), warp.shuffle(below.f, from)};
      std::uint32_t const col = step - rank;
      // `col` is unsigned, so this also skips steps before the lane's first column.
      if (col >= cols) continue;
      if (rank == 0) up = over[col];
      below = mine.step(first_col + col, diagonal, up, target[col + 1]);
      diagonal = up.h;
      if (rank == lanes - 1) under[col] = below;
    }
  }
};

}  // namespace gridloom::wavefront::sw
