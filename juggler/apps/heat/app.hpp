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
// waits for the tiles below and to its right in the step before.

#include <cstdint>

#include "apps/grid/field.hpp"
#include "juggler/ours/prefetch.hpp"
#include "juggler/task.hpp"

namespace gridloom::juggler::heat {

inline constexpr int largest_tile = 64;

struct app {
  using task_data = tile_place;
  struct scratch {
    /// The tile and the cells around it.
    double cells[(largest_tile + 2) * (largest_tile + 2)];
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
    int const rank = block.thread_rank();
    int const threads = block.num_threads();
    double* const own = u + cut.begin(of.i, of.j);
    int const tile = cut.tile;
    // Reads the cells around the tile before the tile itself, so the accesses overlap.
    around beside{};
    if (rank < tile) beside = read_around(of, inner, own, rank);
    move_tile(
        block, tile, [&](int row, int col) { return own[row * tile + col]; },
        [&](int row, int col, double value) { at(shared, row, col) = value; });
    for (int k = rank; k < tile; k += threads) {
      if (k != rank) beside = read_around(of, inner, own, k);
      at(shared, -1, k) = beside.above;
      at(shared, k, -1) = beside.before;
      at(shared, tile, k) = beside.below;
      at(shared, k, tile) = beside.behind;
    }
    block.sync();
    auto const warp = block.warp();
    // The first warp computes all cells.
    if (rank == warp.thread_rank()) {
      if (tile <= warp.num_threads()) {
        sweep<1>(warp, inner, shared);
      } else {
        sweep<2>(warp, inner, shared);
      }
    }
    block.sync();
    move_tile(
        block, tile, [&](int row, int col) { return at(shared, row, col); },
        [&](int row, int col, double value) { own[row * tile + col] = value; });
  }

 private:
  GRIDLOOM_FN static double& at(scratch& shared, int row, int col) {
    return shared.cells[(row + 1) * (largest_tile + 2) + col + 1];
  }

  /// The cells just outside a tile: above and below column k, and at both ends of row k.
  struct around {
    double above, before, below, behind;
  };
  GRIDLOOM_FN around read_around(tile_place of, inner_range const& inner, double const* own,
                                 int k) const {
    int const tile = cut.tile;
    std::int64_t const cells = cut.tile_cells();
    around found{};
    if (of.i > 0) found.above = own[(tile - 1) * tile + k - cut.tile_cols() * cells];
    if (of.j > 0) found.before = own[k * tile + tile - 1 - cells];
    if (inner.last_row == tile) found.below = own[cut.tile_cols() * cells + k];
    if (inner.last_col == tile) found.behind = own[cells + k * tile];
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
