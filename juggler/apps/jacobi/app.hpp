#pragma once
// Jacobi iteration of a five-point stencil as an application of Juggler, with the paper's two
// kernels. `copy` copies the previous step's field. `compute` sets each cell to the mean of its
// neighbours in the copy. A tile's copy waits for its computation in the previous step, and for the
// readers of the old copy. Its computation waits for the copies of the tile and its neighbours.

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
  static constexpr std::uint32_t kernel_types = 2;

  /// The copy (`u`) and the field (`next`), tile after tile.
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

  /// Copies a tile, two cells at a time if an even number of rows makes addresses aligned.
  template <thread_group Block>
  GRIDLOOM_FN void copy(Block const& block, double* to, double const* from) const {
    int const cells = cut.tile * cut.tile;
    int const pairs = cut.tile % 2 == 0 ? cells / 2 : 0;
    auto* const to_pairs = reinterpret_cast<pair*>(to);
    auto const* const from_pairs = reinterpret_cast<pair const*>(from);
    // Number of overlapping loads.
    constexpr int batch = 4;
    int const threads = block.num_threads();
    for (int first = block.thread_rank(); first < pairs; first += batch * threads) {
      pair held[batch];
      GRIDLOOM_UNROLL
      for (int k = 0; k < batch; ++k) {
        if (first + k * threads < pairs) held[k] = from_pairs[first + k * threads];
      }
      GRIDLOOM_UNROLL
      for (int k = 0; k < batch; ++k) {
        if (first + k * threads < pairs) to_pairs[first + k * threads] = held[k];
      }
    }
    for (int k = 2 * pairs + block.thread_rank(); k < cells; k += block.num_threads())
      to[k] = from[k];
  }

  /// Warps take four rows at a time, and lanes take columns. A lane reads six cells of its column
  /// at once; each serves as upper and lower neighbour.
  template <thread_group Block>
  GRIDLOOM_FN void compute(Block const& block, tile_place of, double const* from,
                           double* to) const {
    constexpr int height = 4;
    inner_range const inner = inner_of(cut, of);
    int const tile = cut.tile;
    int const threads = block.num_threads();
    int const lanes = threads < 32 ? threads : 32;
    int const warps = threads / lanes;
    int const band = block.thread_rank() / lanes;
    // Threads of a partial last warp have no rows.
    if (band >= warps) return;
    for (int row = inner.first_row + height * band; row < inner.last_row; row += height * warps) {
      int const rows = inner.last_row - row < height ? inner.last_row - row : height;
      for (int col = inner.first_col + block.thread_rank() % lanes; col < inner.last_col;
           col += lanes) {
        double column[height + 2] = {};
        double left[height] = {};
        double right[height] = {};
        GRIDLOOM_UNROLL
        for (int k = 0; k < height + 2; ++k) {
          if (k < rows + 2) column[k] = row_at(from, row + k - 1)[col];
        }
        GRIDLOOM_UNROLL
        for (int k = 0; k < height; ++k) {
          if (k >= rows) continue;
          double const* const own = from + (row + k) * tile;
          left[k] = own[col > 0 ? col - 1 : tile - 1 - cut.tile_cells()];
          right[k] = own[col + 1 < tile ? col + 1 : cut.tile_cells()];
        }
        GRIDLOOM_UNROLL
        for (int k = 0; k < height; ++k) {
          if (k < rows)
            to[(row + k) * tile + col] = mean_of(column[k], left[k], right[k], column[k + 2]);
        }
      }
    }
  }
  /// Row `row` of a tile, from -1 to `tile`. Rows -1 and `tile` are in the neighbouring tiles.
  [[nodiscard]] GRIDLOOM_FN double const* row_at(double const* tile_begin, int row) const {
    std::int64_t const to_next = cut.tile_cols() * cut.tile_cells();
    if (row < 0) return tile_begin - to_next + (cut.tile - 1) * cut.tile;
    if (row == cut.tile) return tile_begin + to_next;
    return tile_begin + row * cut.tile;
  }
};

}  // namespace gridloom::juggler::jacobi
