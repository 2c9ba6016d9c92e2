#pragma once
// Adds up the partial sums of gram_kernel.hpp in the order of GK.R1.

#include "ours/tall/gram_kernel.hpp"

namespace gridloom::tiled_qr {

/// Writes g, n × n: those squares of its upper triangle that gram_kernel computes. An item is 32
/// entries of half a square. The threads of a block also share the partial sums of the half's group
/// (gram_shares).
template <class Real, tall_kind Kind = tall_kind::as_they_stand>
struct gram_sum_kernel {
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = true;
  static constexpr int max_threads = tall_threads;
  static constexpr int entries = 32;
  static constexpr int parts = max_threads / entries;
  static constexpr int items_of_half = half_size / entries;

  struct scratch {
    work_real sums[parts][entries];
  };

  gram_shares shares;
  work_real const* partials;
  Real* g;
  std::int64_t n;

  GRIDLOOM_FN int items() const { return shares.halves * items_of_half; }

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    block.wait_for_previous_launch();
    for (int item = block.index(); item < items(); item += block.count())
      add_up(block, item / items_of_half, item % items_of_half * entries, shared);
  }

 private:
  template <class Block>
  GRIDLOOM_FN void add_up(Block const& block, int half, int first, scratch& shared) const {
    int const group = half / shares.halves_of_group;
    std::size_t const at = std::size_t(half % shares.halves_of_group) * half_size + first;
    for (int e = block.thread_rank(); e < entries * parts; e += block.num_threads()) {
      work_real sum = 0;
      for (int member = e / entries; member < shares.active; member += parts)
        sum += partials[shares.partial(group, member) + at + e % entries];
      shared.sums[e / entries][e % entries] = sum;
    }
    block.sync();
    block_pair const pair = gram_pairs<Kind>::of(half / 2);
    for (int e = block.thread_rank(); e < entries; e += block.num_threads()) {
      work_real sum = 0;
      for (auto const& part : shared.sums) sum += part[e];
      int const row = panel_width * pair.i + (first + e) / half_width;
      int const col = panel_width * pair.j + half % 2 * half_width + (first + e) % half_width;
      if (row <= col && col < n) g[row + col * n] = static_cast<Real>(sum);
    }
    block.sync();
  }
};

}  // namespace gridloom::tiled_qr
