#pragma once
// The end of a factorisation. After a last step, kernels bring its small factors to LAPACK's form.
// After chains, they multiply the chains' R by the steps' triangles, and copy R out if the rows
// become Q.

#include "ours/tall/reconstruct_kernels.hpp"

namespace gridloom::tiled_qr {

/// There are three kinds of items for p panels. The first p items are row panels of W = R⁻¹ U⁻¹, by
/// which the rows are multiplied. The next p are T and tau of a panel. The last p · p are squares
/// of the matrix's top.
template <class Real>
struct put_reflectors_kernel {
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = true;
  static constexpr int max_threads = tall_threads;

  struct scratch {
    /// The squares of W that are known, transposed.
    square<work_real> found[most_panels];
    square<work_real> work;
    square<work_real> right;
    square<work_real> product;
    work_real over[panel_width];
  };

  cholesky_scene<Real> scene;
  Real* t;
  Real* tau;

  GRIDLOOM_FN int items() const { return scene.panels() * (2 + scene.panels()); }

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    block.wait_for_previous_launch();
    int const panels = scene.panels();
    for (int item = block.index(); item < items(); item += block.count()) {
      if (item < panels)
        put_row(block, item, shared);
      else if (item < 2 * panels)
        put_t(block, item - panels, shared);
      else
        put_top(block, item / panels - 2, item % panels);
      block.sync();
    }
  }

 private:
  /// Solves W_ij U_jj = X_ij - (the sum of W_ik U_kj over i <= k < j).
  template <class Block>
  GRIDLOOM_FN void put_row(Block const& block, int i, scratch& shared) const {
    auto const& memory = scene.memory;
    int const variant = memory.plan->variant;
    for (int j = i; j < scene.panels(); ++j) {
      panels::load_square(block, memory.inverses + scene.of_pair(variant, block_pair{i, j}),
                          shared.work);
      for (int k = i; k < j; ++k) {
        panels::load_square(block, memory.factors + scene.of_square(k, j), shared.right);
        block.sync();
        panels::transposed_product(block, shared.found[k], shared.right, shared.product);
        block.sync();
        add_square(block, -1, shared.product, shared.work);
      }
      block.sync();
      load_pivot(block, j, shared);
      panels::solve_rows(
          block, shared.right, [&](int c) { return shared.over[c]; }, 0, panel_width, shared.work,
          shared.product);
      transpose(block, shared.product, shared.found[j]);
      store_square(block, shared.product, memory.to_reflectors + scene.of_pair(block_pair{i, j}));
      block.sync();
    }
  }
  template <class Block>
  GRIDLOOM_FN void load_pivot(Block const& block, int j, scratch& shared) const {
    panels::load_square(block, scene.memory.factors + scene.of_square(j, j), shared.right);
    block.sync();
    for (int c = block.thread_rank(); c < panel_width; c += block.num_threads())
      shared.over[c] = 1 / shared.right(c, c);
    block.sync();
  }

  /// Solves T V₁ᵀ = -U S.
  template <class Block>
  GRIDLOOM_FN void put_t(Block const& block, int panel, scratch& shared) const {
    work_real const* const from = scene.memory.factors + scene.of_square(panel, panel);
    load_transposed(block, from, shared.right);
    for_square(block, [&](int row, int col) {
      work_real const sign = scene.memory.signs[panel * panel_width + col];
      shared.work(row, col) = row <= col ? -from[row * panel_width + col] * sign : work_real{0};
    });
    panels::solve_rows(
        block, shared.right, [](int) { return work_real{1}; }, 0, panel_width, shared.work,
        shared.product);
    std::int64_t const base = std::int64_t{panel} * panel_width;
    for_square(block, [&](int col, int row) {
      bool const there = row <= col && base + col < scene.n();
      Real const value = there ? static_cast<Real>(shared.product(row, col)) : Real{0};
      t[std::size_t(panel) * square_size + col * panel_width + row] = value;
      if (row == col) tau[base + col] = value;
    });
  }

  /// Writes a square of the matrix's top: V below the diagonal, R on and above it.
  template <class Block>
  GRIDLOOM_FN void put_top(Block const& block, int i, int j) const {
    auto const& memory = scene.memory;
    for_square(block, [&](int col, int row) {
      std::int64_t const at_row = std::int64_t{i} * panel_width + row;
      std::int64_t const at_col = std::int64_t{j} * panel_width + col;
      if (at_row >= scene.n() || at_col >= scene.n()) return;
      std::size_t const at = std::size_t(row) * panel_width + col;
      work_real const value =
          at_row > at_col
              ? memory.factors[scene.of_square(i, j) + at]
              : memory.signs[at_row] * scene.total(scene.step)[scene.of_pair({i, j}) + at];
      *scene.matrix.at(at_row, at_col) = static_cast<Real>(value);
    });
  }
};

/// Multiplies R in the matrix's top by the triangles of earlier steps. An item is a row panel.
template <class Real>
struct multiply_r_kernel {
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = true;
  static constexpr int max_threads = tall_threads;

  struct scratch {
    /// The squares of the row panel, transposed.
    square<work_real> row[most_panels];
    square<work_real> right;
    square<work_real> product;
    square<work_real> sum;
  };

  cholesky_scene<Real> scene;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    block.wait_for_previous_launch();
    for (int i = block.index(); i < scene.panels(); i += block.count()) {
      for (int k = i; k < scene.panels(); ++k)
        for_entries(block, i, k, [&](int row, int col, Real* entry) {
          shared.row[k](col, row) = entry != nullptr ? static_cast<work_real>(*entry) : 0;
        });
      block.sync();
      for (int j = i; j < scene.panels(); ++j) multiply(block, i, j, shared);
      block.sync();
    }
  }

 private:
  template <class Block>
  GRIDLOOM_FN void multiply(Block const& block, int i, int j, scratch& shared) const {
    for_square(block, [&](int row, int col) { shared.sum(row, col) = 0; });
    for (int k = i; k <= j; ++k) {
      panels::load_square(block, scene.total(scene.step - 1) + scene.of_pair(block_pair{k, j}),
                          shared.right);
      block.sync();
      panels::transposed_product(block, shared.row[k], shared.right, shared.product);
      block.sync();
      add_square(block, 1, shared.product, shared.sum);
    }
    block.sync();
    for_entries(block, i, j, [&](int row, int col, Real* entry) {
      if (entry != nullptr) *entry = static_cast<Real>(shared.sum(row, col));
    });
    block.sync();
  }
  /// Calls f(row, col, entry) for a square of R; `entry` is null below the diagonal and beyond R.
  template <class Block, class Function>
  GRIDLOOM_FN void for_entries(Block const& block, int i, int j, Function const& f) const {
    for_square(block, [&](int col, int row) {
      std::int64_t const at_row = std::int64_t{i} * panel_width + row;
      std::int64_t const at_col = std::int64_t{j} * panel_width + col;
      bool const there = at_row <= at_col && at_col < scene.n();
      f(row, col, there ? scene.matrix.at(at_row, at_col) : nullptr);
    });
  }
};

/// Copies R, n × n, from the matrix's top, with zeros below the diagonal. An item is a column.
template <class Real>
struct take_r_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = true;
  static constexpr int max_threads = tall_threads;

  panels::matrix_ref<Real> matrix;
  Real* r;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& /*shared*/) const {
    block.wait_for_previous_launch();
    std::int64_t const n = matrix.cols;
    for (std::int64_t col = block.index(); col < n; col += block.count())
      for (std::int64_t row = block.thread_rank(); row < n; row += block.num_threads())
        r[row + col * n] = row > col ? Real{0} : *matrix.at(row, col);
  }
};

}  // namespace gridloom::tiled_qr
