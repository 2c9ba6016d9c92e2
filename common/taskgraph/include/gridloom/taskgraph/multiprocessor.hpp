#pragma once
// The multiprocessor that a thread runs on. This file depends on the backend: a host has none.

#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom {

/// `own` is below `all`, a bound of multiprocessor numbers. `all` is 0 on a host.
struct multiprocessor_number {
  std::uint32_t own = 0;
  std::uint32_t all = 0;
};

/// The multiprocessor of the calling thread at this moment.
GRIDLOOM_FN inline multiprocessor_number this_multiprocessor() {
  multiprocessor_number found;
#if defined(__CUDA_ARCH__)
  asm volatile("mov.u32 %0, %%smid;" : "=r"(found.own));
  asm volatile("mov.u32 %0, %%nsmid;" : "=r"(found.all));
#endif
  return found;
}

}  // namespace gridloom
