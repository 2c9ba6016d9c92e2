#pragma once
// The named barriers of a block. A leaf: no other code here knows that a GPU has them.

#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom::wavefront::sptrsv {

/// What one warp of a block does at one of its barriers, with all its lanes. A barrier lets go when so
/// many warps have come, and may be used again then. What a warp wrote to the block's memory before it
/// came, those that waited see. A warp comes once, whether it waits or not. On the host a block is one
/// thread, which meets nobody.
class block_barriers {
 public:
  /// 0 is the whole block's, here unused.
  static constexpr std::uint32_t count = 16;

  /// Comes and waits.
  GRIDLOOM_FN void wait([[maybe_unused]] std::uint32_t barrier,
                        [[maybe_unused]] std::uint32_t warps) const {
#if defined(__CUDA_ARCH__)
    asm volatile("barrier.sync %0, %1;" ::"r"(barrier), "r"(32 * warps) : "memory");
#endif
  }
  /// Comes and goes on.
  GRIDLOOM_FN void arrive([[maybe_unused]] std::uint32_t barrier,
                          [[maybe_unused]] std::uint32_t warps) const {
#if defined(__CUDA_ARCH__)
    asm volatile("barrier.arrive %0, %1;" ::"r"(barrier), "r"(32 * warps) : "memory");
#endif
  }
};

}  // namespace gridloom::wavefront::sptrsv
