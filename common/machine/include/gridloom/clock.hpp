#pragma once
// Clocks that task bodies, traces and the watchdog read from inside a kernel.

#include <chrono>
#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom {

/// Nanoseconds since an arbitrary start that all workers of a backend share. On CUDA the resolution
/// is some tens of nanoseconds to a microsecond, depending on the GPU. This suffices for traces and
/// time limits, not for short work.
GRIDLOOM_FN inline std::uint64_t now_ns() {
#if defined(__CUDA_ARCH__)
  std::uint64_t t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch() /
                                    std::chrono::nanoseconds(1));
#endif
}

/// Ticks of the calling worker's own clock: cycles of a multiprocessor on CUDA, nanoseconds on the
/// host. `device::properties().ticks_per_ns` converts them. Workers' values are not comparable.
GRIDLOOM_FN inline std::uint64_t now_ticks() {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint64_t>(clock64());
#else
  return now_ns();
#endif
}

}  // namespace gridloom
