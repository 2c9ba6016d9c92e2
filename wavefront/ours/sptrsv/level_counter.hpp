#pragma once
// A counter in a block's shared memory, on which the block's levels wait. A GPU has barrier
// instructions for such counters; the host uses atomics.

#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom::wavefront::sptrsv {

/// A thread that finds the count high enough sees what other threads wrote to shared memory before
/// they added to the count. On the host a block is one thread.
class level_counter {
 public:
  /// `word` is in shared memory; null if the warp counts nothing.
  GRIDLOOM_FN explicit level_counter(std::uint32_t* word)
#if defined(__CUDA_ARCH__)
      : address_(static_cast<std::uint32_t>(__cvta_generic_to_shared(word))) {
    // Otherwise the compiler would compute the address again at each use.
    asm volatile("" : "+r"(address_));
  }
#else
      : word_(word) {
  }
#endif

  GRIDLOOM_FN void add() const {
#if defined(__CUDA_ARCH__)
    asm volatile("red.release.cta.shared::cta.add.u32 [%0], 1;" ::"r"(address_) : "memory");
#else
    ++*word_;
#endif
  }
  [[nodiscard]] GRIDLOOM_FN bool reached(std::uint32_t wanted) const {
#if defined(__CUDA_ARCH__)
    std::uint32_t count;
    asm volatile("ld.acquire.cta.shared::cta.u32 %0, [%1];"
                 : "=r"(count)
                 : "r"(address_)
                 : "memory");
    return count >= wanted;
#else
    return *word_ >= wanted;
#endif
  }

 private:
#if defined(__CUDA_ARCH__)
  std::uint32_t address_;
#else
  std::uint32_t* word_;
#endif
};

}  // namespace gridloom::wavefront::sptrsv
