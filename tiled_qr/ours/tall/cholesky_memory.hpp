#pragma once
// The data that the steps of shifted CholeskyQR exchange (cholesky_panels.hpp), and how their small
// matrices are cut.
//
// Squares of 32 × 32 are row-major. The squares of an upper triangle are stored in the order of
// block_pair. Beyond the matrix's columns, triangles are the identity, so that no kernel has to
// handle edges.

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "ours/panel/chain_scratch.hpp"
#include "ours/panel/substitution.hpp"
#include "ours/tall/row_stages.hpp"

namespace gridloom::tiled_qr {

using panels::square;

enum class tall_outcome : int {
  /// The next step continues with the rows as they are.
  going,
  /// The rows are orthogonal enough: the step writes reflectors, or Q.
  last,
  /// No triangle is good enough, or chains are faster. The rows stay as the last step left them.
  to_chains
};

/// The decision of a step, in device memory.
struct tall_plan {
  tall_outcome outcome;
  /// Number of the chosen triangle.
  int variant;
  /// Whether the product with the inverse is refined (pass_rows_kernel.hpp). The last step is not.
  bool is_refined;
};

/// Number of triangles that a step tries: one of the Gram matrix itself, and two with a shift.
inline constexpr int variants = 3;

/// Returns the shift: some units of rounding times the width n. The Gram matrix and its
/// factorisation have errors of this size, because columns have lengths in [1, 2). (Fukaya and
/// others, 2020, take 11 (m n + n (n + 1)) u |A|². Here sums are made in parts, so their errors are
/// far smaller than m n units. The second shift covers cases where the first is too small.)
GRIDLOOM_FN inline work_real shift_of(int variant, std::int64_t n) {
  work_real const first = 22 * 1.11e-16 * static_cast<work_real>(n);
  return variant == 0 ? 0 : variant == 1 ? first : 1e3 * first;
}

// These functions are for normal numbers only, and lack the special cases of ldexp and ilogb. Short
// code is faster here, because instructions that run only once must be loaded first.
static_assert(std::numeric_limits<work_real>::is_iec559 && sizeof(work_real) == 8);
GRIDLOOM_FN inline work_real two_to(int exponent) {
  auto const bits = static_cast<std::uint64_t>(1023 + exponent) << 52;
  work_real result;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}
GRIDLOOM_FN inline int exponent_of(work_real positive) {
  std::uint64_t bits;
  std::memcpy(&bits, &positive, sizeof(bits));
  return static_cast<int>(bits >> 52) - 1023;
}

struct cholesky_memory {
  tall_plan* plan;
  /// BᵀB for the present rows B, on and above the diagonal, column-major.
  work_real* products;
  /// For each variant: what remains of the Gram matrix of the scaled B, and then its triangular
  /// factor.
  work_real* grams;
  work_real* triangles;
  work_real* diagonal_inverses;
  /// The triangles' inverses: B times the inverse is orthogonal.
  work_real* inverses;
  /// The sum of absolute values in each row of the inverses, before the row is scaled.
  work_real* row_sums;
  /// For each variant and panel, the number of chains that the panel is expected to take
  /// (chain_forecast.hpp).
  work_real* chains;
  /// The product P of all steps' triangles, with A = B P. Two copies are used in turn, by the
  /// parity of the step.
  work_real* totals;
  /// Two sets of all squares, row by row, for the last step: the top of Q, and its factors L and U,
  /// below and above the diagonal.
  work_real* top;
  work_real* factors;
  /// One sign per column, -1 or 1, and the factors that turn the rows into reflectors.
  work_real* signs;
  work_real* to_reflectors;
};

/// The data of a factorisation, as the kernels of one of its steps see it.
template <class Real>
struct cholesky_scene {
  panels::matrix_ref<Real> matrix;
  cholesky_memory memory;
  tall_shape shape;
  int step;
  /// Whether a step may choose chains because they are faster.
  bool chooses;
  /// Whether the rows become Q instead of reflectors.
  bool forms_q;

  GRIDLOOM_FN int panels() const { return shape.panels; }
  GRIDLOOM_FN int pairs() const { return shape.pairs(); }
  GRIDLOOM_FN std::int64_t n() const { return matrix.cols; }

  GRIDLOOM_FN bool is_taken() const { return memory.plan->outcome != tall_outcome::to_chains; }
  GRIDLOOM_FN bool is_last() const { return memory.plan->outcome == tall_outcome::last; }
  GRIDLOOM_FN bool writes_reflectors() const { return is_last() && !forms_q; }

  GRIDLOOM_FN work_real product(std::int64_t row, std::int64_t col) const {
    return memory.products[row + col * panels() * panel_width];
  }
  /// Whether the column's squared length is far from zero and from infinity.
  GRIDLOOM_FN bool has_length(std::int64_t col) const {
    work_real const squared = product(col, col);
    return squared > panels::least_norm<work_real>() &&
           squared < 1 / panels::least_norm<work_real>();
  }
  /// The power of two that brings the column's length into [1, 2), and the reciprocal of that
  /// power.
  GRIDLOOM_FN work_real scale(std::int64_t col) const { return two_to(-exponent_of_length(col)); }
  GRIDLOOM_FN work_real length(std::int64_t col) const { return two_to(exponent_of_length(col)); }
  GRIDLOOM_FN int exponent_of_length(std::int64_t col) const {
    return col < n() && has_length(col) ? exponent_of(product(col, col)) >> 1 : 0;
  }
  GRIDLOOM_FN static std::size_t of_pair(block_pair at) {
    return std::size_t(at.number()) * square_size;
  }
  GRIDLOOM_FN std::size_t of_pair(int variant, block_pair at) const {
    return std::size_t(variant) * pairs() * square_size + of_pair(at);
  }
  GRIDLOOM_FN std::size_t of_diagonal(int variant, int i) const {
    return std::size_t(variant * panels() + i) * square_size;
  }
  GRIDLOOM_FN std::size_t of_square(int i, int j) const {
    return std::size_t(i * panels() + j) * square_size;
  }
  GRIDLOOM_FN work_real* total(int number) const {
    return memory.totals + std::size_t(number & 1) * pairs() * square_size;
  }
};

/// Calls f(row, col) for the entries of a square. The loop is unrolled only for blocks of
/// `tall_threads` threads, which keeps the code short.
template <class Block, class Function>
GRIDLOOM_FN void for_square(Block const& block, Function const& f) {
  static_assert(square_size % tall_threads == 0);
  if (block.num_threads() == tall_threads) {
    GRIDLOOM_UNROLL
    for (int first = 0; first < square_size; first += tall_threads) {
      int const e = first + block.thread_rank();
      f(e / panel_width, e % panel_width);
    }
    return;
  }
  GRIDLOOM_NO_UNROLL
  for (int e = block.thread_rank(); e < square_size; e += block.num_threads())
    f(e / panel_width, e % panel_width);
}
/// This and all functions below end without a barrier.
template <class Block>
GRIDLOOM_FN void load_transposed(Block const& block, work_real const* from, square<work_real>& to) {
  for_square(block, [&](int row, int col) { to(col, row) = from[row * panel_width + col]; });
}
template <class Block>
GRIDLOOM_FN void transpose(Block const& block, square<work_real> const& from,
                           square<work_real>& to) {
  for_square(block, [&](int row, int col) { to(col, row) = from(row, col); });
}
template <class Block>
GRIDLOOM_FN void store_square(Block const& block, square<work_real> const& from, work_real* to) {
  for_square(block, [&](int row, int col) { to[row * panel_width + col] = from(row, col); });
}
template <class Block>
GRIDLOOM_FN void add_square(Block const& block, work_real factor, square<work_real> const& from,
                            square<work_real>& to) {
  for_square(block, [&](int row, int col) { to(row, col) += factor * from(row, col); });
}

}  // namespace gridloom::tiled_qr
