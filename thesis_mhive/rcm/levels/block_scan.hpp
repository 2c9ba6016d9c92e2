#pragma once
// Sums over an array in the scratch of a block, two barriers each: the step of the ordering that is
// made in every level. (The collectives of common/ work for every group, and take a barrier a
// doubling.)

#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom::mhive::rcm::levels {

inline constexpr int most_warps = 32;

struct scan_scratch {
  std::uint32_t sums[most_warps];
};

namespace detail {

template <class Warp>
GRIDLOOM_FN std::uint32_t sum_before(Warp const& warp, std::uint32_t own) {
  std::uint32_t behind = own;
  int const lane = warp.thread_rank();
  for (int stride = 1; stride < warp.num_threads(); stride *= 2) {
    std::uint32_t const left = warp.shuffle(behind, lane >= stride ? lane - stride : lane);
    if (lane >= stride) behind += left;
  }
  return behind - own;
}

/// The same for one warp.
template <class Warp>
GRIDLOOM_FN void scan_stretches(Warp const& warp, std::uint32_t n, std::uint32_t* values,
                                std::uint32_t* sums) {
  auto const lanes = static_cast<std::uint32_t>(warp.num_threads());
  std::uint32_t const each = (n + lanes - 1) / lanes;
  std::uint32_t const rank = static_cast<std::uint32_t>(warp.thread_rank());
  std::uint32_t const begin = rank * each < n ? rank * each : n;
  std::uint32_t const end = begin + each < n ? begin + each : n;
  std::uint32_t sum = 0;
  for (std::uint32_t i = begin; i < end; ++i) sum += values[i];
  std::uint32_t before = sum_before(warp, sum);
  for (std::uint32_t i = begin; i < end; ++i) {
    std::uint32_t const value = values[i];
    sums[i] = before;
    values[i] = 0;
    before += value;
  }
  if (begin < n && end == n) sums[n] = before;
}

}  // namespace detail

/// sums[i] = values[0] + … + values[i - 1] for i from 0 to n, and values are set to 0. Called by
/// all threads of the block, of at most 1,024 threads, after a barrier; another one before the
/// result is read.
template <class Block>
GRIDLOOM_FN void exclusive_scan(Block const& block, scan_scratch& scratch, std::uint32_t n,
                                std::uint32_t* values, std::uint32_t* sums) {
  auto const warp = block.warp();
  auto const rank = static_cast<std::uint32_t>(block.thread_rank());
  auto const threads = static_cast<std::uint32_t>(block.num_threads());
  int const lane = warp.thread_rank();
  int const lanes = warp.num_threads();
  auto const own_warp = static_cast<int>(rank) / lanes;
  // Few values are for one warp: that saves a barrier.
  constexpr std::uint32_t few = 8 * 32;
  if (n <= few) {
    if (own_warp == 0) detail::scan_stretches(warp, n, values, sums);
    return;
  }
  // A stretch a thread.
  std::uint32_t const each = (n + threads - 1) / threads;
  std::uint32_t const begin = rank * each < n ? rank * each : n;
  std::uint32_t const end = begin + each < n ? begin + each : n;
  std::uint32_t sum = 0;
  for (std::uint32_t i = begin; i < end; ++i) sum += values[i];
  std::uint32_t before = detail::sum_before(warp, sum);
  if (lane == lanes - 1) scratch.sums[own_warp] = before + sum;
  block.sync();
  // Every warp sums up those before it for itself.
  int const warps = static_cast<int>(threads) / lanes;
  std::uint32_t others = lane < own_warp && lane < warps ? scratch.sums[lane] : 0;
  for (int stride = 1; stride < lanes; stride *= 2) {
    std::uint32_t const other = warp.shuffle(others, lane ^ stride);
    others += other;
  }
  before += others;
  for (std::uint32_t i = begin; i < end; ++i) {
    std::uint32_t const value = values[i];
    sums[i] = before;
    values[i] = 0;
    before += value;
  }
  if (begin < n && end == n) sums[n] = before;
}

}  // namespace gridloom::mhive::rcm::levels
