#pragma once
// Computes LAPACK's form (R, reflectors V, and T) from the last step's Q, which is never written.
// (Ballard and others, Reconstructing Householder vectors from tall-skinny QR, 2015, section 4.)
//
// Householder QR of A gives other factors: Q' = Q S and R' = S R, where S is a diagonal matrix of
// signs ±1. Let V₁ be V's top square, and E the first columns of the identity. Then Q' = E - V T
// V₁ᵀ, so Q - E S = V U with U = -T V₁ᵀ S. Hence V₁ and U are the LU factors of Q's top square
// minus S, and V = Q U⁻¹ in the rows below. Each sign is opposite to the pivot from which it is
// subtracted. So every pivot is at least 1 in absolute value, and no pivoting is needed. T = -U S
// V₁⁻ᵀ; panels keep its diagonal squares, which need only those of U and V₁.

#include "gridloom/reciprocal.hpp"
#include "ours/panel/products.hpp"
#include "ours/panel/reflectors.hpp"
#include "ours/tall/cholesky_memory.hpp"

namespace gridloom::tiled_qr {

/// Multiplies a step's triangle by the product of earlier steps' triangles. An item is a square (i,
/// j) of the upper triangle. In the last step the product is R if Q is wanted. Otherwise further
/// items compute Q's top, one square each.
template <class Real>
struct combine_kernel {
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = true;
  static constexpr int max_threads = tall_threads;

  struct scratch {
    square<work_real> left;
    square<work_real> right;
    square<work_real> product;
    square<work_real> sum;
  };

  cholesky_scene<Real> scene;
  /// R, n × n, or null.
  Real* r;

  GRIDLOOM_FN int items() const { return scene.pairs() + scene.panels() * scene.panels(); }

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    block.wait_for_previous_launch();
    if (!scene.is_taken()) return;
    int const variant = scene.memory.plan->variant;
    int const end = scene.writes_reflectors() ? items() : scene.pairs();
    for (int item = block.index(); item < end; item += block.count()) {
      take(block, variant, item, shared);
      block.sync();
    }
  }

 private:
  /// Computes a sum of products of squares. For the triangle, the factors are the step's R and the
  /// product of earlier triangles. For Q's top, they are the matrix's top and R's inverse.
  template <class Block>
  GRIDLOOM_FN void take(Block const& block, int variant, int item, scratch& shared) const {
    auto const& memory = scene.memory;
    bool const is_top = item >= scene.pairs();
    int const number = item - scene.pairs();
    block_pair const at = is_top ? block_pair{number / scene.panels(), number % scene.panels()}
                                 : block_pair::of(item);
    // In the first step the product is R itself.
    bool const is_first = scene.step == 0 && !is_top;
    for_square(block, [&](int row, int col) { shared.sum(row, col) = 0; });
    GRIDLOOM_NO_UNROLL
    for (int k = is_top ? 0 : is_first ? at.j : at.i; k <= at.j; ++k) {
      if (is_top)
        load_rows(block, at.i, k, shared.left);
      else
        load_triangle(block, variant, {at.i, k}, shared.left);
      if (is_first) {
        block.sync();
        transpose(block, shared.left, shared.sum);
        break;
      }
      panels::load_square(block,
                          is_top ? memory.inverses + scene.of_pair(variant, block_pair{k, at.j})
                                 : scene.total(scene.step - 1) + scene.of_pair({k, at.j}),
                          shared.right);
      block.sync();
      panels::transposed_product(block, shared.left, shared.right, shared.product);
      block.sync();
      add_square(block, 1, shared.product, shared.sum);
    }
    block.sync();
    store_square(block, shared.sum,
                 is_top ? memory.top + scene.of_square(at.i, at.j)
                        : scene.total(scene.step) + scene.of_pair(at));
    if (r != nullptr && scene.is_last()) put_r(block, at, shared.sum);
  }

  /// Loads a square of the matrix's top.
  template <class Block>
  GRIDLOOM_FN void load_rows(Block const& block, int i, int k, square<work_real>& to) const {
    for_square(block, [&](int deep, int row) {
      std::int64_t const at_row = std::int64_t{i} * panel_width + row;
      std::int64_t const at_col = std::int64_t{k} * panel_width + deep;
      bool const there = at_row < scene.n() && at_col < scene.n();
      to(deep, row) =
          there ? static_cast<work_real>(*scene.matrix.at(at_row, at_col)) : work_real{0};
    });
  }
  template <class Block>
  GRIDLOOM_FN void load_triangle(Block const& block, int variant, block_pair at,
                                 square<work_real>& to) const {
    work_real const* const from = scene.memory.triangles + scene.of_pair(variant, at);
    for_square(block, [&](int row, int col) {
      to(col, row) =
          from[row * panel_width + col] * scene.length(std::int64_t{at.j} * panel_width + col);
    });
  }

  /// Stores a square of R, and zeros in square (j, i) and below the diagonal.
  template <class Block>
  GRIDLOOM_FN void put_r(Block const& block, block_pair at, square<work_real> const& sum) const {
    for_square(block, [&](int col, int row) {
      std::int64_t const at_row = std::int64_t{at.i} * panel_width + row;
      std::int64_t const at_col = std::int64_t{at.j} * panel_width + col;
      if (at_row >= scene.n() || at_col >= scene.n()) return;
      if (at.i != at.j) r[at_col + at_row * scene.n()] = 0;
      r[at_row + at_col * scene.n()] = at_row > at_col ? Real{0} : static_cast<Real>(sum(row, col));
    });
  }
};

/// Does what factor_less_signs does, for blocks with `warp_rows::is_even()`. Uses registers as
/// factor_in_registers does.
template <class Block>
GRIDLOOM_FN void factor_less_signs_in_registers(Block const& block, square<work_real>& a,
                                                work_real (&signs)[panel_width],
                                                work_real (&over)[panel_width]) {
  panels::warp_rows const rows(block);
  auto const warp = block.warp();
  int const lane = warp.thread_rank();
  work_real entries[rows.at_once];
  work_real my_sign = 0;
  work_real my_over = 0;
  block.sync();
  GRIDLOOM_UNROLL
  for (int v = 0; v < rows.at_once; ++v) entries[v] = a(rows.row(v), lane);
  for (int c = 0; c < panel_width; ++c) {
    work_real const pivot = a(c, c);
    work_real const sign = pivot > 0 ? -1 : 1;
    work_real const over_pivot = reciprocal<work_real>(pivot - sign).value();
    work_real const factor = over_pivot * a(c, lane);
    if (lane == c) {
      my_sign = sign;
      my_over = over_pivot;
    }
    work_real left[rows.at_once];
    rows.shuffle_all(entries, c, left);
    GRIDLOOM_UNROLL
    for (int v = 0; v < rows.at_once; ++v) {
      if (lane > c) entries[v] -= left[v] * factor;
      if (rows.row(v) == c + 1) a(c + 1, lane) = entries[v];
    }
    block.sync();
  }
  GRIDLOOM_UNROLL
  for (int v = 0; v < rows.at_once; ++v) {
    int const row = rows.row(v);
    if (row > lane) a(row, lane) *= my_over;
    if (row == lane) a(row, lane) -= my_sign;
  }
  if (rows.first() == 0) {
    signs[lane] = my_sign;
    over[lane] = my_over;
  }
  block.sync();
}

/// Factorises a - S = L U in place: L, without its ones, lies below the diagonal, and U on and
/// above it. `over` gets the reciprocals of U's diagonal. Begins and ends with a barrier.
template <class Block>
GRIDLOOM_FN void factor_less_signs(Block const& block, square<work_real>& a,
                                   work_real (&signs)[panel_width],
                                   work_real (&over)[panel_width]) {
  if (panels::warp_rows(block).is_even()) {
    factor_less_signs_in_registers(block, a, signs, over);
    return;
  }
  for (int c = 0; c < panel_width; ++c) {
    block.sync();
    work_real const sign = a(c, c) > 0 ? -1 : 1;
    work_real const over_pivot = reciprocal<work_real>(a(c, c) - sign).value();
    if (block.thread_rank() == 0) {
      signs[c] = sign;
      over[c] = over_pivot;
    }
    for_square(block, [&](int row, int col) {
      if (row > c && col > c) a(row, col) -= a(row, c) * (over_pivot * a(c, col));
    });
  }
  block.sync();
  for_square(block, [&](int row, int col) {
    if (row > col) a(row, col) *= over[col];
    if (row == col) a(row, col) -= signs[col];
  });
  block.sync();
}

/// Step k of the factorisation of Q's top minus S. An item is a square from row and column k of
/// squares on. Squares of row k become squares of U, and squares of column k become squares of L.
/// Their product is subtracted from the other squares.
template <class Real>
struct reconstruct_kernel {
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = true;
  static constexpr int max_threads = tall_threads;

  /// The squares that an item uses.
  enum part : int { pivot, upper, lower, own, parts };

  struct scratch {
    /// Indexed by `part`; the square of the row is transposed.
    square<work_real> squares[parts];
    square<work_real> transposed;
    square<work_real> solved;
    work_real signs[panel_width];
    work_real over[panel_width];
  };

  cholesky_scene<Real> scene;
  int k;

  GRIDLOOM_FN int items() const { return (scene.panels() - k) * (scene.panels() - k); }

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    block.wait_for_previous_launch();
    int const rest = scene.panels() - k;
    for (int item = block.index(); item < items(); item += block.count()) {
      take(block, k + item / rest, k + item % rest, shared);
      block.sync();
    }
  }

 private:
  template <class Block>
  GRIDLOOM_FN void take(Block const& block, int i, int j, scratch& shared) const {
    auto const& memory = scene.memory;
    auto& squares = shared.squares;
    bool const has_upper = j > k;
    bool const has_lower = i > k;
    GRIDLOOM_NO_UNROLL
    for (int number = pivot; number < parts; ++number) {
      if ((number == upper || number == own) && !has_upper) continue;
      if ((number == lower || number == own) && !has_lower) continue;
      bool const of_row = number == pivot || number == upper;
      bool const of_col = number == pivot || number == lower;
      load(block, of_row ? k : i, of_col ? k : j, number == upper, squares[number]);
    }
    factor_less_signs(block, squares[pivot], shared.signs, shared.over);
    work_real* const to = memory.factors + scene.of_square(i, j);
    if (!has_upper && !has_lower) {
      store_square(block, squares[pivot], to);
      for (int c = block.thread_rank(); c < panel_width; c += block.num_threads())
        memory.signs[k * panel_width + c] = shared.signs[c];
      return;
    }
    // Row squares: solves L U = (the square) for U, by rows of the transposes. Column squares:
    // solves it for L, by rows.
    transpose(block, squares[pivot], shared.transposed);
    GRIDLOOM_NO_UNROLL
    for (int side = has_upper ? upper : lower; side <= (has_lower ? lower : upper); ++side) {
      panels::solve_rows(
          block, side == upper ? shared.transposed : squares[pivot],
          [&](int c) { return side == upper ? work_real{1} : shared.over[c]; }, 0, panel_width,
          squares[side], shared.solved);
      transpose(block, shared.solved, squares[side]);
      block.sync();
    }
    if (has_upper && has_lower) {
      panels::transposed_product(block, squares[lower], squares[upper], shared.solved);
      block.sync();
      work_real* const left = memory.top + scene.of_square(i, j);
      for_square(block, [&](int row, int col) {
        left[row * panel_width + col] = squares[own](row, col) - shared.solved(row, col);
      });
      return;
    }
    store_square(block, has_upper ? squares[upper] : shared.solved, to);
  }
  template <class Block>
  GRIDLOOM_FN void load(Block const& block, int i, int j, bool transposed,
                        square<work_real>& to) const {
    work_real const* const from = scene.memory.top + scene.of_square(i, j);
    for_square(block, [&](int row, int col) {
      to(transposed ? col : row, transposed ? row : col) = from[row * panel_width + col];
    });
  }
};

}  // namespace gridloom::tiled_qr
