#pragma once
// Heat simulation as an application of Juggler: Table 1 has it calculate a time step from elements of
// "previous and current steps". So a cell becomes the mean of its neighbours, of which those above
// and to the left are of this step already: the heat equation's explicit step at its largest stable
// length, in the order of Gauss and Seidel. A task does a tile, in place:
//
//   u(r, c) = (u(r - 1, c) + u(r, c - 1) + old u(r, c + 1) + old u(r + 1, c)) / 4
//
// It waits for the tiles above and to its left in this step, and, after the first step, for those
// below and to its right in the one before.

#include <cstdint>

#include "apps/grid/field.hpp"
#include "juggler/task.hpp"

namespace gridloom::juggler::heat {

inline constexpr int largest_tile = 64;

struct app {
  using task_data = tile_place;
  struct scratch {
    /// The tile, with the cells around it.
    double cells[(largest_tile + 2) * (largest_tile + 2)];
  };
  static constexpr int max_threads = 256;

  /// In tiles.
  double* u;
  tiling cut;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, std::uint32_t, task_data const& of,
                              scratch& shared) const {
    inner_range const inner = inner_of(cut, of);
    int const rank = block.thread_rank();
    int const threads = block.num_threads();
    double* const own = u + cut.begin(of.i, of.j);
    int const tile = cut.tile;
    move_tile(
        block, tile, [&](int row, int col) { return own[row * tile + col]; },
        [&](int row, int col, double value) { at(shared, row, col) = value; });
    double const* const above = own - cut.tile_cols() * cut.tile_cells() + (tile - 1) * tile;
    double const* const before = own - cut.tile_cells() + tile - 1;
    double const* const below = own + cut.tile_cols() * cut.tile_cells();
    double const* const behind = own + cut.tile_cells();
    for (int k = rank; k < tile; k += threads) {
      if (of.i > 0) at(shared, -1, k) = above[k];
      if (of.j > 0) at(shared, k, -1) = before[k * tile];
      if (inner.last_row == tile) at(shared, tile, k) = below[k];
      if (inner.last_col == tile) at(shared, k, tile) = behind[k * tile];
    }
    block.sync();
    auto const warp = block.warp();
    if (rank == warp.thread_rank()) sweep(warp, inner, shared);  // the first warp
    block.sync();
    move_tile(
        block, tile, [&](int row, int col) { return at(shared, row, col); },
        [&](int row, int col, double value) { own[row * tile + col] = value; });
  }

 private:
  GRIDLOOM_FN static double& at(scratch& shared, int row, int col) {
    return shared.cells[(row + 1) * (largest_tile + 2) + col + 1];
  }

  /// Lanes have two rows each, and go along them one column behind each other, so that a cell comes
  /// after those above it and to its left, and before those to its right and below. What a lane made
  /// last is above the next lane's cell. All else is asked for before it is wanted.
  template <warp_group Warp>
  GRIDLOOM_FN void sweep(Warp const& warp, inner_range const& inner, scratch& shared) const {
    constexpr int rows = 2;
    int const lanes = warp.num_threads();
    int const lane = warp.thread_rank();
    for (int top = inner.first_row; top < inner.last_row; top += lanes * rows) {
      int const first = top + lane * rows;
      bool const has_any = first < inner.last_row;
      bool const has_below = first + rows <= inner.last_row;
      double left[rows] = {};
      double old[rows] = {};
      for (int k = 0; has_any && k < rows; ++k) {
        left[k] = at(shared, first + k, inner.first_col - 1);
        old[k] = at(shared, first + k, inner.first_col);
      }
      double made = 0;
      for (int step = 0; step < inner.last_col - inner.first_col + lanes - 1; ++step) {
        double up = warp.shuffle(made, lane == 0 ? 0 : lane - 1);
        int const col = inner.first_col + step - lane;
        if (has_any && col >= inner.first_col && col < inner.last_col) {
          if (lane == 0) up = at(shared, first - 1, col);
          double const below = has_below ? at(shared, first + rows, col) : 0;
          double right[rows];
          for (int k = 0; k < rows; ++k) right[k] = at(shared, first + k, col + 1);
          GRIDLOOM_UNROLL
          for (int k = 0; k < rows; ++k) {
            if (first + k < inner.last_row) {
              up = mean_of(up, left[k], right[k], k + 1 < rows ? old[k + 1] : below);
              at(shared, first + k, col) = left[k] = up;
            }
            old[k] = right[k];
          }
          made = up;
        }
        warp.sync();  // cells below are read before their lane makes them new
      }
    }
  }
};

}  // namespace gridloom::juggler::heat
