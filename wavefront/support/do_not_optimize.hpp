#pragma once
// A leaf: what keeps compilers from leaving out a number that nothing uses.

#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom::wavefront {

/// Has `value` computed. `never` is a number that it never has. On CUDA a comparison sees to that, since
/// the assembler knows that an empty statement uses nothing; where a compiler can prove that they
/// differ, the caller has looked at the number already.
GRIDLOOM_FN inline void do_not_optimize(std::uint32_t value, [[maybe_unused]] std::uint32_t never) {
#if defined(__CUDA_ARCH__)
  if (value == never) __trap();
#else
  asm volatile("" : : "r"(value));
#endif
}

}  // namespace gridloom::wavefront
