#pragma once
// The few compiler differences that one source for two machines cannot avoid. This header,
// atomic.hpp, group.hpp and clock.hpp are the leaves, and device.hpp is the seam that chooses a
// backend: no other file asks which one it is.

#include <bit>
#include <cstddef>
#include <cstdint>

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

/// Tells the processor that this thread spins; nothing on a GPU.
GRIDLOOM_FN inline void spin_once() {
#if !defined(__CUDA_ARCH__) && defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// The rest of `give_way`: host_waiting.hpp.
void wait_longer(unsigned attempt);

/// Called by a host worker that has looked for something in vain, for the `attempt`-th time since
/// it began to wait: spins first, then leaves the core to others. Nothing on a GPU, where all
/// workers run. Loops that are also to relax a GPU call `pause` of their group instead.
GRIDLOOM_FN inline void give_way([[maybe_unused]] unsigned attempt) {
#if !defined(__CUDA_ARCH__)
  constexpr unsigned brief = 16;  // no clock is read so early
  if (attempt < brief) {
    spin_once();
  } else {
    wait_longer(attempt);
  }
#endif
}

/// Turns of a waiting loop that are cheap enough not to look at a clock after each; a power of two.
/// On the host a turn can be a time slice.
#if defined(__CUDA_ARCH__)
inline constexpr std::uint32_t cheap_turns = 256;
#else
inline constexpr std::uint32_t cheap_turns = 16;
#endif

/// Looks in vain after which what should come soon is not expected any more. On the host most of
/// them take a nap each.
#if defined(__CUDA_ARCH__)
inline constexpr std::uint32_t many_turns = 1U << 14U;
#else
inline constexpr std::uint32_t many_turns = 1U << 11U;
#endif

}  // namespace gridloom
