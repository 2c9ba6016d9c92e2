#pragma once
// From the last step's Q, which nobody writes, to LAPACK's form: R, reflectors V, T. (Ballard and others,
// Reconstructing Householder vectors from tall-skinny QR, 2015, section 4.)
//
// The reflectors' Q' and R' of A have Q' = Q S and R' = S R for signs S of ±1, and Q' = E - V T V₁ᵀ, where
// V₁ is V's top square. So Q - E S = V U with U = -T V₁ᵀ S: V₁ and U are the factors L and U of Q's top
// square less S, and below V = Q U⁻¹. A sign is chosen against the pivot that it is taken from, so that each
// pivot is at least 1 in absolute value, and none is looked for. T = -U S V₁⁻ᵀ; panels keep its diagonal
// squares, which need those of U and V₁ alone.

#include "gridloom/reciprocal.hpp"
#include "tiled_qr/panel/products.hpp"
#include "tiled_qr/panel/reflectors.hpp"
#include "tiled_qr/tall/cholesky_memory.hpp"

namespace gridloom::tiled_qr {

/// A step's triangles multiplied: an item is a square (i, j) of the upper triangle. The last step's are R,
/// where Q is wanted. Before reflectors also Q's top: an item is a square of it.
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
  /// n × n, or null.
  Real* r;

  GRIDLOOM_FN int items() const { return scene.pairs() + scene.panels() * scene.panels(); }

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    block.wait_for_previous_launch();
    if (!scene.is_taken()) return;
    int const variant = scene.memory.plan->variant;
    int const end = scene.writes_reflectors() ? items() : scene.pairs();
    for (int item = block.index(); item < end; item += block.count()) {
      if (item < scene.pairs())
        combine(block, variant, block_pair::of(item), shared);
      else
        take_top(block, variant, item - scene.pairs(), shared);
      block.sync();
    }
  }

 private:
  template <class Block>
  GRIDLOOM_FN void combine(Block const& block, int variant, block_pair at, scratch& shared) const {
    bool const is_first = scene.step == 0;
    for_square(block, [&](int row, int col) { shared.sum(row, col) = 0; });
    for (int k = is_first ? at.j : at.i; k <= at.j; ++k) {
      work_real const* const from =
          scene.memory.triangles + scene.of_pair(variant, block_pair{at.i, k});
      for_square(block, [&](int row, int col) {
        shared.left(col, row) =
            from[row * panel_width + col] / scene.scale(std::int64_t{k} * panel_width + col);
      });
      if (is_first) {
        block.sync();
        transpose(block, shared.left, shared.sum);
        block.sync();
        break;
      }
      panels::load_square(block, scene.total(scene.step - 1) + scene.of_pair(block_pair{k, at.j}),
                          shared.right);
      block.sync();
      panels::transposed_product(block, shared.left, shared.right, shared.product);
      block.sync();
      add_square(block, 1, shared.product, shared.sum);
    }
    store_square(block, shared.sum, scene.total(scene.step) + scene.of_pair(at));
    if (r == nullptr || !scene.is_last()) return;
    block.sync();
    put_r(block, at, shared.sum);
  }

  /// With the zeros below: those of square (j, i), and of the diagonal.
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

  template <class Block>
  GRIDLOOM_FN void take_top(Block const& block, int variant, int number, scratch& shared) const {
    int const i = number / scene.panels();
    int const j = number % scene.panels();
    for_square(block, [&](int row, int col) { shared.sum(row, col) = 0; });
    for (int k = 0; k <= j; ++k) {
      for_square(block, [&](int deep, int row) {
        std::int64_t const at_row = std::int64_t{i} * panel_width + row;
        std::int64_t const at_col = std::int64_t{k} * panel_width + deep;
        bool const there = at_row < scene.n() && at_col < scene.n();
        shared.left(deep, row) =
            there ? static_cast<work_real>(*scene.matrix.at(at_row, at_col)) : work_real{0};
      });
      panels::load_square(block, scene.memory.inverses + scene.of_pair(variant, block_pair{k, j}),
                          shared.right);
      block.sync();
      panels::transposed_product(block, shared.left, shared.right, shared.product);
      block.sync();
      add_square(block, 1, shared.product, shared.sum);
    }
    store_square(block, shared.sum, scene.memory.top + scene.of_square(i, j));
  }
};

/// a - S = L U: L below the diagonal without its ones, U on and above, in a's place; 1 / U's diagonal in
/// `over`. Begins and ends with a barrier.
template <class Block>
GRIDLOOM_FN void factor_less_signs(Block const& block, square<work_real>& a,
                                   work_real (&signs)[panel_width],
                                   work_real (&over)[panel_width]) {
  for (int c = 0; c < panel_width; ++c) {
    block.sync();
    work_real const sign = a(c, c) > 0 ? -1 : 1;
    work_real const over_pivot = reciprocal<work_real>(a(c, c) - sign).value();
    if (block.thread_rank() == 0) {
      signs[c] = sign;
      over[c] = over_pivot;
    }
    for_square(block, [&](int row, int col) {
      if (row > c && col > c) a(row, col) -= a(row, c) * over_pivot * a(c, col);
    });
  }
  block.sync();
  for_square(block, [&](int row, int col) {
    if (row > col) a(row, col) *= over[col];
    if (row == col) a(row, col) -= signs[col];
  });
  block.sync();
}

/// Step k of the factorisation of Q's top less S. An item is a square from row and column k on: those of
/// row k become U's, those of column k are L's, the others are rid of their product.
template <class Real>
struct reconstruct_kernel {
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = true;
  static constexpr int max_threads = tall_threads;

  struct scratch {
    square<work_real> pivot;
    square<work_real> transposed;
    square<work_real> work;
    square<work_real> lower;
    square<work_real> upper;
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
    work_real* const to = memory.factors + scene.of_square(i, j);
    load(block, k, k, shared.pivot);
    factor_less_signs(block, shared.pivot, shared.signs, shared.over);
    if (i == k && j == k) {
      store_square(block, shared.pivot, to);
      for (int c = block.thread_rank(); c < panel_width; c += block.num_threads())
        memory.signs[k * panel_width + c] = shared.signs[c];
      return;
    }
    if (i > k) {
      load(block, i, k, shared.work);
      panels::solve_rows(
          block, shared.pivot, [&](int c) { return shared.over[c]; }, 0, panel_width, shared.work,
          shared.lower);
      if (j == k) {
        store_square(block, shared.lower, to);
        return;
      }
    }
    // V₁ U = the row: its transpose by rows.
    load(block, k, j, shared.upper);
    transpose(block, shared.pivot, shared.transposed);
    block.sync();
    transpose(block, shared.upper, shared.work);
    panels::solve_rows(
        block, shared.transposed, [](int) { return work_real{1}; }, 0, panel_width, shared.work,
        shared.upper);
    transpose(block, shared.upper, shared.work);
    block.sync();
    if (i == k) {
      store_square(block, shared.work, to);
      return;
    }
    transpose(block, shared.lower, shared.transposed);
    block.sync();
    panels::transposed_product(block, shared.transposed, shared.work, shared.upper);
    load(block, i, j, shared.lower);
    block.sync();
    add_square(block, -1, shared.upper, shared.lower);
    store_square(block, shared.lower, memory.top + scene.of_square(i, j));
  }
  template <class Block>
  GRIDLOOM_FN void load(Block const& block, int i, int j, square<work_real>& to) const {
    panels::load_square(block, scene.memory.top + scene.of_square(i, j), to);
  }
};

}  // namespace gridloom::tiled_qr
