#pragma once
// What the steps of shifted CholeskyQR hand to each other (cholesky_panels.hpp), and how their small
// matrices are cut: into 32 × 32 squares, each row after row, of an upper triangle in the order of
// block_pair. Beyond the matrix's columns they are the identity, so that no kernel has edges.

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "tiled_qr/panel/chain_scratch.hpp"
#include "tiled_qr/panel/substitution.hpp"
#include "tiled_qr/tall/row_stages.hpp"

namespace gridloom::tiled_qr {

using panels::square;

enum class tall_outcome : int {
  /// The next step goes on with what the rows hold.
  going,
  /// What the rows hold is orthogonal enough: the step writes reflectors, or Q.
  last,
  /// No triangle would do, or chains are quicker: the rows are as the step before left them.
  to_chains
};

/// What a step has decided, in device memory.
struct tall_plan {
  tall_outcome outcome;
  /// Which of the triangles it takes.
  int variant;
  /// Whether the product with its inverse is refined (refined_rows.hpp). Never in the last step.
  bool is_refined;
};

/// Triangles that a step tries at once: of the Gram matrix as it is, and with two shifts.
inline constexpr int variants = 3;

/// A Gram matrix of columns of lengths in [1, 2) has rounding errors of some units times its width, and
/// so has its factorisation. (Fukaya and others, 2020, have 11 (m n + n (n + 1)) u |A|²; sums by parts
/// leave far less than m n, and where the first shift is too small the second is there.)
GRIDLOOM_FN inline work_real shift_of(int variant, std::int64_t n) {
  work_real const first = 22 * 1.11e-16 * static_cast<work_real>(n);
  return variant == 0 ? 0 : variant == 1 ? first : 1e3 * first;
}

// Of normal numbers, without the cases of ldexp and ilogb: short, since code that runs once is waited for.
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
  /// BᵀB on and above the diagonal, column after column, for the rows B as they are.
  work_real* products;
  /// Of each variant: what is left of its Gram matrix, and its triangle, B's columns scaled.
  work_real* grams;
  work_real* triangles;
  /// The inverses of the triangles' diagonal squares.
  work_real* diagonal_inverses;
  /// The triangles' inverses, such that B times it is orthogonal.
  work_real* inverses;
  /// Of each row of the inverses, before it is scaled: the sum of absolute values.
  work_real* row_sums;
  /// Of each variant, for each panel: the chains that it is expected to take (chain_forecast.hpp).
  work_real* chains;
  /// The product of all steps' triangles, by parity of the step: A is B times it.
  work_real* totals;
  /// Of the last step, all squares row by row: the top of Q, and its factors below and above.
  work_real* top;
  work_real* factors;
  /// -1 or 1 a column, and what the rows are multiplied by to be reflectors.
  work_real* signs;
  work_real* to_reflectors;
};

/// A step of it.
template <class Real>
struct cholesky_scene {
  panels::matrix_ref<Real> matrix;
  cholesky_memory memory;
  tall_shape shape;
  int step;
  /// Whether chains may do what they are quicker at.
  bool chooses;
  /// Whether the rows become Q, not reflectors.
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
  /// Whether the column has a length.
  GRIDLOOM_FN bool has_length(std::int64_t col) const {
    work_real const squared = product(col, col);
    return squared > panels::least_norm<work_real>() &&
           squared < 1 / panels::least_norm<work_real>();
  }
  /// The power of two that brings the column's length into [1, 2), and the one that undoes it.
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
  GRIDLOOM_FN work_real* total(int of_step) const {
    return memory.totals + std::size_t(of_step & 1) * pairs() * square_size;
  }
};

/// Calls f(row, col) for the entries of a square. On a GPU blocks have so many threads that each has few, all at once;
/// a loop for any number of threads would be twice the code.
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
/// Ends without a barrier, as all below.
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
