#pragma once
// Memory of a GPU that is brought into its L2 cache ahead. A leaf: nothing on a host.

#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom::juggler {

/// Asks for `count` elements, and does not wait. Nothing is read, so it needs no order with those who
/// write them. By one thread. Pieces of less than 16 bytes at the ends may be left out.
template <class T>
GRIDLOOM_FN void prefetch_to_l2([[maybe_unused]] T const* first,
                                [[maybe_unused]] std::int64_t count) {
#if defined(__CUDA_ARCH__)
  constexpr std::uint64_t piece = 16;
  auto const at = static_cast<std::uint64_t>(__cvta_generic_to_global(first));
  std::uint64_t const begin = (at + piece - 1) / piece * piece;
  std::uint64_t const end = (at + static_cast<std::uint64_t>(count) * sizeof(T)) / piece * piece;
  if (begin >= end) return;
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(begin),
               "r"(static_cast<std::uint32_t>(end - begin))
               : "memory");
#else
  for (std::uint64_t line = begin; line < end; line += line_bytes)
    asm volatile("prefetch.global.L2 [%0];" ::"l"(line));
#endif
#endif
}

}  // namespace gridloom::juggler
