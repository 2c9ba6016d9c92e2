#pragma once
// Square fields of doubles for five-point stencils. The outermost rows and columns are a boundary
// whose values never change.

#include <cstdint>

#include "apps/grid/tiling.hpp"
#include "gridloom/portable.hpp"
#include "gridloom/random.hpp"

namespace gridloom::juggler {

/// The mean of a cell's neighbours. The additions have one order, and the factors are powers of
/// two, so products are exact. So all compilers round it in the same way, and all versions have the
/// same bits. With two products, the way from `up` or `left` to the mean is only one sum and one
/// fused multiply-add.
GRIDLOOM_FN inline double mean_of(double up, double left, double right, double down) {
  return 0.25 * (up + left) + 0.25 * (right + down);
}

/// The rows and columns of a tile inside the boundary: first to last - 1. Empty if first >= last.
struct inner_range {
  int first_row, last_row;
  int first_col, last_col;
};
GRIDLOOM_FN inline inner_range inner_of(tiling const& cut, tile_place of) {
  auto const last = [](std::int64_t cells, std::int64_t before, int tile) {
    std::int64_t const left = cells - 1 - before;
    return static_cast<int>(left < tile ? left : tile);
  };
  return {of.i == 0 ? 1 : 0, last(cut.rows, std::int64_t{of.i} * cut.tile, cut.tile),
          of.j == 0 ? 1 : 0, last(cut.cols, std::int64_t{of.j} * cut.tile, cut.tile)};
}

/// Calls store(row, column, load(row, column)) for rows × cols cells, with all threads of a block.
/// Loads of several rows come before their stores, so the loads overlap.
template <class Block, class Load, class Store>
GRIDLOOM_FN void move_cells(Block const& block, int rows, int cols, Load const& load,
                            Store const& store) {
  constexpr int batch = 8;
  int const lanes = block.num_threads() < 32 ? block.num_threads() : 32;
  int const warps = block.num_threads() / lanes;
  int const band = block.thread_rank() / lanes;
  // Threads of a partial last warp have no rows.
  if (band >= warps) return;
  for (int col = block.thread_rank() % lanes; col < cols; col += lanes) {
    for (int first = band; first < rows; first += batch * warps) {
      double held[batch];
      GRIDLOOM_UNROLL
      for (int k = 0; k < batch; ++k) {
        if (first + k * warps < rows) held[k] = load(first + k * warps, col);
      }
      GRIDLOOM_UNROLL
      for (int k = 0; k < batch; ++k) {
        if (first + k * warps < rows) store(first + k * warps, col, held[k]);
      }
    }
  }
}

/// The input: random values in [0, 1).
struct random_field {
  std::uint64_t seed;
  std::int64_t cols;

  GRIDLOOM_FN double operator()(std::int64_t i, std::int64_t j) const {
    random_source random(seed);
    random.skip(static_cast<std::uint64_t>(i * cols + j));
    return random.unit();
  }
};

}  // namespace gridloom::juggler
