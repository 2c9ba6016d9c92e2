#pragma once
// The four kernels of a blocked LU decomposition without pivoting (Listings 1 and 3) for tiles of
// any size. One block runs one kernel. large_tiles.hpp is faster for the sizes that it supports.
//
//  lu0   D <- L and U of D = L U, L with a unit diagonal    bdiv  A <- A U⁻¹ of the diagonal tile
//  fwd   A <- L⁻¹ A of the diagonal tile                    bmod  C <- C - A B
//
// A tile may be larger than shared memory, so kernels process squares of `side` rows and columns. A
// panel step solves one row or column of squares, and a product updates the other squares.

#include "apps/lud/view.hpp"
#include "gridloom/group.hpp"

namespace gridloom::juggler::lud {

/// Shared memory of a task. In a product, a thread has PerThread × PerThread elements that are 16
/// rows and columns apart. So neighbouring threads have neighbouring columns.
template <int PerThread>
struct scratch {
  static constexpr int lines = 16;
  static constexpr int side = lines * PerThread;
  /// Columns of A and rows of B that a product loads at once.
  static constexpr int depth = side / 2;
  static constexpr int stride = side + 1;
  double diagonal[side * stride];
  // A square of a panel, or both operands of a product.
  double own[side * stride];
  static_assert(side * (depth + 1) + depth * side == side * stride);
};

/// The threads of a block as rows and columns of a grid that covers a square.
struct thread_grid {
  template <thread_group Block>
  GRIDLOOM_FN explicit thread_grid(Block const& block) {
    int const threads = block.num_threads();
    across = threads < 32 ? threads : 32;
    down = threads / across;
    row = block.thread_rank() / across;
    col = block.thread_rank() % across;
    // Threads beyond the last whole row have no row.
    if (row >= down) row = 1 << 30;
  }
  int down, across;
  int row, col;
};

template <thread_group Block>
GRIDLOOM_FN void copy(Block const& block, view from, view to) {
  thread_grid const grid(block);
  for (int r = grid.row; r < from.rows; r += grid.down) {
    for (int c = grid.col; c < from.cols; c += grid.across) to.at(r, c) = from.at(r, c);
  }
}

/// target <- target - column × row, an outer product.
template <thread_group Block>
GRIDLOOM_FN void subtract_outer(Block const& block, view target, view column, view row) {
  thread_grid const grid(block);
  for (int r = grid.row; r < target.rows; r += grid.down) {
    double const factor = column.at(r, 0);
    for (int c = grid.col; c < target.cols; c += grid.across)
      target.at(r, c) -= factor * row.at(0, c);
  }
}

template <thread_group Block>
GRIDLOOM_FN void divide(Block const& block, view column, double by) {
  for (int r = block.thread_rank(); r < column.rows; r += block.num_threads())
    column.at(r, 0) /= by;
}

/// The three small operations on squares in shared memory. The block must have synchronised since
/// it wrote the squares. It need not synchronise before it reads the results.
template <thread_group Block>
GRIDLOOM_FN void factorise(Block const& block, view d) {
  for (int k = 0; k + 1 < d.rows; ++k) {
    divide(block, d.from(k + 1, k), d.at(k, k));
    block.sync();
    subtract_outer(block, d.from(k + 1, k + 1), d.from(k + 1, k), d.from(k, k + 1));
    block.sync();
  }
}
template <thread_group Block>
GRIDLOOM_FN void solve_lower(Block const& block, view l, view a) {
  for (int k = 0; k + 1 < l.rows; ++k) {
    subtract_outer(block, a.from(k + 1, 0), l.from(k + 1, k), a.from(k, 0));
    block.sync();
  }
}
template <thread_group Block>
GRIDLOOM_FN void solve_upper(Block const& block, view u, view a) {
  for (int k = 0; k < u.rows; ++k) {
    divide(block, a.from(0, k), u.at(k, k));
    block.sync();
    if (k + 1 < u.rows) subtract_outer(block, a.from(0, k + 1), a.from(0, k), u.from(k, k + 1));
    block.sync();
  }
}

/// c <- c - a b, all in global memory. If this block wrote an operand, it must have synchronised
/// since. The function ends with a barrier.
template <int PerThread, thread_group Block>
GRIDLOOM_FN void subtract_product(Block const& block, view c, view a, view b,
                                  scratch<PerThread>& shared) {
  using room = scratch<PerThread>;
  constexpr int side = room::side;
  constexpr int depth = room::depth;
  constexpr int lines = room::lines;
  constexpr int left_stride = depth + 1;
  double* const left = shared.own;
  double* const right = shared.own + side * left_stride;
  int const rank = block.thread_rank();
  int const threads = block.num_threads();
  for (int i = 0; i < c.rows; i += side) {
    for (int j = 0; j < c.cols; j += side) {
      view const target = c.part(i, j, side, side);
      for (int k = 0; k < a.cols; k += depth) {
        view const part_a = a.part(i, k, side, depth);
        view const part_b = b.part(k, j, depth, side);
        for (int e = rank; e < side * depth; e += threads) {
          int const r = e / depth, s = e % depth;
          left[r * left_stride + s] = r < part_a.rows && s < part_a.cols ? part_a.at(r, s) : 0;
        }
        for (int e = rank; e < depth * side; e += threads) {
          int const s = e / side, q = e % side;
          right[e] = s < part_b.rows && q < part_b.cols ? part_b.at(s, q) : 0;
        }
        block.sync();
        for (int square = rank; square < lines * lines; square += threads) {
          int const r = square / lines, q = square % lines;
          if (r >= target.rows || q >= target.cols) continue;
          double sum[PerThread][PerThread] = {};
          for (int s = 0; s < part_a.cols; ++s) {
            double x[PerThread], y[PerThread];
            GRIDLOOM_UNROLL
            for (int t = 0; t < PerThread; ++t) {
              x[t] = left[(r + lines * t) * left_stride + s];
              y[t] = right[s * side + q + lines * t];
            }
            GRIDLOOM_UNROLL
            for (int t = 0; t < PerThread; ++t) {
              GRIDLOOM_UNROLL
              for (int u = 0; u < PerThread; ++u) sum[t][u] += x[t] * y[u];
            }
          }
          GRIDLOOM_UNROLL
          for (int t = 0; t < PerThread; ++t) {
            GRIDLOOM_UNROLL
            for (int u = 0; u < PerThread; ++u) {
              if (r + lines * t < target.rows && q + lines * u < target.cols)
                target.at(r + lines * t, q + lines * u) -= sum[t][u];
            }
          }
        }
        block.sync();
      }
    }
  }
}

/// Copies a square to shared memory.
template <int PerThread, thread_group Block>
GRIDLOOM_FN view bring(Block const& block, view square, double* room) {
  view const copied{room, scratch<PerThread>::stride, square.rows, square.cols};
  copy(block, square, copied);
  return copied;
}

/// Solves `panel`, a row of squares, with the lower triangle of `diagonal` in shared memory.
template <int PerThread, thread_group Block>
GRIDLOOM_FN void solve_row(Block const& block, view diagonal, view panel,
                           scratch<PerThread>& shared) {
  constexpr int side = scratch<PerThread>::side;
  for (int j = 0; j < panel.cols; j += side) {
    view const square = panel.part(0, j, side, side);
    view const own = bring<PerThread>(block, square, shared.own);
    block.sync();
    solve_lower(block, diagonal, own);
    copy(block, own, square);
    block.sync();
  }
}
/// Solves `panel`, a column of squares, with the upper triangle of `diagonal`.
template <int PerThread, thread_group Block>
GRIDLOOM_FN void solve_column(Block const& block, view diagonal, view panel,
                              scratch<PerThread>& shared) {
  constexpr int side = scratch<PerThread>::side;
  for (int i = 0; i < panel.rows; i += side) {
    view const square = panel.part(i, 0, side, side);
    view const own = bring<PerThread>(block, square, shared.own);
    block.sync();
    solve_upper(block, diagonal, own);
    copy(block, own, square);
    block.sync();
  }
}

template <int PerThread, thread_group Block>
GRIDLOOM_FN void lu0(Block const& block, view d, scratch<PerThread>& shared) {
  constexpr int side = scratch<PerThread>::side;
  for (int k = 0; k < d.rows; k += side) {
    view const square = d.part(k, k, side, side);
    view const diagonal = bring<PerThread>(block, square, shared.diagonal);
    block.sync();
    factorise(block, diagonal);
    copy(block, diagonal, square);
    int const next = k + side;
    if (next >= d.rows) return;
    solve_row(block, diagonal, d.part(k, next, side, d.cols), shared);
    solve_column(block, diagonal, d.part(next, k, d.rows, side), shared);
    subtract_product(block, d.from(next, next), d.part(next, k, d.rows, side),
                     d.part(k, next, side, d.cols), shared);
  }
}

template <int PerThread, thread_group Block>
GRIDLOOM_FN void fwd(Block const& block, view l, view a, scratch<PerThread>& shared) {
  constexpr int side = scratch<PerThread>::side;
  for (int k = 0; k < l.rows; k += side) {
    view const diagonal = bring<PerThread>(block, l.part(k, k, side, side), shared.diagonal);
    view const panel = a.part(k, 0, side, a.cols);
    solve_row(block, diagonal, panel, shared);
    int const next = k + side;
    if (next >= l.rows) return;
    subtract_product(block, a.from(next, 0), l.part(next, k, l.rows, side), panel, shared);
  }
}

template <int PerThread, thread_group Block>
GRIDLOOM_FN void bdiv(Block const& block, view u, view a, scratch<PerThread>& shared) {
  constexpr int side = scratch<PerThread>::side;
  for (int k = 0; k < u.rows; k += side) {
    view const diagonal = bring<PerThread>(block, u.part(k, k, side, side), shared.diagonal);
    view const panel = a.part(0, k, a.rows, side);
    solve_column(block, diagonal, panel, shared);
    int const next = k + side;
    if (next >= u.rows) return;
    subtract_product(block, a.from(0, next), panel, u.part(k, next, side, u.cols), shared);
  }
}

}  // namespace gridloom::juggler::lud
