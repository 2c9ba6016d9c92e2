#pragma once
// The sums of a pass: products of tiles over all chunks of a block, by the loops and matrix units
// of products.hpp.

#include "ours/panel/products.hpp"

namespace gridloom::tiled_qr::panels {

/// A sum of products leftᵀ · right over the rows of many tiles. The result is a small row-major
/// matrix in device memory. The sum stays in registers until the end if the block has one warp for
/// each of the result's 8 pieces of 16 × 8. Each entry belongs to one thread.
class cross_sum {
 public:
  /// The result is written to `sum` if `is_new`, and otherwise added to it.
  template <class Block>
  GRIDLOOM_FN cross_sum(Block const& block, work_real* sum, bool is_new)
      : sum_(sum), is_new_(is_new) {
    if (!in_registers(block) || is_new) return;
    for_entries(block, [&](int at, work_real& first, work_real& second) {
      auto const two = *reinterpret_cast<pair const*>(sum_ + at);
      first = two.first;
      second = two.second;
    });
  }

  template <class Block, int Rows>
  GRIDLOOM_FN void add(Block const& block, panel_tile<work_real, Rows> const& left,
                       panel_tile<work_real, Rows> const& right) {
    if (in_registers(block)) {
      int const lane = block.thread_rank() % 32;
      int const deep = lane % 4;
      int const row = piece_row(block);
      int const col = block.thread_rank() / 64 * 8 + lane / 4;
      GRIDLOOM_UNROLL
      for (int k = deep; k < Rows; k += 8) {
        double const a[4] = {left(k, row), left(k, row + 8), left(k + 4, row),
                             left(k + 4, row + 8)};
        double const b[2] = {right(k, col), right(k + 4, col)};
        multiply_add(entries_, a, b);
      }
      return;
    }
    for (int e = block.thread_rank(); e < panel_width * panel_width; e += block.num_threads()) {
      work_real value = is_new_ ? work_real{0} : sum_[e];
      for (int k = 0; k < Rows; k += panel_width)
        value += detail::product_of_rows(left, right, k, e / panel_width, e % panel_width);
      sum_[e] = value;
    }
    is_new_ = false;
  }

  template <class Block>
  GRIDLOOM_FN void finish(Block const& block) {
    if (!in_registers(block)) return;
    for_entries(block, [&](int at, work_real first, work_real second) {
      *reinterpret_cast<pair*>(sum_ + at) = pair{first, second};
    });
  }

 private:
  using pair = detail::pair_of<work_real>;

  template <class Block>
  GRIDLOOM_FN static bool in_registers(Block const& block) {
    return detail::has_matrix_units(block) && block.num_threads() == 256;
  }
  template <class Block>
  GRIDLOOM_FN static int piece_row(Block const& block) {
    return block.thread_rank() / 32 % 2 * 16 + block.thread_rank() % 32 / 4;
  }
  template <class Block, class Function>
  GRIDLOOM_FN void for_entries(Block const& block, Function const& f) {
    int const at =
        piece_row(block) * panel_width + block.thread_rank() / 64 * 8 + block.thread_rank() % 4 * 2;
    f(at, entries_[0], entries_[1]);
    f(at + 8 * panel_width, entries_[2], entries_[3]);
  }

  work_real* sum_;
  bool is_new_;
  work_real entries_[4] = {};
};

}  // namespace gridloom::tiled_qr::panels
