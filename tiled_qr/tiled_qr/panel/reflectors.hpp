#pragma once
// The Householder reflectors of a panel from its Gram matrix and its top square alone.
//
// The usual way needs all rows of the panel twice a column: one sum over them for the column's norm
// and its products with the columns to the right, one pass to apply the reflector. On a GPU each is
// a meeting of all that hold rows, and the chain of meetings is what a QR factorisation of moderate
// size waits for. But a reflector is orthogonal: it leaves the panel's Gram matrix as it is, and when
// the finished row is taken away the Gram matrix of the rest is known. So one sum over the rows gives
// all norms and products of the panel, and the panel's top square gives what else a reflector needs:
// its own entry and those of its row. The rest of the rows follows by a triangular solve, each row by
// itself.
//
// What it costs: entries got by subtraction lose digits where columns nearly depend on each other
// (Cholesky's factorisation of a Gram matrix has the square of the panel's condition). So each column
// carries the sum of the lengths of what was subtracted from it, its weight. Where that is far longer
// than what is left, the chain stops before the column, and the caller sums anew over what is left of
// the panel. The first column of a chain is exact, so every panel ends; columns that depend on each
// other only make it slower. Weights, not lengths alone: Kahan's matrix keeps all its columns long
// while it loses a digit every few columns.
//
// The results are LAPACK's: reflectors with a unit first entry, R, and factors tau.

#include <cmath>

#include "tiled_qr/panel/reciprocal.hpp"
#include "tiled_qr/panel/substitution.hpp"
#include "tiled_qr/panel/tile.hpp"

namespace gridloom::tiled_qr::panels {

/// Weight over length at which a chain stops: an entry of R is then wrong by at most this many units
/// in the last place of its column's length.
inline constexpr double most_weight = 64;

/// A squared norm below this is a zero column's: its square would not be a normal number.
template <class Real>
GRIDLOOM_FN constexpr Real least_norm() {
  return sizeof(Real) == sizeof(double) ? Real(1e-280) : Real(1e-32F);
}

/// What a chain works on and leaves behind, in a block's shared memory.
template <class Real>
struct chain_scratch {
  /// In: the Gram matrix of the rows from the top square's row `first` on. Used up.
  square<Real> gram;
  /// In: the panel's top square, as the reflectors before `first` left it. Out: the same after the
  /// new reflectors, below row `last` and right of column `last`.
  square<Real> top;
  /// Out, rows first to last - 1: R.
  square<Real> r;
  /// Out, rows first to last - 1: row c is reflector c within the top square; a one on the diagonal,
  /// zeros before it.
  square<Real> reflectors;
  /// Out, rows first to last - 1: row c says how much of reflector c is taken from each column to
  /// the right; on the diagonal the reciprocal of its first entry before scaling, 0 for a column of
  /// zeros, whose reflector is none.
  square<Real> coefficients;
  /// Of each column.
  Real weights[panel_width];
  /// One over the roots of the pivots.
  Real over_roots[panel_width];
  /// Row of the Gram matrix over the root of its pivot, by the parity of the column.
  Real row_over_root[2][panel_width];
};

namespace detail {

/// Threads that share a matrix: a column each, and every `row_step`-th row of it.
struct part_of_block {
  int lanes;
  int col;
  int row;
  int row_step;

  GRIDLOOM_FN part_of_block(int rank, int size)
      : lanes(size < panel_width ? size : panel_width),
        col(rank % lanes),
        row(rank / lanes),
        row_step(size / lanes) {}
};

/// matrix(row, col) -= column(row) · factor(col) for all rows and columns beyond c. Loads are made
/// before the factor is asked for: its latency is the chain's.
template <class Real, class Column, class Factor>
GRIDLOOM_FN void subtract_outer(part_of_block part, int c, square<Real>& matrix,
                                Column const& column, Factor const& factor) {
  constexpr int batch = 8;
  int const begin = c + 1 + part.row;
  if (part.row >= part.row_step) return;  // threads that fill no whole row
  for (int col = part.col; col < panel_width; col += part.lanes) {
    if (col <= c) continue;
    for (int row = begin; row < panel_width; row += batch * part.row_step) {
      Real own[batch];
      Real left[batch];
      GRIDLOOM_UNROLL
      for (int q = 0; q < batch; ++q) {
        int const at = row + q * part.row_step;
        if (at < panel_width) {
          own[q] = matrix(at, col);
          left[q] = column(at);
        }
      }
      Real const right = factor(col);
      GRIDLOOM_UNROLL
      for (int q = 0; q < batch; ++q) {
        int const at = row + q * part.row_step;
        if (at < panel_width) matrix(at, col) = own[q] - left[q] * right;
      }
    }
  }
}

/// Takes the outer product of row c out of the Gram matrix.
template <class Real>
GRIDLOOM_FN void reduce_gram(part_of_block part, int c, chain_scratch<Real>& s) {
  reciprocal<Real> const pivot(s.gram(c, c));
  subtract_outer(
      part, c, s.gram, [&](int row) { return s.gram(c, row); },
      [&](int col) { return pivot.times(s.gram(c, col)); });
}

/// What else column c's pivot is good for.
template <class Real>
GRIDLOOM_FN void take_root(int rank, int size, int c, chain_scratch<Real>& s) {
  Real const over_root = reciprocal_root(s.gram(c, c));
  for (int col = rank; col < panel_width; col += size) {
    Real const over = s.gram(c, col) * over_root;
    s.row_over_root[c & 1][col] = over;
    if (col > c) s.weights[col] += std::abs(over * over_root) * s.weights[c];
    if (col == c) s.over_roots[c] = over_root;
  }
}

/// Applies reflector c to the top square. R's entry has the sign that makes the reflector's first
/// entry a sum, not a difference.
template <class Real>
GRIDLOOM_FN void reflect_top(part_of_block part, int c, chain_scratch<Real>& s) {
  Real const* const row_of_r = s.row_over_root[c & 1];
  Real const sign = s.top(c, c) > 0 ? Real{1} : Real{-1};
  reciprocal<Real> const scale(s.top(c, c) + sign * row_of_r[c]);
  subtract_outer(
      part, c, s.top, [&](int row) { return s.top(row, c); },
      [&](int col) { return scale.times(s.top(c, col) + sign * row_of_r[col]); });
}

/// R, reflectors and coefficients of columns first to last - 1, from what the chain has left of the
/// two matrices: it does not touch a row and a column again once it has used them.
template <class Block, class Real>
GRIDLOOM_FN void write_results(Block const& block, int first, int last, chain_scratch<Real>& s) {
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
  for (int e = block.thread_rank(); e < (last - first) * panel_width; e += block.num_threads()) {
    int const c = first + e / panel_width;
    int const other = e % panel_width;
    Real const sign = s.top(c, c) > 0 ? Real{1} : Real{-1};
    Real const over_root = s.over_roots[c];
    Real const r = s.gram(c, other) * over_root;
    reciprocal<Real> const scale(s.top(c, c) + sign * (s.gram(c, c) * over_root));
    s.r(c, other) = other >= c ? -sign * r : Real{0};
    s.coefficients(c, other) = other > c    ? s.top(c, other) + sign * r
                               : other == c ? scale.value()
                                            : Real{0};
    s.reflectors(c, other) = other > c    ? scale.times(s.top(other, c))
                             : other == c ? Real{1}
                                          : Real{0};
  }
  block.sync();
}

/// A column of zeros (or all that are left): no reflector, and R's row is the top square's.
template <class Block, class Real>
GRIDLOOM_FN void pass_zero_columns(Block const& block, int first, int last,
                                   chain_scratch<Real>& s) {
  for (int e = block.thread_rank(); e < (last - first) * panel_width; e += block.num_threads()) {
    int const c = first + e / panel_width;
    int const other = e % panel_width;
    s.r(c, other) = other >= c ? s.top(c, other) : Real{0};
    s.coefficients(c, other) = 0;
    s.reflectors(c, other) = other == c ? Real{1} : Real{0};
  }
  block.sync();
}

}  // namespace detail

/// Whether what is left of column c is long enough beside its weight.
template <class Real>
GRIDLOOM_FN bool keeps_digits(int c, chain_scratch<Real> const& s) {
  Real const weight = s.weights[c] * Real{1 / most_weight};
  return s.gram(c, c) > weight * weight && s.gram(c, c) > least_norm<Real>();
}

/// The reflectors from column `first` on; returns `last`, the first column that they leave out, at
/// least first + 1. Called by all threads of the block, begins and ends with a barrier.
///
/// The Gram matrix is one column ahead of the top square: its chain does not need the square's, and
/// the other way round only by one root a column. Where there are warps enough, one takes roots, half
/// of the others have the one matrix, half the other.
template <class Block, class Real>
GRIDLOOM_FN int reflectors_of_gram(Block const& block, int first, chain_scratch<Real>& s) {
  block.sync();
  int zeros = first;
  while (zeros < panel_width && !(s.gram(zeros, zeros) > least_norm<Real>())) ++zeros;
  if (zeros > first) {
    // NaN passes here, too: who gives NaN gets NaN, but an end.
    int const last = zeros == panel_width ? panel_width : first + 1;
    detail::pass_zero_columns(block, first, last, s);
    return last;
  }
  for (int c = block.thread_rank(); c < panel_width; c += block.num_threads())
    s.weights[c] = std::sqrt(s.gram(c, c));
  block.sync();

  int const rank = block.thread_rank();
  int const size = block.num_threads();
  bool const split = size >= 4 * panel_width;
  int const roots_from = split ? size - panel_width : 0;
  int const half = split ? roots_from / (2 * panel_width) * panel_width : size;
  bool const roots = rank >= roots_from;
  bool const ahead = !split || rank < half;
  bool const behind = !split || (rank >= half && !roots);
  auto const part = !split || ahead ? detail::part_of_block(rank, half)
                                    : detail::part_of_block(rank - half, roots_from - half);
  int last = panel_width;
  for (int c = first; c <= last; ++c) {
    // What a column that fails changes below is not used again.
    bool const stops = c > first && c < panel_width && !keeps_digits(c, s);
    if (c < panel_width) {
      if (ahead) detail::reduce_gram(part, c, s);
      if (roots) detail::take_root(rank - roots_from, split ? panel_width : size, c, s);
    }
    if (behind && c > first) detail::reflect_top(part, c - 1, s);
    block.sync();
    if (stops) last = c;
    if (last == c) break;
  }
  detail::write_results(block, first, last, s);
  return last;
}

/// Rows [begin, end) of a tile after the same reflectors: columns first to last - 1 become
/// reflectors, those to the right what is left of them. Each row by itself; ends without a barrier.
template <class Block, class Real, int Rows>
GRIDLOOM_FN void reflect_rows(Block const& block, square<Real> const& coefficients, int first,
                              int last, int begin, int end, panel_tile<Real, Rows>& tile) {
  if (first == 0 && last == panel_width) {
    for (int row = begin + block.thread_rank(); row < end; row += block.num_threads()) {
      Real entries[panel_width];
      GRIDLOOM_UNROLL
      for (int c = 0; c < panel_width; ++c) entries[c] = tile(row, c);
      GRIDLOOM_UNROLL
      for (int c = 0; c < panel_width; ++c) {
        entries[c] *= coefficients(c, c);
        GRIDLOOM_UNROLL
        for (int to = c + 1; to < panel_width; ++to)
          entries[to] -= entries[c] * coefficients(c, to);
      }
      GRIDLOOM_UNROLL
      for (int c = 0; c < panel_width; ++c) tile(row, c) = entries[c];
    }
    return;
  }
  for (int row = begin + block.thread_rank(); row < end; row += block.num_threads()) {
    for (int c = first; c < last; ++c) {
      Real const entry = tile(row, c) * coefficients(c, c);
      tile(row, c) = entry;
      for (int to = c + 1; to < panel_width; ++to) tile(row, to) -= entry * coefficients(c, to);
    }
  }
}

/// Ends with a barrier.
template <class Block, class Real>
GRIDLOOM_FN void set_identity(Block const& block, square<Real>& to) {
  for (int e = block.thread_rank(); e < panel_width * panel_width; e += block.num_threads())
    to(e / panel_width, e % panel_width) = Real(e / panel_width == e % panel_width);
  block.sync();
}

/// T of the block reflector I - V T Vᵀ from VᵀV: the inverse of its strict upper triangle plus half
/// its diagonal, so that the block reflector is orthogonal to the last digit whatever V is. Column c
/// of T is zero where `coefficients` says that there is no reflector. Its diagonal, the reflectors'
/// factors, stands in `taus`, too. Ends with a barrier.
template <class Block, class Real>
GRIDLOOM_FN void block_reflector(Block const& block, square<Real> const& products,
                                 square<Real> const& coefficients, Real (&taus)[panel_width],
                                 square<Real>& scratch, square<Real>& t) {
  for (int c = block.thread_rank(); c < panel_width; c += block.num_threads())
    taus[c] = coefficients(c, c) == 0 ? Real{0} : reciprocal<Real>(products(c, c) / 2).value();
  block.sync();
  set_identity(block, scratch);
  solve_rows(
      block, products, [&](int c) { return taus[c]; }, 0, panel_width, scratch, t);
}

}  // namespace gridloom::tiled_qr::panels
