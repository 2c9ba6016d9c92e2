#pragma once
// Prefetching into the L2 cache of a GPU. On a host, these functions do nothing.

#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom::juggler {

/// A range that one instruction can prefetch, in whole pieces of 16 bytes.
struct prefetched_range {
  std::uint64_t begin;
  std::uint32_t bytes;
};

/// A larger range would evict others' data. The instruction counts pieces in 16 bits.
inline constexpr std::uint32_t most_prefetched_bytes = 1U << 16U;

/// The whole pieces within the `bytes` bytes from address `at` on, up to the limit. May be empty.
[[nodiscard]] GRIDLOOM_FN constexpr prefetched_range prefetched_of(std::uint64_t at,
                                                                   std::uint64_t bytes) {
  constexpr std::uint64_t piece = 16;
  std::uint64_t const begin = (at + piece - 1) / piece * piece;
  std::uint64_t const end = (at + bytes) / piece * piece;
  if (begin >= end) return {begin, 0};
  bool const is_much = end - begin > most_prefetched_bytes;
  return {begin, is_much ? most_prefetched_bytes : static_cast<std::uint32_t>(end - begin)};
}

/// Starts to prefetch `count` elements, or the first of them if there are too many. Does not wait.
/// Called by one thread. The program sees no values, so no order with writers is needed. Up to 15
/// bytes at each end may be left out.
template <class T>
GRIDLOOM_FN void prefetch_to_l2([[maybe_unused]] T const* first,
                                [[maybe_unused]] std::int64_t count) {
#if defined(__CUDA_ARCH__)
  prefetched_range const range =
      prefetched_of(static_cast<std::uint64_t>(__cvta_generic_to_global(first)),
                    static_cast<std::uint64_t>(count) * sizeof(T));
  if (range.bytes == 0) return;
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(range.begin), "r"(range.bytes)
               : "memory");
#else
  for (std::uint64_t line = range.begin; line < range.begin + range.bytes; line += line_bytes)
    asm volatile("prefetch.global.L2 [%0];" ::"l"(line));
#endif
#endif
}

}  // namespace gridloom::juggler
