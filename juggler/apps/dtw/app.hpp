#pragma once
// Dynamic time warping as an application of Juggler: the cost of the best match of two series'
// beginnings, for all pairs of lengths (Sakoe and Chiba 1978). A task makes a tile of that matrix:
//
//   D(i, j) = |x_i - y_j| + min(D(i - 1, j), D(i, j - 1), D(i - 1, j - 1))

#include <cmath>

#include "apps/juggler/blocking.hpp"
#include "juggler/task.hpp"

namespace gridloom::juggler::dtw {

inline constexpr int largest_tile = 1024;

/// Tile (i, j).
struct task_data {
  std::int32_t i;
  std::int32_t j;
};

/// A diagonal of a tile, and the two before it. Entry i + 1 is of row i; row -1 and column -1 are of
/// the tiles beside this one.
struct diagonals {
  double of[3][largest_tile + 1];
};

struct app {
  using task_data = dtw::task_data;
  using scratch = diagonals;
  static constexpr int max_threads = 256;

  double const* x;
  double const* y;
  /// In tiles.
  double* costs;
  blocking cut;

  /// Diagonal by diagonal: elements of one need those of the two before, so the block meets after
  /// each.
  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, std::uint32_t, task_data const& of,
                              scratch& shared) const {
    std::int64_t const first_row = std::int64_t{of.i} * cut.tile;
    std::int64_t const first_col = std::int64_t{of.j} * cut.tile;
    int const rows = size_from(first_row);
    int const cols = size_from(first_col);
    double* const tile = costs + cut.begin(of.i, of.j);
    int const rank = block.thread_rank();
    if (rank == 0) {
      line(shared, -2)[0] = before(of, -1, -1);
      line(shared, -1)[0] = before(of, -1, 0);
      line(shared, -1)[1] = before(of, 0, -1);
    }
    block.sync();
    for (int d = 0; d <= rows + cols - 2; ++d) {
      double* const now = line(shared, d);
      double const* const last = line(shared, d - 1);
      double const* const last_but_one = line(shared, d - 2);
      int const top = d < cols ? 0 : d - cols + 1;
      int const bottom = d < rows ? d : rows - 1;
      for (int i = top + rank; i <= bottom; i += block.num_threads()) {
        int const j = d - i;
        double const least = std::fmin(std::fmin(last[i], last[i + 1]), last_but_one[i]);
        double const cost = std::fabs(x[first_row + i] - y[first_col + j]) + least;
        tile[std::int64_t{i} * cut.tile + j] = cost;
        now[i + 1] = cost;
      }
      if (rank == 0 && d + 1 < cols) now[0] = before(of, -1, d + 1);
      if (rank == 0 && d + 1 < rows) now[d + 2] = before(of, d + 1, -1);
      block.sync();
    }
  }

 private:
  GRIDLOOM_FN static double* line(scratch& shared, int d) { return shared.of[(d + 3) % 3]; }
  GRIDLOOM_FN int size_from(std::int64_t first) const {
    std::int64_t const left = cut.rows - first;
    return left < cut.tile ? static_cast<int>(left) : cut.tile;
  }
  /// An element of the row above a tile, or of the column to its left. Nothing is matched before the
  /// series begin.
  GRIDLOOM_FN double before(task_data of, int row, int col) const {
    std::int64_t i = of.i;
    std::int64_t j = of.j;
    if (row < 0) {
      --i;
      row = cut.tile - 1;
    }
    if (col < 0) {
      --j;
      col = cut.tile - 1;
    }
    if (i < 0 && j < 0) return 0;
    if (i < 0 || j < 0) return HUGE_VAL;
    return costs[cut.begin(i, j) + std::int64_t{row} * cut.tile + col];
  }
};

}  // namespace gridloom::juggler::dtw
