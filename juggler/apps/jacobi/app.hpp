#pragma once
// Jacobi iteration of a five-point stencil as an application of Juggler, by the paper's two kernels:
// `copy` takes the field of the step before, `compute` makes each cell the mean of its neighbours
// there. A tile's copy waits for its computation in the step before and for those that read its old
// copy; its computation waits for the copies of itself and of its neighbours.

#include <cstdint>

#include "apps/grid/field.hpp"
#include "juggler/task.hpp"

namespace gridloom::juggler::jacobi {

enum kernel_type : std::uint32_t { type_copy, type_compute };

inline constexpr int largest_tile = 1024;

struct app {
  using task_data = tile_place;
  struct scratch {};
  static constexpr int max_threads = 256;

  /// The copy, and the field; in tiles.
  double* u;
  double* next;
  tiling cut;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, std::uint32_t type, task_data const& of,
                              scratch&) const {
    std::int64_t const begin = cut.begin(of.i, of.j);
    if (type == type_copy) {
      copy(block, u + begin, next + begin);
    } else {
      compute(block, of, u + begin, next + begin);
    }
  }

 private:
  struct alignas(16) pair {
    double of[2];
  };

  /// Tiles of an even number of rows begin where pairs do.
  template <thread_group Block>
  GRIDLOOM_FN void copy(Block const& block, double* to, double const* from) const {
    int const cells = cut.tile * cut.tile;
    int const pairs = cut.tile % 2 == 0 ? cells / 2 : 0;
    auto* const to_pairs = reinterpret_cast<pair*>(to);
    auto const* const from_pairs = reinterpret_cast<pair const*>(from);
    for (int k = block.thread_rank(); k < pairs; k += block.num_threads())
      to_pairs[k] = from_pairs[k];
    for (int k = 2 * pairs + block.thread_rank(); k < cells; k += block.num_threads())
      to[k] = from[k];
  }

  /// Warps take rows, lanes columns.
  template <thread_group Block>
  GRIDLOOM_FN void compute(Block const& block, tile_place of, double const* from,
                           double* to) const {
    inner_range const inner = inner_of(cut, of);
    int const tile = cut.tile;
    int const threads = block.num_threads();
    int const lanes = threads < 32 ? threads : 32;
    int const warps = threads / lanes;
    int const lane = block.thread_rank() % lanes;
    std::int64_t const row_of_tiles = cut.tile_cols() * cut.tile_cells();
    int row = inner.first_row + block.thread_rank() / lanes;
    if (block.thread_rank() / lanes >= warps) row = inner.last_row;  // a last warp with fewer lanes
    for (; row < inner.last_row; row += warps) {
      double const* const own = from + row * tile;
      double const* const up = row > 0 ? own - tile : own - row_of_tiles + (tile - 1) * tile;
      double const* const down =
          row + 1 < tile ? own + tile : own + row_of_tiles - (tile - 1) * tile;
      for (int col = inner.first_col + lane; col < inner.last_col; col += lanes) {
        double const left = own[col > 0 ? col - 1 : tile - 1 - cut.tile_cells()];
        double const right = own[col + 1 < tile ? col + 1 : cut.tile_cells()];
        to[row * tile + col] = mean_of(up[col], left, right, down[col]);
      }
    }
  }
};

}  // namespace gridloom::juggler::jacobi
