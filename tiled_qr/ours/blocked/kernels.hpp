#pragma once
// The steps for a block of several panels that are no matrix products. They turn its reflectors
// into a matrix, and apply its T.

#include "ours/panel/products.hpp"
#include "ours/panel/team.hpp"
#include "ours/panel/tile.hpp"
#include "tiled_qr/operations.hpp"

namespace gridloom::tiled_qr::panels {

/// Largest number of columns of a block.
inline constexpr int most_width = 256;

/// Before products with a block's reflectors, saves R, which lies in the block's top square, and
/// writes the reflectors' ones and zeros in its place. After the products, restores R.
template <class Real>
struct top_square_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;
  static constexpr int max_threads = 256;

  matrix_ref<Real> top;
  /// Array for the saved R, column-major, with as many rows as `top`.
  Real* kept;
  bool put_back;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& /*shared*/) const {
    for (std::int64_t col = block.index(); col < top.cols; col += block.count()) {
      for (std::int64_t row = block.thread_rank(); row <= col; row += block.num_threads()) {
        Real& here = *top.at(row, col);
        Real& there = kept[row + col * top.rows];
        if (!put_back) there = here;
        here = put_back ? there : Real(row == col);
      }
    }
  }
};

/// Copies the reflectors of a factorised square, with ones on the diagonal and zeros above.
template <class Real>
struct unit_lower_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;
  static constexpr int max_threads = 256;

  matrix_ref<Real> from;
  Real* to;
  std::int64_t to_leading;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& /*shared*/) const {
    for (std::int64_t col = block.index(); col < from.cols; col += block.count()) {
      for (std::int64_t row = block.thread_rank(); row < from.rows; row += block.num_threads())
        to[row + col * to_leading] = row > col ? *from.at(row, col) : Real(row == col);
    }
  }
};

/// Replaces W by Tᵀ W or T W, for the T of all the block's reflectors. T is not formed. T⁻¹ has Vᵀ
/// V above its diagonal squares, and these squares are the inverses of the panels' own T. So, panel
/// after panel, the kernel subtracts the part of earlier panels and applies the panel's own T. For
/// T W it starts with the last panel.
template <class Real>
struct apply_t_kernel {
  static constexpr bool persistent = false;
  static constexpr int max_threads = 256;

  struct scratch {
    panel_tile<work_real, most_width> w;
    panel_tile<work_real, most_width> products;
    square<work_real> parts[cross_parts];
    square<work_real> t;
  };

  /// One row per reflector of the block; contains VᵀC before the launch.
  matrix_ref<Real> w;
  /// VᵀV of the block's reflectors V.
  matrix_ref<Real> products;
  /// The panels' own T, 32 × 32 each, column-major.
  Real const* t;
  /// Which product is computed: Tᵀ W for Qᵀ, T W for Q.
  side which = side::q_transposed;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    row_share const all{0, 1};
    int const panels = static_cast<int>((products.cols + panel_width - 1) / panel_width);
    int const items = static_cast<int>((w.cols + panel_width - 1) / panel_width);
    for (int item = block.index(); item < items; item += block.count()) {
      load_tile(block, w, item, all, 0, panels * panel_width, shared.w);
      for (int step = 0; step < panels; ++step) {
        int const panel = which == side::q ? panels - 1 - step : step;
        int const begin = panel * panel_width;
        // Rows [from, to) of W are finished.
        int const from = which == side::q ? begin + panel_width : 0;
        int const to = which == side::q ? panels * panel_width : begin;
        load_tile(block, products, panel, all, from, to, shared.products);
        for (int e = block.thread_rank(); e < square_size; e += block.num_threads()) {
          int const row = e % panel_width;
          int const col = e / panel_width;
          Real const entry = t[std::size_t(panel) * square_size + e];
          (which == side::q ? shared.t(col, row) : shared.t(row, col)) = entry;
        }
        block.sync();
        cross_products(block, shared.products, shared.w, from, to, shared.parts);
        block.sync();
        for (int e = block.thread_rank(); e < square_size; e += block.num_threads()) {
          int const row = e % panel_width;
          int const col = e / panel_width;
          shared.parts[0](row, col) =
              shared.w(begin + row, col) - shared.parts[0](row, col) - shared.parts[1](row, col);
        }
        block.sync();
        transposed_product(block, shared.t, shared.parts[0], shared.parts[1]);
        block.sync();
        for (int e = block.thread_rank(); e < square_size; e += block.num_threads())
          shared.w(begin + e % panel_width, e / panel_width) =
              shared.parts[1](e % panel_width, e / panel_width);
        block.sync();
      }
      store_tile(block, shared.w, item, all, 0, panels * panel_width, w);
      block.sync();
    }
  }
};

}  // namespace gridloom::tiled_qr::panels
