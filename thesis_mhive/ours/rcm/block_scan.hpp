#pragma once
// Prefix sums over an array in the scratch of a block, which the ordering needs in every level.
// Most levels are narrower than the block. Then each warp sums the elements before its own stretch,
// without a barrier. (The collectives of common/ work for every group, but need one barrier per
// doubling.)

#include <cstdint>
#include <type_traits>

#include "gridloom/group.hpp"

namespace gridloom::mhive::rcm::levels {

inline constexpr int most_warps = 32;

struct scan_scratch {
  std::uint32_t sums[most_warps];
};

namespace detail {

/// Number of threads of a warp. On a device, warps are full.
template <class Warp>
inline constexpr int lanes_of = std::is_same_v<Warp, thread_of_one> ? 1 : 32;

/// Returns the sum of `own` over the threads of lower rank. Small numbers take one vote per bit,
/// and all votes are issued together. Larger numbers take one shuffle per doubling, one after the
/// other.
template <class Warp>
GRIDLOOM_FN std::uint32_t sum_before(Warp const& warp, std::uint32_t own) {
  constexpr int few_bits = 3;
  int const lane = warp.thread_rank();
  if (!warp.any(own >> few_bits != 0)) {
    std::uint32_t const below = lanes_below(lane);
    std::uint32_t before = 0;
    GRIDLOOM_UNROLL
    for (int bit = 0; bit < few_bits; ++bit) {
      std::uint32_t const set = warp.ballot((own >> bit & 1U) != 0);
      before += static_cast<std::uint32_t>(count_lanes(set & below)) << bit;
    }
    return before;
  }
  std::uint32_t behind = own;
  GRIDLOOM_UNROLL
  for (int stride = 1; stride < lanes_of<Warp>; stride *= 2) {
    std::uint32_t const left = warp.shuffle(behind, lane >= stride ? lane - stride : lane);
    if (lane >= stride) behind += left;
  }
  return behind - own;
}

/// Returns the sum of `own` over all threads of the warp.
template <class Warp>
GRIDLOOM_FN std::uint32_t sum_of_all(Warp const& warp, std::uint32_t own) {
  GRIDLOOM_UNROLL
  for (int stride = 1; stride < lanes_of<Warp>; stride *= 2) {
    own += warp.shuffle(own, warp.thread_rank() ^ stride);
  }
  return own;
}

}  // namespace detail

/// Computes sums[i] = values[0] + … + values[i - 1] for i from 0 to n. Called by all threads of the
/// block, whose number is a power of two from a warp to 1,024. A barrier must precede the call, and
/// another one must precede reading the result.
template <class Block>
GRIDLOOM_FN void exclusive_scan(Block const& block, scan_scratch& scratch, std::uint32_t n,
                                std::uint32_t const* values, std::uint32_t* sums) {
  auto const warp = block.warp();
  auto const rank = static_cast<std::uint32_t>(block.thread_rank());
  auto const threads = static_cast<std::uint32_t>(block.num_threads());
  auto const lane = static_cast<std::uint32_t>(warp.thread_rank());
  constexpr auto lanes =
      static_cast<std::uint32_t>(detail::lanes_of<std::remove_const_t<decltype(warp)>>);
  std::uint32_t const warp_begin = rank - lane;
  if (n <= threads) {
    if (warp_begin >= n) return;
    std::uint32_t const own = rank < n ? values[rank] : 0;
    std::uint32_t others = 0;
    for (std::uint32_t i = lane; i < warp_begin; i += lanes) others += values[i];
    std::uint32_t const before = detail::sum_of_all(warp, others) + detail::sum_before(warp, own);
    if (rank < n) sums[rank] = before;
    if (rank == n - 1) sums[n] = before + own;
    return;
  }
  // Each thread gets one stretch. (A shift computes its length, because a division would take
  // longer than the rest.)
  std::uint32_t const each = (n + threads - 1) >> first_lane(threads);
  std::uint32_t const begin = rank * each < n ? rank * each : n;
  std::uint32_t const end = begin + each < n ? begin + each : n;
  std::uint32_t sum = 0;
  for (std::uint32_t i = begin; i < end; ++i) sum += values[i];
  std::uint32_t before = detail::sum_before(warp, sum);
  std::uint32_t const own_warp = rank >> first_lane(lanes);
  if (lane == lanes - 1) scratch.sums[own_warp] = before + sum;
  block.sync();
  before += detail::sum_of_all(warp, lane < own_warp ? scratch.sums[lane] : 0);
  for (std::uint32_t i = begin; i < end; ++i) {
    sums[i] = before;
    before += values[i];
  }
  if (begin < n && end == n) sums[n] = before;
}

}  // namespace gridloom::mhive::rcm::levels
