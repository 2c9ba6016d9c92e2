#pragma once
// A count in a block's memory, by which its levels follow each other. A leaf: what a GPU has for it.

#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom::wavefront::sptrsv {

/// What a thread wrote to the block's memory before it adds, those see who find the count high enough.
/// On the host a block is one thread.
class level_counter {
 public:
  /// `word`: in the block's memory; null where nobody counts.
  GRIDLOOM_FN explicit level_counter(std::uint32_t* word)
#if defined(__CUDA_ARCH__)
      : address_(static_cast<std::uint32_t>(__cvta_generic_to_shared(word))) {
    // Else it is computed anew at each use.
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
