#pragma once
// Forms explicit Q from panels' reflectors V and T by matrix products only, some panels at a time.
//
// The reflectors of several panels next to each other are one block reflector I - V U⁻¹ Vᵀ. U is
// upper triangular: above its diagonal it is VᵀV, and the inverses of its 32 × 32 diagonal blocks
// are the panels' own T. (The UT transform; Joffrain and others, Accumulating Householder
// transformations, 2006.) Groups of panels are taken from right to left, in these steps:
// 1. products_kernel: U's blocks, and VᵀQ for the columns of Q to the right of the group. If there
//    are few such columns and many rows, the rows are split, and add_splits_kernel adds up.
// 2. solve_kernel (form_q_kernels.hpp): X = U⁻¹ VᵀQ. In the group's own columns Q is still the
//    identity, so VᵀQ is V's own top there and costs nothing.
// 3. update_kernel: Q - V X. Q is written before it is read: rows above a group are zero in columns
//    to its right, so nothing has to be cleared.
// The number of operations is that of LAPACK's orgqr.

#include "ours/panel/products.hpp"

namespace gridloom::tiled_qr::panels {

/// Rows of the tiles of these kernels, and largest number of panels of a group. With 128 rows, two
/// blocks fit into a multiprocessor of an H100 or H200, so that one block loads while the other
/// multiplies. With more panels per group, Q is read less often, but step 2 has a longer chain of
/// products. Not tuned by measurement yet.
inline constexpr int former_rows = 128;
inline constexpr int group_panels = 4;

/// A group of panels [begin, end) of the reflectors' matrix, and Q.
template <class Real>
struct panel_group {
  matrix_ref<Real> factors;
  matrix_ref<Real> q;
  int begin;
  int end;
  /// Number of parts into which the rows of each product are split.
  int splits;
  /// Array of 32 × 32 entries per product and split, row-major.
  Real* sums;
  /// X in the group's own columns, in the layout of `sums`. In other columns, X replaces VᵀQ in
  /// `sums`.
  Real* x;

  GRIDLOOM_FN int panels() const { return end - begin; }
  GRIDLOOM_FN int q_panels() const {
    return static_cast<int>((q.cols + panel_width - 1) / panel_width);
  }
  /// Number of products VᵀV: one for each pair of panels of the group.
  GRIDLOOM_FN int pairs() const { return panels() * (panels() - 1) / 2; }
  /// Number of all products. VᵀQ has one for each panel of the group and each panel of Q to its
  /// right.
  GRIDLOOM_FN int products() const { return pairs() + panels() * (q_panels() - end); }
  /// Number of the product of panels k < l, counted from the group's first panel.
  GRIDLOOM_FN static int pair(int k, int l) { return l * (l - 1) / 2 + k; }
  GRIDLOOM_FN int product_with_q(int k, int j) const { return pairs() + (j - end) * panels() + k; }
  GRIDLOOM_FN Real* sum(int product, int split) const {
    return sums + (std::size_t(product) * splits + split) * (panel_width * panel_width);
  }
  GRIDLOOM_FN Real* x_of(int k, int j) const {
    if (j >= end) return sum(product_with_q(k, j), 0);
    return x + std::size_t((j - begin) * group_panels + k) * (panel_width * panel_width);
  }
};

namespace detail {

/// Loads rows [row, row + former_rows) of a panel, from the tile's row `begin` on. Returns the end
/// of the rows that exist, a multiple of 32. Has no barrier.
template <class Block, class Real>
GRIDLOOM_FN int load_rows(Block const& block, matrix_ref<Real> from, int panel, std::int64_t row,
                          int begin, panel_tile<Real, former_rows>& to) {
  matrix_ref<Real> const below{from.data + row, from.rows - row, from.cols, from.leading};
  std::int64_t const left = (below.rows + panel_width - 1) / panel_width * panel_width;
  int const end = left < former_rows ? static_cast<int>(left) : former_rows;
  load_tile(block, below, panel, row_share{0, 1}, begin, end, to);
  return end;
}

/// Replaces R by ones and zeros. The tile's rows from `top` on are the panel's top square. A
/// barrier must separate the call from the loading.
template <class Block, class Real>
GRIDLOOM_FN void set_unit_lower(Block const& block, int top, panel_tile<Real, former_rows>& tile) {
  for (int e = block.thread_rank(); e < panel_width * panel_width; e += block.num_threads()) {
    int const row = e % panel_width;
    int const col = e / panel_width;
    if (row <= col) tile(top + row, col) = row == col ? Real{1} : Real{0};
  }
}

}  // namespace detail

/// Step 1: the products, with one block for each product and split of the rows.
template <class Real>
struct products_kernel {
  static constexpr bool persistent = false;
  static constexpr int max_threads = 256;

  struct scratch {
    panel_tile<Real, former_rows> left;
    panel_tile<Real, former_rows> right;
    square<Real> parts[cross_parts];
    square<Real> sum;
  };

  panel_group<Real> group;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    int const items = group.products() * group.splits;
    for (int item = block.index(); item < items; item += block.count())
      multiply(block, item / group.splits, item % group.splits, shared);
  }

 private:
  template <class Block>
  GRIDLOOM_FN void multiply(Block const& block, int product, int split, scratch& shared) const {
    bool const with_q = product >= group.pairs();
    int k = 0;
    int right = 0;
    if (with_q) {
      k = (product - group.pairs()) % group.panels();
      right = group.end + (product - group.pairs()) / group.panels();
    } else {
      int l = 1;
      while (group.pair(0, l + 1) <= product) ++l;
      k = product - group.pair(0, l);
      right = group.begin + l;
    }
    // The right factor is zero above row `first`.
    std::int64_t const first = std::int64_t{with_q ? group.end : right} * panel_width;
    auto const& from = with_q ? group.q : group.factors;
    for (int e = block.thread_rank(); e < panel_width * panel_width; e += block.num_threads())
      shared.sum(e / panel_width, e % panel_width) = 0;
    for (std::int64_t row = first + std::int64_t{split} * former_rows; row < group.factors.rows;
         row += std::int64_t{group.splits} * former_rows) {
      detail::load_rows(block, group.factors, group.begin + k, row, 0, shared.left);
      int const end = detail::load_rows(block, from, right, row, 0, shared.right);
      block.sync();
      if (!with_q && row == first) {
        detail::set_unit_lower(block, 0, shared.right);
        block.sync();
      }
      cross_products(block, shared.left, shared.right, 0, end, shared.parts);
      block.sync();
      for (int e = block.thread_rank(); e < panel_width * panel_width; e += block.num_threads()) {
        Real sum = 0;
        for (auto const& part : shared.parts) sum += part(e / panel_width, e % panel_width);
        shared.sum(e / panel_width, e % panel_width) += sum;
      }
    }
    Real* const to = group.sum(product, split);
    for (int e = block.thread_rank(); e < panel_width * panel_width; e += block.num_threads())
      to[e] = shared.sum(e / panel_width, e % panel_width);
    block.sync();
  }
};

/// Adds the parts of each product to its first part. The shape of the launch determines the order.
template <class Real>
struct add_splits_kernel {
  static constexpr bool persistent = false;
  static constexpr int max_threads = 256;
  /// Number of entries that a block takes at a time, and largest number of threads per entry.
  static constexpr int entries = 32;
  static constexpr int most_parts = max_threads / entries;

  struct scratch {
    Real parts[most_parts][entries];
  };

  panel_group<Real> group;

  GRIDLOOM_FN int items() const { return group.products() * (panel_width * panel_width / entries); }

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    constexpr int a_product = panel_width * panel_width / entries;
    int const parts = block.num_threads() < entries ? 1 : block.num_threads() / entries;
    for (int item = block.index(); item < items(); item += block.count()) {
      int const product = item / a_product;
      int const first = item % a_product * entries;
      for (int x = block.thread_rank(); x < parts * entries; x += block.num_threads()) {
        Real sum = 0;
#if defined(__CUDA_ARCH__)
#pragma unroll 8
#endif
        for (int split = x / entries; split < group.splits; split += parts)
          sum += group.sum(product, split)[first + x % entries];
        shared.parts[x / entries][x % entries] = sum;
      }
      block.sync();
      for (int x = block.thread_rank(); x < entries; x += block.num_threads()) {
        Real sum = 0;
        for (int part = 0; part < parts; ++part) sum += shared.parts[part][x];
        group.sum(product, 0)[first + x] = sum;
      }
      block.sync();
    }
  }
};

}  // namespace gridloom::tiled_qr::panels
