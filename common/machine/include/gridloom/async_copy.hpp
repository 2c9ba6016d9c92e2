#pragma once
// Asynchronous copies from device memory to a block's shared memory; plain copies on the host.

#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom {

/// Starts to copy one value of 8 or 16 bytes that is aligned to its size.
template <class Value>
GRIDLOOM_FN void copy_async(Value* to_shared, Value const* from) {
  static_assert(sizeof(Value) == 8 || sizeof(Value) == 16);
#if defined(__CUDA_ARCH__)
  auto const to = static_cast<std::uint32_t>(__cvta_generic_to_shared(to_shared));
  if constexpr (sizeof(Value) == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to), "l"(from) : "memory");
  }
#else
  *to_shared = *from;
#endif
}

/// Ends a group of copies: all copies that the thread has started since its last group.
GRIDLOOM_FN inline void end_copy_group() {
#if defined(__CUDA_ARCH__)
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Waits for all groups of the thread except the last `Left`. A thread may read what other threads
/// copied after these have waited, too, and then the block has synchronised.
template <int Left>
GRIDLOOM_FN void wait_for_copies() {
#if defined(__CUDA_ARCH__)
  asm volatile("cp.async.wait_group %0;" ::"n"(Left) : "memory");
#endif
}

}  // namespace gridloom
