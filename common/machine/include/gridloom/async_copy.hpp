#pragma once
// Copies from device memory to a block's shared memory that a thread starts and does not wait for. A
// leaf: on a host they are plain copies.

#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom {

/// Starts a copy of one value of 8 or 16 bytes, aligned to its size.
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

/// Ends a group: the copies that the thread has started since the group before.
GRIDLOOM_FN inline void end_copy_group() {
#if defined(__CUDA_ARCH__)
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Waits for the thread's groups but the last `Left`. What other threads have copied can be read
/// after they have waited, too, and the block has met.
template <int Left>
GRIDLOOM_FN void wait_for_copies() {
#if defined(__CUDA_ARCH__)
  asm volatile("cp.async.wait_group %0;" ::"n"(Left) : "memory");
#endif
}

}  // namespace gridloom
