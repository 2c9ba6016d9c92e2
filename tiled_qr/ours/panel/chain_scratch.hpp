#pragma once
// The data of a panel's chain, and the condition at which the chain stops; reflectors.hpp gives the
// reasons.

#include <cmath>

#include "ours/panel/tile.hpp"

namespace gridloom::tiled_qr::panels {

/// A chain stops before a column whose weight divided by its remaining length reaches this value.
/// Up to there, an entry of R is wrong by at most about that many units in the last place of its
/// column's weight.
inline constexpr double most_weight = 64;
/// For small matrices the limit is lower. The error of A - QR grows as the square of the weight,
/// and its bound grows as the matrix's longer side. So the limit squared is this constant times the
/// longer side. With 1.3 instead, matrices of 64 × 33 that a search found exceeded the bound by a
/// quarter.
inline constexpr double squared_weight_of_a_row = 0.6;
inline constexpr double least_most_weight = 5;

/// Returns the reciprocal of the largest quotient of weight and length that is allowed for a matrix
/// of this size.
GRIDLOOM_FN inline double least_length(std::int64_t rows, std::int64_t cols) {
  double const wanted =
      std::sqrt(squared_weight_of_a_row * static_cast<double>(rows > cols ? rows : cols));
  if (wanted > most_weight) return 1 / most_weight;
  return 1 / (wanted < least_most_weight ? least_most_weight : wanted);
}

/// A column whose squared norm is below this value counts as zero. Above it the sum of squares is
/// accurate in double. Even an entry of 2e-14 times the column's length then has a square above
/// 2.2e-308, which is a normal number.
template <class Real>
GRIDLOOM_FN constexpr Real least_norm() {
  return sizeof(Real) == sizeof(double) ? Real(1e-280) : Real(1e-32F);
}

/// Input and output of a chain, in a block's shared memory. The chain makes the reflectors of
/// columns first to last - 1.
template <class Real>
struct chain_scratch {
  /// In: the Gram matrix of the panel's rows from row `first` of its top square on. Overwritten.
  square<Real> gram;
  /// In: the panel's top square, after the reflectors before `first`. Out: the square after the new
  /// reflectors, valid below row `last` and right of column `last`.
  square<Real> top;
  /// Out: R, in rows first to last - 1.
  square<Real> r;
  /// Out, in rows first to last - 1. Row c has the entries of reflector c in the top square, with a
  /// one on the diagonal and zeros before it.
  square<Real> reflectors;
  /// Out, in rows first to last - 1. Row c has the multiples of reflector c that are subtracted
  /// from the columns to the right. The diagonal entry is the reciprocal of the reflector's first
  /// entry before scaling. It is 0 for a column of zeros, which has no reflector.
  square<Real> coefficients;
  /// Weights of the columns (reflectors.hpp).
  Real weights[panel_width];
  /// Reciprocals of the square roots of the pivots, which are what is left of the columns' squared
  /// norms.
  Real over_roots[panel_width];
  /// In: the matrix's least_length. It is in shared memory because the chain has no register left.
  Real over_most;
};

/// Whether the rest of a column, with squared norm `pivot`, is long enough compared with its
/// weight.
template <class Real>
GRIDLOOM_FN bool keeps_digits(Real pivot, Real weight, Real over_most) {
  Real const least = weight * over_most;
  return pivot > least * least && pivot > least_norm<Real>();
}

}  // namespace gridloom::tiled_qr::panels
