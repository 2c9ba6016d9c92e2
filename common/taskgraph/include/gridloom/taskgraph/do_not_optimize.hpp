#pragma once
// Keeps compilers from removing the computation of an unused number.

#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom {

/// Forces the computation of `value`, which never equals `never`. On the host, an empty assembler
/// statement uses `value`. CUDA's assembler would see through that, so there `value` is compared
/// with `never`. (If the compiler can prove that the two differ, it has computed `value` already.)
GRIDLOOM_FN inline void do_not_optimize(std::uint32_t value, [[maybe_unused]] std::uint32_t never) {
#if defined(__CUDA_ARCH__)
  if (value == never) __trap();
#else
  asm volatile("" : : "r"(value));
#endif
}

}  // namespace gridloom
