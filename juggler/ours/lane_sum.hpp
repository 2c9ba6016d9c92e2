#pragma once
// The sum over the lanes of a warp. This file depends on the backend: a GPU adds lanes in one
// instruction. A series of shuffles would lengthen the critical path from tile to tile.

#include <cstdint>
#include <type_traits>

#include "gridloom/group.hpp"
#include "gridloom/portable.hpp"

namespace gridloom::juggler {

/// The sum of `value`, for all lanes. Called by all lanes of a warp.
template <warp_group Warp>
[[nodiscard]] GRIDLOOM_FN std::uint32_t sum_of_lanes(Warp const& warp, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  // As in cuda_warp, the mask may name lanes that do not exist; they count as exited.
  if constexpr (std::is_same_v<Warp, cuda_warp>) return __reduce_add_sync(~0U, value);
#endif
  int const lane = warp.thread_rank();
  int const lanes = warp.num_threads();
  for (int step = 1; step < lanes; step *= 2) {
    std::uint32_t const other = warp.shuffle(value, lane + step < lanes ? lane + step : lane);
    if (lane + step < lanes) value += other;
  }
  return warp.shuffle(value, 0);
}

}  // namespace gridloom::juggler
