#pragma once
// Computes the Householder reflectors of a panel from its Gram matrix and its top square alone. One
// such computation is a chain: the reflectors are made one after another, from a first column up to
// a last one.
//
// The usual way reads all rows of the panel twice per column. First it sums over the rows, for the
// column's norm and its products with the columns to the right. Then it applies the reflector to
// the rows. On a GPU each of the two needs a barrier of all blocks that hold rows. A QR of moderate
// size spends most of its time in these barriers. But a reflector is orthogonal and leaves the
// panel's Gram matrix unchanged. Subtracting the finished row of R gives the Gram matrix of the
// remaining rows. So a single sum over the rows gives all norms and products of the panel. The top
// square gives the reflector's first entry and R's row. The other rows follow by a triangular
// solve, each row on its own.
//
// Subtraction loses digits where columns nearly depend on each other, because the Gram matrix has
// the square of the panel's condition. So each column has a weight: the sum of the lengths of what
// was subtracted from it. If the weight is much larger than the column's remaining length
// (chain_scratch.hpp), the chain stops before that column. The caller then makes a new Gram matrix
// of the remaining rows and columns. The first column of a chain is exact, so every chain makes
// progress, and dependent columns only take more chains. The remaining length alone is no
// sufficient test. Kahan's matrix keeps all its columns long while it loses a digit every few
// columns.
//
// The results are LAPACK's: reflectors with a unit first entry, R, and factors tau.

#include <cmath>

#include "gridloom/reciprocal.hpp"
#include "ours/panel/chain_in_registers.hpp"
#include "ours/panel/chain_scratch.hpp"
#include "ours/panel/substitution.hpp"

namespace gridloom::tiled_qr::panels {

namespace detail {

/// Subtracts the matrix's column c times factor(col), below and right of c. Ends with a barrier.
template <class Block, class Real, class Factor>
GRIDLOOM_FN void subtract_outer(Block const& block, int c, square<Real>& matrix,
                                Factor const& factor) {
  int const left = panel_width - c - 1;
  for (int e = block.thread_rank(); e < left * left; e += block.num_threads()) {
    int const row = c + 1 + e / left;
    int const col = c + 1 + e % left;
    matrix(row, col) -= matrix(row, c) * factor(col);
  }
  block.sync();
}

/// Makes a chain in shared memory: applies one reflector after another to the Gram matrix and the
/// top square. Returns the first column for which it makes no reflector. Ends with a barrier.
template <class Block, class Real>
GRIDLOOM_FN int chain_in_memory(Block const& block, int first, chain_scratch<Real>& s) {
  for (int c = first; c < panel_width; ++c) {
    Real const pivot = s.gram(c, c);
    Real const weight = s.weights[c];
    if (c > first && !keeps_digits(pivot, weight, s.over_most)) return c;
    Real const over_root = reciprocal_root(pivot);
    reciprocal<Real> const over_pivot(pivot);
    Real const sign = s.top(c, c) > 0 ? Real{1} : Real{-1};
    reciprocal<Real> const scale(s.top(c, c) + sign * (pivot * over_root));
    block.sync();
    for (int col = c + block.thread_rank(); col < panel_width; col += block.num_threads()) {
      if (col == c) s.over_roots[c] = over_root;
      if (col > c) s.weights[col] += std::abs(over_pivot.times(s.gram(c, col))) * weight;
    }
    subtract_outer(block, c, s.top, [&](int col) {
      return scale.times(s.top(c, col) + sign * (s.gram(c, col) * over_root));
    });
    subtract_outer(block, c, s.gram, [&](int col) { return over_pivot.times(s.gram(c, col)); });
  }
  return panel_width;
}

/// Writes R, reflectors and coefficients of columns first to last - 1. They follow from the two
/// matrices after the chain, because the chain does not change rows and columns that it has used.
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

/// Handles columns of zeros. They have no reflector, and R's row is the row of the top square.
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

/// Makes the reflectors from column `first` on. Returns `last`, the first column that it leaves to
/// the next chain, at least first + 1. Called by all threads of the block; begins and ends with a
/// barrier.
///
/// A reflector is applied to the Gram matrix one step earlier than to the top square. The Gram
/// matrix needs nothing from the square, while the square needs one root per column of the Gram
/// matrix.
template <class Block, class Real>
GRIDLOOM_FN int reflectors_of_gram(Block const& block, int first, chain_scratch<Real>& s) {
  block.sync();
  int zeros = first;
  while (zeros < panel_width && !(s.gram(zeros, zeros) > least_norm<Real>())) ++zeros;
  if (zeros > first) {
    // NaN takes this branch, too: the results are then NaN, but the panel ends.
    int const last = zeros == panel_width ? panel_width : first + 1;
    detail::pass_zero_columns(block, first, last, s);
    return last;
  }
  GRIDLOOM_NO_UNROLL
  for (int c = block.thread_rank(); c < panel_width; c += block.num_threads())
    s.weights[c] = std::sqrt(s.gram(c, c));
  block.sync();
  int const last = warp_rows(block).is_even() ? register_chain(block, s).run(first)
                                              : detail::chain_in_memory(block, first, s);
  detail::write_results(block, first, last, s);
  return last;
}

/// Applies the reflectors of a chain to rows [begin, end) of a tile. Columns first to last - 1
/// become reflectors, and columns to the right are updated. Rows are independent. Ends without a
/// barrier.
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

/// Writes the identity. Ends with a barrier.
template <class Block, class Real>
GRIDLOOM_FN void set_identity(Block const& block, square<Real>& to) {
  for (int e = block.thread_rank(); e < panel_width * panel_width; e += block.num_threads())
    to(e / panel_width, e % panel_width) = Real(e / panel_width == e % panel_width);
  block.sync();
}

/// Computes T of the block reflector I - V T Vᵀ from VᵀV, as the inverse of its strict upper
/// triangle plus half its diagonal. With this T the block reflector is orthogonal to the last digit
/// for any V. Column c of T is zero if `coefficients` has no reflector c. `taus` gets T's diagonal,
/// which holds the reflectors' factors. Ends with a barrier.
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
