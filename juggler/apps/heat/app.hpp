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
    for (int k = rank; k < tile * tile; k += threads) at(shared, k / tile, k % tile) = own[k];
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
    for (int k = rank; k < tile * tile; k += threads) own[k] = at(shared, k / tile, k % tile);
  }

 private:
  GRIDLOOM_FN static double& at(scratch& shared, int row, int col) {
    return shared.cells[(row + 1) * (largest_tile + 2) + col + 1];
  }

  /// Lanes have some rows each, and go along them one column behind each other, so that a cell comes
  /// after those above it and to its left, and before those to its right and below.
  template <warp_group Warp>
  GRIDLOOM_FN void sweep(Warp const& warp, inner_range const& inner, scratch& shared) const {
    int const lanes = warp.num_threads();
    int const lane = warp.thread_rank();
    int const rows = inner.last_row - inner.first_row;
    int const per_lane = (rows + lanes - 1) / lanes;
    int const first = inner.first_row + lane * per_lane;
    int const last = first + per_lane < inner.last_row ? first + per_lane : inner.last_row;
    for (int step = 0; step < inner.last_col - inner.first_col + lanes - 1; ++step) {
      int const col = inner.first_col + step - lane;
      if (col >= inner.first_col && col < inner.last_col) {
        double up = at(shared, first - 1, col);
        for (int row = first; row < last; ++row) {
          up = mean_of(up, at(shared, row, col - 1), at(shared, row, col + 1),
                       at(shared, row + 1, col));
          at(shared, row, col) = up;
        }
      }
      warp.sync();
    }
  }
};

}  // namespace gridloom::juggler::heat
