#pragma once
// Computes the small matrix M for Q = E - V M, where E is the first columns of the identity. M =
// U⁻¹ V₁ᵀ, where V₁ is the top square of the reflectors V. U is upper triangular. Above its
// diagonal blocks it is VᵀV, and the inverses of these blocks are the panels' own T
// (form_q_products.hpp). V₁ᵀ is upper triangular, and so is M.
//
// The method is back substitution by blocks, from the last row of blocks to the first. Columns of M
// are independent. Once a block of M is known, one product subtracts it from all blocks above.

#include "gridloom/group.hpp"
#include "ours/tall/row_stages.hpp"

namespace gridloom::tiled_qr {

/// One block per column panel of M.
template <class Real>
struct solve_top_kernel {
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = true;
  static constexpr int max_threads = tall_threads;

  using tile = panels::panel_tile<work_real, most_tall_cols>;
  using square = panels::square<work_real>;
  struct scratch {
    /// What is left of V₁ᵀ after the known blocks of M were subtracted.
    tile right;
    tile products;
    square t;
    square row;
    square found;
  };

  /// The reflectors V, with at least as many rows as columns.
  matrix_ref<Real> reflectors;
  /// T of each panel, 32 × 32, column-major.
  Real const* t;
  /// VᵀV above its diagonal blocks, column-major, square with whole blocks.
  work_real const* products;
  /// Array for -M. The blocks of its upper triangle are in the order of block_pair, each row-major.
  work_real* squares;

  GRIDLOOM_FN int panels() const { return static_cast<int>(panels::in_panels(reflectors.cols)); }

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    block.wait_for_previous_launch();
    for (int j = block.index(); j < panels(); j += block.count()) {
      load_top(block, j, shared.right);
      for (int k = j; k >= 0; --k) solve(block, block_pair{k, j}, shared);
      block.sync();
    }
  }

 private:
  /// Computes M_kj = T_k · (the rest of V₁ᵀ in block (k, j)), and then subtracts U_ik M_kj for all
  /// i < k.
  template <class Block>
  GRIDLOOM_FN void solve(Block const& block, block_pair at, scratch& shared) const {
    int const k = at.i;
    std::int64_t const size = std::int64_t{panels()} * panel_width;
    block.sync();
    panels::load_tile(block, matrix_ref<work_real const>{products, size, size, size}, k,
                      panels::row_share{0, 1}, 0, k * panel_width, shared.products);
    for (int e = block.thread_rank(); e < square_size; e += block.num_threads()) {
      int const low = e % panel_width;
      int const high = e / panel_width;
      shared.t(high, low) = static_cast<work_real>(t[std::size_t(k) * square_size + e]);
      shared.row(low, high) = shared.right(k * panel_width + low, high);
    }
    block.sync();
    panels::transposed_product(block, shared.t, shared.row, shared.found);
    block.sync();
    work_real* const to = squares + std::size_t(at.number()) * square_size;
    for (int e = block.thread_rank(); e < square_size; e += block.num_threads())
      to[e] = -shared.found(e / panel_width, e % panel_width);
    panels::subtract_product(block, shared.products, shared.found, 0, k * panel_width,
                             shared.right);
  }

  /// Loads a column panel of V₁ᵀ, down to its diagonal block.
  template <class Block>
  GRIDLOOM_FN void load_top(Block const& block, int j, tile& to) const {
    for (int e = block.thread_rank(); e < (j + 1) * square_size; e += block.num_threads()) {
      std::int64_t const v_row = std::int64_t{j} * panel_width + e % panel_width;
      int const v_col = e / panel_width;
      work_real value = 0;
      if (v_row < reflectors.cols && v_row >= v_col)
        value =
            v_row == v_col ? work_real{1} : static_cast<work_real>(*reflectors.at(v_row, v_col));
      to(v_col, e % panel_width) = value;
    }
  }
};

}  // namespace gridloom::tiled_qr
