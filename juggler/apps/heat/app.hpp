#pragma once
// Heat simulation as an application of Juggler. By Table 1 of the paper, it computes a time step
// from elements of "previous and current steps". So a cell becomes the mean of its neighbours;
// those above and to the left already have this step's values. This is the heat equation's explicit
// step at its largest stable length, in the order of Gauss and Seidel. A task computes one tile in
// place:
//
//  u(r, c) = (u(r - 1, c) + u(r, c - 1) + old u(r, c + 1) + old u(r + 1, c)) / 4
//
// A task waits for the tiles above and to its left in this step. After the first step, it also
// waits for the tiles below and to its right in the step before. A tile of more than 64 rows is
// computed part by part, since shared memory holds 64 rows.

#include <cstdint>

#include "apps/grid/field.hpp"
#include "juggler/ours/prefetch.hpp"
#include "juggler/task.hpp"

namespace gridloom::juggler::heat {

/// Rows and columns of a part of a tile.
inline constexpr int largest_part = 64;

struct app {
  using task_data = tile_place;
  struct scratch {
    /// A part of the tile and the cells around it.
    double cells[(largest_part + 2) * (largest_part + 2)];
  };
  static constexpr int max_threads = 256;

  double* u;
  tiling cut;

  GRIDLOOM_FN void prefetch(std::uint32_t, task_data const& of) const {
    prefetch_to_l2(u + cut.begin(of.i, of.j), cut.tile_cells());
  }

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, std::uint32_t, task_data const& of,
                              scratch& shared) const {
    inner_range const inner = inner_of(cut, of);
    for (int row = 0; row < cut.tile; row += largest_part) {
      for (int col = 0; col < cut.tile; col += largest_part) {
        part const here{row, col, least(cut.tile - row), least(cut.tile - col)};
        // Waits until all threads have written the part before.
        if (row + col > 0) block.sync();
        compute(block, of, here, here.cut_out(inner), shared);
      }
    }
  }

 private:
  /// The part of a tile from this row and column on.
  struct part {
    int row, col;
    int rows, cols;

    /// `inner`, counted from the part's first row and column.
    [[nodiscard]] GRIDLOOM_FN inner_range cut_out(inner_range const& inner) const {
      return {within(inner.first_row - row, rows), within(inner.last_row - row, rows),
              within(inner.first_col - col, cols), within(inner.last_col - col, cols)};
    }
    [[nodiscard]] GRIDLOOM_FN static int within(int at, int size) {
      return at < 0 ? 0 : at < size ? at : size;
    }
  };
  GRIDLOOM_FN static int least(int left) { return left < largest_part ? left : largest_part; }

  template <thread_group Block>
  GRIDLOOM_FN void compute(Block const& block, task_data const& of, part const& here,
                           inner_range const& inner, scratch& shared) const {
    int const rank = block.thread_rank();
    int const tile = cut.tile;
    double* const own = u + cut.begin(of.i, of.j) + here.row * tile + here.col;
    int const edge = here.rows > here.cols ? here.rows : here.cols;
    // Reads the cells around the part before the part itself, so the accesses overlap.
    around beside{};
    if (rank < edge) beside = read_around(of, here, own, rank);
    move_cells(
        block, here.rows, here.cols, [&](int row, int col) { return own[row * tile + col]; },
        [&](int row, int col, double value) { at(shared, row, col) = value; });
    for (int k = rank; k < edge; k += block.num_threads()) {
      if (k != rank) beside = read_around(of, here, own, k);
      if (k < here.cols) {
        at(shared, -1, k) = beside.above;
        at(shared, here.rows, k) = beside.below;
      }
      if (k < here.rows) {
        at(shared, k, -1) = beside.before;
        at(shared, k, here.cols) = beside.behind;
      }
    }
    block.sync();
    auto const warp = block.warp();
    // The first warp computes all cells.
    if (rank == warp.thread_rank()) {
      if (here.rows <= warp.num_threads()) {
        sweep<1>(warp, inner, shared);
      } else {
        sweep<2>(warp, inner, shared);
      }
    }
    block.sync();
    move_cells(
        block, here.rows, here.cols, [&](int row, int col) { return at(shared, row, col); },
        [&](int row, int col, double value) { own[row * tile + col] = value; });
  }

  GRIDLOOM_FN static double& at(scratch& shared, int row, int col) {
    return shared.cells[(row + 1) * (largest_part + 2) + col + 1];
  }

  /// The cells just outside a part: above and below column k, and at both ends of row k.
  struct around {
    double above, before, below, behind;
  };
  /// `own` is the part's first cell. Beyond the tile, a cell is in the tile beside it.
  GRIDLOOM_FN around read_around(tile_place of, part const& here, double const* own, int k) const {
    int const tile = cut.tile;
    // From a cell in a tile's last row or column to the next one in the tile below or to the right.
    std::int64_t const to_below = cut.tile_cols() * cut.tile_cells() - (tile - 1) * tile;
    std::int64_t const to_behind = cut.tile_cells() - (tile - 1);
    bool const is_first_row = here.row == 0, is_last_row = here.row + here.rows == tile;
    bool const is_first_col = here.col == 0, is_last_col = here.col + here.cols == tile;
    around found{};
    if (k < here.cols) {
      if (!is_first_row || of.i > 0) found.above = own[k - (is_first_row ? to_below : tile)];
      if (!is_last_row || of.i + 1 < cut.tile_rows())
        found.below = own[(here.rows - 1) * tile + k + (is_last_row ? to_below : tile)];
    }
    if (k < here.rows) {
      if (!is_first_col || of.j > 0) found.before = own[k * tile - (is_first_col ? to_behind : 1)];
      if (!is_last_col || of.j + 1 < cut.tile_cols())
        found.behind = own[k * tile + here.cols - 1 + (is_last_col ? to_behind : 1)];
    }
    return found;
  }

  /// Old values for a lane's next steps.
  template <int Rows>
  struct ahead {
    static constexpr int steps = 4;
    double right[steps][Rows];
    double below[steps];
    /// The row above the first lane's rows; other lanes get this row from the lane above.
    double above[steps];

    /// Reads the old neighbours of the cells in `steps` columns from `col` on and in `Rows` rows
    /// from `first` on. Cells outside `inner` get none.
    GRIDLOOM_FN void read(scratch& shared, inner_range const& inner, int first, int col,
                          bool is_top) {
      GRIDLOOM_UNROLL
      for (int s = 0; s < steps; ++s) {
        bool const is_there = is_in(inner, first, col + s);
        GRIDLOOM_UNROLL
        for (int k = 0; k < Rows; ++k)
          right[s][k] =
              is_there && first + k <= inner.last_row ? at(shared, first + k, col + s + 1) : 0;
        below[s] =
            is_there && first + Rows <= inner.last_row ? at(shared, first + Rows, col + s) : 0;
        above[s] = is_there && is_top ? at(shared, first - 1, col + s) : 0;
      }
    }
  };
  GRIDLOOM_FN static bool is_in(inner_range const& inner, int row, int col) {
    return row < inner.last_row && col >= inner.first_col && col < inner.last_col;
  }

  /// Each lane moves along several rows, one column behind the lane above. So a cell is computed
  /// after the cells above and to its left, and before those below and to its right. The last cell
  /// of a lane is the next lane's cell above. A lane reads old values some steps ahead, before the
  /// next lane, one step later, overwrites them. The warp synchronises in between.
  template <int Rows, warp_group Warp>
  GRIDLOOM_FN void sweep(Warp const& warp, inner_range const& inner, scratch& shared) const {
    int const lanes = warp.num_threads();
    int const lane = warp.thread_rank();
    int const lane_above = lane == 0 ? 0 : lane - 1;
    for (int top = inner.first_row; top < inner.last_row; top += lanes * Rows) {
      int const first = top + lane * Rows;
      int const lanes_with_rows = (inner.last_row - top + Rows - 1) / Rows;
      int const behind = (lanes_with_rows < lanes ? lanes_with_rows : lanes) - 1;
      double left[Rows] = {};
      double old[Rows] = {};
      GRIDLOOM_UNROLL
      for (int k = 0; k < Rows; ++k) {
        if (first + k > inner.last_row) continue;
        left[k] = at(shared, first + k, inner.first_col - 1);
        old[k] = at(shared, first + k, inner.first_col);
      }
      double made = 0;
      ahead<Rows> next;
      next.read(shared, inner, first, inner.first_col - lane, lane == 0);
      warp.sync();
      for (int step = 0; step < inner.last_col - inner.first_col + behind;
           step += ahead<Rows>::steps) {
        int const begin = inner.first_col + step - lane;
        ahead<Rows> const now = next;
        next.read(shared, inner, first, begin + ahead<Rows>::steps, lane == 0);
        GRIDLOOM_UNROLL
        for (int s = 0; s < ahead<Rows>::steps; ++s) {
          double up = warp.shuffle(made, lane_above);
          if (lane == 0) up = now.above[s];
          bool const is_there = is_in(inner, first, begin + s);
          GRIDLOOM_UNROLL
          for (int k = 0; k < Rows; ++k) {
            double const below = k + 1 < Rows ? old[k + 1] : now.below[s];
            up = mean_of(up, left[k], now.right[s][k], below);
            if (is_there && first + k < inner.last_row)
              at(shared, first + k, begin + s) = left[k] = made = up;
            if (is_there) old[k] = now.right[s][k];
          }
        }
        warp.sync();
      }
    }
  }
};

}  // namespace gridloom::juggler::heat
