#pragma once
// Forward substitution with a small upper triangular matrix, for many right sides at once. A warp has
// some of the right sides, and its threads an entry each of what is left of them. In short loops: code
// that runs once is waited for by the line, and written out this would be a thousand instructions.

#include <utility>

#include "gridloom/group.hpp"
#include "tiled_qr/panel/tile.hpp"

namespace gridloom::tiled_qr::panels {

/// The warp of a block that a thread belongs to, among its warps.
template <class Block>
struct warp_place {
  decltype(std::declval<Block const&>().warp()) warp;
  int index;
  int count;

  GRIDLOOM_FN explicit warp_place(Block const& block)
      : warp(block.warp()),
        index(block.thread_rank() / whole(block)),
        count((block.num_threads() + whole(block) - 1) / whole(block)) {}

 private:
  GRIDLOOM_FN static int whole(Block const& block) {
    return block.num_threads() < 32 ? block.num_threads() : 32;
  }
};

/// x · U = a for each row a of `left`, which is used up, where U has `matrix` above its diagonal and
/// 1 / factor(c) on it: columns first to last - 1; those before stay, and of those behind x takes its
/// part. Ends with a barrier.
template <class Block, class Real, class Factor>
GRIDLOOM_FN void solve_rows(Block const& block, square<Real> const& matrix, Factor const& factor,
                            int first, int last, square<Real>& left, square<Real>& x) {
  warp_place<Block> const place(block);
  auto const& warp = place.warp;
  for (int c = first; c < last; ++c) {
    Real const scale = factor(c);
    for (int row = place.index; row < panel_width; row += place.count) {
      Real const entry = left(row, c) * scale;
      for (int to = warp.thread_rank(); to < panel_width; to += warp.num_threads()) {
        if (to > c) left(row, to) -= entry * matrix(c, to);
        if (to == c) x(row, c) = entry;
      }
    }
    warp.sync();
  }
  for (int row = place.index; row < panel_width; row += place.count)
    for (int c = warp.thread_rank(); c < panel_width; c += warp.num_threads())
      if (c < first || c >= last) x(row, c) = left(row, c);
  block.sync();
}

}  // namespace gridloom::tiled_qr::panels
