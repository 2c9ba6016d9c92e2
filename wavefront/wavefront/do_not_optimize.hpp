#pragma once
// A leaf: what keeps compilers from leaving out a number that nothing uses.

#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom::wavefront {

/// Has `value` computed. `never` is one that it does not have, of which compilers do not know. On CUDA
/// that costs a comparison: the assembler sees that an empty statement uses nothing.
GRIDLOOM_FN inline void do_not_optimize(std::uint32_t value, [[maybe_unused]] std::uint32_t never) {
#if defined(__CUDA_ARCH__)
  if (value == never) __trap();
#else
  asm volatile("" : : "r"(value));
#endif
}

}  // namespace gridloom::wavefront
