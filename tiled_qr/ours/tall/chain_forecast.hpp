#pragma once
// Estimates the cost of the two ways to go on: further steps, or chains of reflectors over the rows
// as they are (stream/memory.hpp).
//
// A chain ends before the first column whose weight says that too many digits are lost
// (panel/reflectors.hpp). Norms and weights follow from the Gram matrix, and so from its triangle
// R. Consider a chain that begins at row f. The norm of column c is the norm of R's column c from
// row f on. The multiple of column k that is subtracted from column c is R_kc / R_kk. So the chains
// of all panels can be counted before a chain is made.
//
// The count is right if Cholesky's factorisation succeeds without a shift. With a shift, a column
// whose diagonal entry comes mostly from the shift may hide more chains. Without a correction, less
// than half would be counted for Hilbert's matrix of 256 columns. So such columns increase their
// panel's count, which at most doubles.

#include <cmath>

#include "gridloom/reciprocal.hpp"
#include "ours/tall/cholesky_memory.hpp"

namespace gridloom::tiled_qr {

/// The cost of steps, in units of one chain. It was fitted to 64 and 256 columns and to 100,000 and
/// 1,000,000 rows, on an H100 and an H200. Refined steps count a third more than they take, because
/// triangles that need refinement may take more steps than cost_of_steps expects. Below 16,000
/// rows, chains are faster than this estimate.
struct step_costs {
  GRIDLOOM_FN static work_real plain(int panels) { return 0.8 + 0.45 * panels; }
  GRIDLOOM_FN static work_real refined(int panels) { return 1.5 + 0.9 * panels; }
  /// Share of a plain step's time that has passed when it decides between further steps and chains.
  static constexpr work_real begun = 0.4;
  /// Time to form Q from the reflectors of chains, in units of a plain step.
  static constexpr work_real forming = 0.6;
};

/// Returns the cost of this step and all later ones, in units of one chain. One last, plain step
/// always follows. If this step has a shift, more steps of its kind come before: one if it is
/// refined, and one for matrices of double. These numbers were measured on test matrices.
template <class Real>
GRIDLOOM_FN work_real cost_of_steps(tall_plan const& plan, int panels) {
  work_real const plain = step_costs::plain(panels);
  work_real const each = plan.is_refined ? step_costs::refined(panels) : plain;
  int like_this = 1;
  if (plan.variant != 0) like_this += (plan.is_refined ? 1 : 0) + (sizeof(Real) == sizeof(double));
  return like_this * each + (1 - step_costs::begun) * plain;
}

/// Largest number of steps with a shift. After two of them only rounding limits the condition,
/// except for triangles such as Kahan's, which keep their condition.
inline constexpr int most_shifted_steps = 2;

struct forecast_scratch {
  square<work_real> triangle;
  work_real weights[panel_width];
};

/// Counts the chains of the panel whose diagonal square of R is `shared.triangle`. `over_most` is
/// the matrix's least_length. All threads of the block call it and get the same result. Begins and
/// ends with a barrier.
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

/// Returns the number of columns that may hide chains, because most of what is left of them comes
/// from the shift.
GRIDLOOM_FN inline int hidden_columns(square<work_real> const& triangle, work_real shift) {
  int hidden = 0;
  for (int c = 0; c < panel_width; ++c)
    hidden += triangle(c, c) * triangle(c, c) < 2 * shift ? 1 : 0;
  return hidden;
}

}  // namespace gridloom::tiled_qr
