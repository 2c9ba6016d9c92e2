#pragma once
// The compiler differences that code for two machines cannot avoid.
//
// Only a few headers ask which machine the code is compiled for: this one, atomic.hpp, group.hpp,
// clock.hpp and some more. device.hpp chooses the backend.

#include <bit>
#include <cstddef>
#include <cstdint>

/// Marks a function that must not be inlined: a rare path whose registers would burden its callers.
#if defined(__CUDACC__)
#define GRIDLOOM_NOINLINE __noinline__
#else
#define GRIDLOOM_NOINLINE __attribute__((noinline))
#endif

/// Macros to put before a loop with few known steps. On the device, the first unrolls the loop. The
/// second prevents this, for loops whose unrolling would move an array into registers.
#if defined(__CUDA_ARCH__)
#define GRIDLOOM_UNROLL _Pragma("unroll")
#define GRIDLOOM_NO_UNROLL _Pragma("unroll 1")
#else
#define GRIDLOOM_UNROLL
#define GRIDLOOM_NO_UNROLL
#endif

/// Marks a function that runs on the host and, where nvcc compiles it, on the device.
#if defined(__CUDACC__)
#define GRIDLOOM_FN __host__ __device__
#else
#define GRIDLOOM_FN
#endif

namespace gridloom {

/// Distance of words on separate cache lines: one L2 line of the GPU, two lines of most hosts.
inline constexpr std::size_t line_bytes = 128;

/// Number of set bits of a lane mask.
GRIDLOOM_FN inline int count_lanes(std::uint32_t mask) {
#if defined(__CUDA_ARCH__)
  return __popc(mask);
#else
  return std::popcount(mask);
#endif
}

/// Index of the lowest set bit of a lane mask that is not zero.
GRIDLOOM_FN inline int first_lane(std::uint32_t mask) {
#if defined(__CUDA_ARCH__)
  return __ffs(static_cast<int>(mask)) - 1;
#else
  return std::countr_zero(mask);
#endif
}

/// The mask of the lanes below `lane`. The rank of a lane within a mask is
/// `count_lanes(mask & lanes_below(lane))`.
GRIDLOOM_FN inline std::uint32_t lanes_below(int lane) { return (1U << lane) - 1U; }

/// Tells the processor that this thread spins. Does nothing on a GPU.
GRIDLOOM_FN inline void spin_once() {
#if !defined(__CUDA_ARCH__) && defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// The slow part of `give_way`; see host_waiting.cpp.
void wait_longer(unsigned attempt);

/// Called by a waiting host worker after its `attempt`-th unsuccessful look: first spins, then
/// leaves the core to other threads. Does nothing on a GPU, where all workers run. Loops that
/// should also pause on a GPU call `pause` of their group instead.
GRIDLOOM_FN inline void give_way([[maybe_unused]] unsigned attempt) {
#if !defined(__CUDA_ARCH__)
  // The first attempts do not read the clock.
  constexpr unsigned brief = 16;
  if (attempt < brief) {
    spin_once();
  } else {
    wait_longer(attempt);
  }
#endif
}

/// Turns of a waiting loop between two looks at the clock; a power of two. It is smaller on the
/// host, where one turn can take a time slice.
#if defined(__CUDA_ARCH__)
inline constexpr std::uint32_t cheap_turns = 256;
#else
inline constexpr std::uint32_t cheap_turns = 16;
#endif

/// After this many unsuccessful looks, a waiting thread assumes that the value will not come soon.
/// On the host most of these looks include a short sleep.
#if defined(__CUDA_ARCH__)
inline constexpr std::uint32_t many_turns = 1U << 14U;
#else
inline constexpr std::uint32_t many_turns = 1U << 11U;
#endif

}  // namespace gridloom
