#pragma once
// Forward substitution with a small upper triangular matrix, for many right sides at once. Each
// warp takes some of the right sides, and each of its threads holds one entry per right side. The
// loops are not unrolled: a thousand instructions that run only once would take longer to load than
// to execute.

#include <utility>

#include "gridloom/group.hpp"
#include "ours/panel/tile.hpp"

namespace gridloom::tiled_qr::panels {

/// How the rows of a square are shared among the warps of a block. A warp takes row `first()` and
/// then every `step()`-th row.
template <class Block>
class warp_rows {
 public:
  /// Number of rows per warp that the code in registers supports.
  static constexpr int at_once = 4;
  GRIDLOOM_FN explicit warp_rows(Block const& block)
      : block_(block), lanes_(block.num_threads() < 32 ? block.num_threads() : 32) {}

  GRIDLOOM_FN int first() const { return block_.thread_rank() / lanes_; }
  GRIDLOOM_FN int step() const { return (block_.num_threads() + lanes_ - 1) / lanes_; }
  /// The v-th row of a warp.
  GRIDLOOM_FN int row(int v) const { return first() + v * step(); }
  /// Sends lane `from`'s entry of each row to all lanes. All rows are sent at once, so that
  /// latencies overlap.
  template <class Real>
  GRIDLOOM_FN void shuffle_all(Real const (&entries)[at_once], int from,
                               Real (&to)[at_once]) const {
    auto const warp = block_.warp();
    GRIDLOOM_UNROLL
    for (int v = 0; v < at_once; ++v) to[v] = warp.shuffle(entries[v], from);
  }
  /// Whether each warp has one thread per column, and `at_once` rows.
  GRIDLOOM_FN bool is_even() const {
    return block_.num_threads() * at_once == panel_width * panel_width;
  }

 private:
  Block const& block_;
  int lanes_;
};

/// Solves x · U = a for each row a of `left`, and writes the solutions to the rows of `x`. May
/// overwrite `left`. U has the entries of `matrix` above its diagonal and 1 / factor(c) on it.
/// Solves columns first to last - 1. Earlier columns do not change. The solved entries of x times
/// their rows of U are subtracted from later columns. Begins and ends with a barrier.
template <class Block, class Real, class Factor>
GRIDLOOM_FN void solve_rows(Block const& block, square<Real> const& matrix, Factor const& factor,
                            int first, int last, square<Real>& left, square<Real>& x) {
  warp_rows const rows(block);
  auto const warp = block.warp();
  int const lane = warp.thread_rank();
  block.sync();
  if (rows.is_even()) {
    Real entries[rows.at_once];
    GRIDLOOM_UNROLL
    for (int v = 0; v < rows.at_once; ++v) entries[v] = left(rows.row(v), lane);
    for (int c = first; c < last; ++c) {
      Real const scale = factor(c);
      Real const taken = matrix(c, lane);
      Real found[rows.at_once];
      rows.shuffle_all(entries, c, found);
      if (lane > c) {
        GRIDLOOM_UNROLL
        for (int v = 0; v < rows.at_once; ++v) entries[v] -= found[v] * scale * taken;
      }
    }
    // A solved column only needs to be multiplied by its factor.
    Real const scale = lane >= first && lane < last ? factor(lane) : Real{1};
    GRIDLOOM_UNROLL
    for (int v = 0; v < rows.at_once; ++v) x(rows.row(v), lane) = entries[v] * scale;
  } else {
    for (int row = rows.first(); row < panel_width; row += rows.step()) {
      for (int c = first; c < last; ++c) {
        Real const entry = left(row, c) * factor(c);
        warp.sync();
        for (int to = lane; to < panel_width; to += warp.num_threads()) {
          if (to > c) left(row, to) -= entry * matrix(c, to);
          if (to == c) left(row, to) = entry;
        }
        warp.sync();
      }
      for (int to = lane; to < panel_width; to += warp.num_threads()) x(row, to) = left(row, to);
    }
  }
  block.sync();
}

}  // namespace gridloom::tiled_qr::panels
