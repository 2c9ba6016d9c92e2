#pragma once
// What a step expects of the two ways that are left to it: steps, and chains of reflectors over the rows
// as they are (stream/memory.hpp).
//
// A chain of a panel ends before the first column whose weight says that too many digits are gone
// (panel/reflectors.hpp). Norms and weights follow from the Gram matrix alone, thus from its triangle R:
// in a chain from row f on, a column's norm is that of its entries of R from row f on, and what is
// subtracted of column k is R_kc / R_kk. So the chains of all panels are counted before any of them is made.
//
// The count is right where Cholesky's factorisation without a shift has a triangle. Where it has none, a
// column whose entry of the diagonal is no longer than the shift may hide more: of Hilbert's matrix of 256
// columns not half of the chains are counted. Of a panel of such columns the count is taken twice.

#include <cmath>

#include "gridloom/reciprocal.hpp"
#include "tiled_qr/tall/cholesky_memory.hpp"

namespace gridloom::tiled_qr {

/// Times of steps in chains, fitted to 64 and 256 columns and 100,000 and 1,000,000 rows on an H100 and an H200.
/// Refined steps are said to take some third longer than they do: triangles that need them may take more steps than
/// cost_of_steps expects. With fewer rows than some 16,000 chains are quicker than this says.
struct step_costs {
  GRIDLOOM_FN static work_real plain(int panels) { return 0.8 + 0.45 * panels; }
  GRIDLOOM_FN static work_real refined(int panels) { return 1.5 + 0.9 * panels; }
  /// Of a plain step, what it has spent when it decides.
  static constexpr work_real begun = 0.4;
  /// Of a plain step, what it takes to form Q of the reflectors that chains leave.
  static constexpr work_real forming = 0.6;
};

/// What the steps from this one on take, in chains, as matrices were seen to go. After a step without a
/// shift comes the last. After one with a shift comes another with a shift if it is refined, and in double
/// one without.
template <class Real>
GRIDLOOM_FN work_real cost_of_steps(tall_plan const& plan, int panels) {
  work_real const plain = step_costs::plain(panels);
  work_real const each = plan.is_refined ? step_costs::refined(panels) : plain;
  int like_this = 1;
  if (plan.variant != 0) like_this += (plan.is_refined ? 1 : 0) + (sizeof(Real) == sizeof(double));
  return like_this * each + (1 - step_costs::begun) * plain;
}

/// Two take what rounding leaves of any condition, but of triangles such as Kahan's, which keep theirs.
inline constexpr int most_shifted_steps = 2;

struct forecast_scratch {
  square<work_real> triangle;
  work_real weights[panel_width];
};

/// The chains of a panel whose diagonal square of R is `shared.triangle`; `over_most` is the matrix's
/// least_length. All threads of the block call it, and it returns the same to all. Begins and ends with a
/// barrier.
template <class Block>
GRIDLOOM_FN int count_chains(Block const& block, work_real over_most, forecast_scratch& shared) {
  square<work_real> const& r = shared.triangle;
  work_real* const weights = shared.weights;
  int chains = 0;
  for (int first = 0; first < panel_width; ++chains) {
    block.sync();
    for (int c = first + block.thread_rank(); c < panel_width; c += block.num_threads()) {
      work_real squares = 0;
      for (int row = first; row <= c; ++row) squares += r(row, c) * r(row, c);
      weights[c] = std::sqrt(squares);
    }
    block.sync();
    int last = first;
    for (; last < panel_width; ++last) {
      work_real const pivot = r(last, last);
      work_real const weight = weights[last];
      if (last > first && !panels::keeps_digits(pivot * pivot, weight, over_most)) break;
      work_real const over = reciprocal<work_real>(pivot).value();
      for (int c = last + 1 + block.thread_rank(); c < panel_width; c += block.num_threads())
        weights[c] += std::abs(r(last, c) * over) * weight;
      block.sync();
    }
    first = last;
  }
  block.sync();
  return chains;
}

/// Columns that may hide chains: what a shift has added is most of what is left of them.
GRIDLOOM_FN inline int hidden_columns(square<work_real> const& triangle, work_real shift) {
  int hidden = 0;
  for (int c = 0; c < panel_width; ++c)
    hidden += triangle(c, c) * triangle(c, c) < 2 * shift ? 1 : 0;
  return hidden;
}

}  // namespace gridloom::tiled_qr
