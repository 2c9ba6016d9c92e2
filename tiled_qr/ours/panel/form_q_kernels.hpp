#pragma once
// The second half of forming Q: steps 2 and 3 of form_q_products.hpp.

#include "ours/panel/form_q_products.hpp"

namespace gridloom::tiled_qr::panels {

/// Step 2: back substitution. Each column panel of Q has one block, from the group's first panel
/// on.
template <class Real>
struct solve_kernel {
  static constexpr bool persistent = false;
  static constexpr int max_threads = 256;

  struct scratch {
    square<Real> x[group_panels];
    square<Real> left;
    square<Real> right;
    square<Real> product;
  };

  panel_group<Real> group;
  /// T of each panel of the matrix, 32 × 32, column-major.
  Real const* t;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    for (int j = group.begin + block.index(); j < group.q_panels(); j += block.count()) {
      for (int k = group.panels() - 1; k >= 0; --k) solve(block, k, j, shared);
    }
  }

 private:
  /// Computes X_k = T_k ((VᵀQ)_k - sum over l > k of U_kl X_l).
  template <class Block>
  GRIDLOOM_FN void solve(Block const& block, int k, int j, scratch& shared) const {
    constexpr int size = panel_width * panel_width;
    load_right_side(block, k, j, shared.right);
    for (int l = k + 1; l < group.panels(); ++l) {
      for (int e = block.thread_rank(); e < size; e += block.num_threads())
        shared.left(e % panel_width, e / panel_width) = group.sum(group.pair(k, l), 0)[e];
      block.sync();
      transposed_product(block, shared.left, shared.x[l], shared.product);
      block.sync();
      for (int e = block.thread_rank(); e < size; e += block.num_threads())
        shared.right(e / panel_width, e % panel_width) -=
            shared.product(e / panel_width, e % panel_width);
    }
    Real const* const panel_t = t + std::size_t(group.begin + k) * size;
    block.sync();
    for (int e = block.thread_rank(); e < size; e += block.num_threads())
      shared.left(e / panel_width, e % panel_width) = panel_t[e];
    block.sync();
    transposed_product(block, shared.left, shared.right, shared.x[k]);
    block.sync();
    Real* const to = group.x_of(k, j);
    for (int e = block.thread_rank(); e < size; e += block.num_threads())
      to[e] = shared.x[k](e / panel_width, e % panel_width);
  }

  /// Loads VᵀQ of panel k of the group. In the group's own columns Q is still the identity, so VᵀQ
  /// consists of rows of V.
  template <class Block>
  GRIDLOOM_FN void load_right_side(Block const& block, int k, int j, square<Real>& to) const {
    auto const& v = group.factors;
    int const panel = group.begin + k;
    for (int e = block.thread_rank(); e < panel_width * panel_width; e += block.num_threads()) {
      int const row = e / panel_width;
      int const col = e % panel_width;
      if (j >= group.end) {
        to(row, col) = group.sum(group.product_with_q(k, j), 0)[e];
        continue;
      }
      std::int64_t const v_row = std::int64_t{j} * panel_width + col;
      std::int64_t const v_col = std::int64_t{panel} * panel_width + row;
      Real value = 0;
      if (v_row == v_col)
        value = 1;
      else if (v_row > v_col && v.has(v_row, v_col))
        value = *v.at(v_row, v_col);
      to(row, col) = value;
    }
  }
};

/// Step 3: computes Q - V X, with one block per tile of Q.
template <class Real>
struct update_kernel {
  static constexpr bool persistent = false;
  static constexpr int max_threads = 256;

  struct scratch {
    panel_tile<Real, former_rows> q;
    panel_tile<Real, former_rows> v;
    square<Real> x;
  };

  panel_group<Real> group;

  /// Number of tiles of Q, from the group's first row and column on.
  GRIDLOOM_FN std::int64_t tiles() const { return row_tiles() * (group.q_panels() - group.begin); }

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    // Consecutive blocks take tiles of the same rows, because these tiles read the same reflectors.
    int const cols = group.q_panels() - group.begin;
    for (std::int64_t tile = block.index(); tile < tiles(); tile += block.count())
      update(block, tile / cols, group.begin + static_cast<int>(tile % cols), shared);
  }

 private:
  GRIDLOOM_FN std::int64_t row_tiles() const {
    std::int64_t const rows = group.q.rows - std::int64_t{group.begin} * panel_width;
    return (rows + former_rows - 1) / former_rows;
  }

  template <class Block>
  GRIDLOOM_FN void update(Block const& block, std::int64_t row_tile, int j, scratch& shared) const {
    std::int64_t const row = std::int64_t{group.begin} * panel_width + row_tile * former_rows;
    int const end = load_q(block, row, j, shared.q);
    // X is zero below its diagonal in the group's own columns.
    int const last = j < group.end ? j : group.end - 1;
    for (int panel = group.begin; panel <= last; ++panel) {
      // The reflectors are zero above their top square.
      std::int64_t const above = std::int64_t{panel} * panel_width - row;
      int const begin = above > 0 ? static_cast<int>(above) : 0;
      if (begin >= end) break;
      block.sync();
      detail::load_rows(block, group.factors, panel, row, begin, shared.v);
      Real const* const x = group.x_of(panel - group.begin, j);
      for (int e = block.thread_rank(); e < panel_width * panel_width; e += block.num_threads())
        shared.x(e / panel_width, e % panel_width) = x[e];
      block.sync();
      if (above >= 0) {
        detail::set_unit_lower(block, begin, shared.v);
        block.sync();
      }
      subtract_product(block, shared.v, shared.x, begin, end, shared.q);
    }
    block.sync();
    matrix_ref<Real> const below{group.q.data + row, group.q.rows - row, group.q.cols,
                                 group.q.leading};
    store_tile(block, shared.q, j, row_share{0, 1}, 0, end, below);
    block.sync();
  }

  /// Sets the tile to Q as the groups to the right have left it. The group's own columns are the
  /// identity. Columns further right are zero in the group's own rows. Below these rows, they hold
  /// what the groups to the right have computed. Returns the end of the tile's rows.
  template <class Block>
  GRIDLOOM_FN int load_q(Block const& block, std::int64_t row, int j,
                         panel_tile<Real, former_rows>& to) const {
    bool const own = j < group.end;
    std::int64_t const zero_rows = std::int64_t{group.end} * panel_width - row;
    int begin = own || zero_rows > former_rows ? former_rows : static_cast<int>(zero_rows);
    if (begin < 0) begin = 0;
    int const end = detail::load_rows(block, group.q, j, row, begin, to);
    if (begin > end) begin = end;
    for (int e = block.thread_rank(); e < begin * panel_width; e += block.num_threads()) {
      int const at = e % begin;
      int const col = e / begin;
      to(at, col) = row + at == std::int64_t{j} * panel_width + col ? Real{1} : Real{0};
    }
    return end;
  }
};

}  // namespace gridloom::tiled_qr::panels
