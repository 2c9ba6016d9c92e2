#pragma once
// The few compiler differences that one source for two machines cannot avoid. This header,
// atomic.hpp, group.hpp and clock.hpp are the leaves, and device.hpp is the seam that chooses a
// backend: no other file asks which one it is.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <thread>

/// Marks a function that is called rather than inlined: rare paths, whose code and registers the
/// callers should not carry.
#if defined(__CUDACC__)
#define GRIDLOOM_NOINLINE __noinline__
#else
#define GRIDLOOM_NOINLINE __attribute__((noinline))
#endif

/// Before a loop of few known steps: written out on the device, or not, where an array would come
/// to stand in registers that way.
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

/// Distance that keeps two words out of each other's way: one L2 line of the GPU, two lines of most
/// hosts.
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

/// The lanes below `lane`, as a mask: `count_lanes(mask & lanes_below(lane))` ranks a lane within a
/// mask.
GRIDLOOM_FN inline std::uint32_t lanes_below(int lane) { return (1U << lane) - 1U; }

/// Gives a core to other host workers; nothing on a GPU, where all workers run.
GRIDLOOM_FN inline void yield_to_peers() {
#if !defined(__CUDA_ARCH__)
  std::this_thread::yield();
#endif
}

/// Turns of a waiting loop that are cheap enough not to look at a clock after each; a power of two.
/// On the host a turn can be a time slice.
#if defined(__CUDA_ARCH__)
inline constexpr std::uint32_t cheap_turns = 256;
#else
inline constexpr std::uint32_t cheap_turns = 16;
#endif

}  // namespace gridloom
