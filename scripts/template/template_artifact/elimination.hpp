#pragma once
// The first paragraph of a header says what it is, why this method, and the section of the source.
// The template eliminates a matrix of tiles by a task graph, one tile per task. A task needs the
// tiles to the left of it or above it, and one on the diagonal.

#include <cstdint>
#include <vector>

#include "schedulers/scheduler.hpp"

namespace gridloom::template_artifact {

/// Rows and columns of a tile.
inline constexpr int side = 16;

/// The tasks, a model of block_tasks. Below the diagonal, the results are the columns of L, and
/// elsewhere the rows of U, all multiplied by their number on the diagonal.
struct elimination {
  using scratch = no_scratch;
  static constexpr int max_threads = 256;

  /// Tiles of a row or column of the matrix.
  int tiles;
  /// Array of (tiles × side)² numbers, row after row.
  double* numbers;

  GRIDLOOM_FN static nothing_early read(std::uint32_t /*task*/) { return {}; }
  GRIDLOOM_FN static std::uint32_t type(std::uint32_t /*task*/, nothing_early) { return 0; }

  template <thread_group Block>
  GRIDLOOM_FN void execute(Block const& block, std::uint32_t task, nothing_early, scratch&) const {
    int const n = tiles * side, at = static_cast<int>(task);
    int const row = at / tiles * side, column = at % tiles * side;
    for (int m = 0; m < row + side && m < column + side; ++m) {
      for (int k = block.thread_rank(); k < side * side; k += block.num_threads()) {
        int const r = row + k / side, c = column + k % side;
        if (m >= r || m >= c) continue;
        numbers[r * n + c] -= numbers[r * n + m] * numbers[m * n + c] / numbers[m * n + m];
      }
      block.sync();
    }
  }
};

/// Tile (i, j) is task i × tiles + j. `tiles` is 1 to 100.
[[nodiscard]] csr_graph graph_of(int tiles);

/// A matrix whose results are 1 everywhere.
[[nodiscard]] std::vector<double> matrix_of(int tiles);

/// The schedulers of all artifacts for these tasks.
[[nodiscard]] std::vector<schedulers::scheduler<elimination>> const& all_schedulers();

}  // namespace gridloom::template_artifact
