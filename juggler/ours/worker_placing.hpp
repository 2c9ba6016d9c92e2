#pragma once
// How workers are numbered where a persistent grid fills a GPU. The number decides which tasks a
// worker gets, so neighbours in number work at the same time.
//
//   blocks           as the device numbers blocks, wherever it puts them;
//   multiprocessors  across the multiprocessors in their own order: the first blocks of all of them,
//                    then the second ones;
//   strided          the same, and from one worker to the next by a step over several
//                    multiprocessors, since those with numbers near each other may share more than
//                    those apart.
//
// In any other grid, and on a host, a worker's number is its block's.

#include <array>
#include <cstdint>
#include <numeric>
#include <string_view>

#include "gridloom/portable.hpp"

namespace gridloom::juggler {

enum class worker_placing { blocks, multiprocessors, strided };

/// In their order.
inline constexpr std::array<std::string_view, 3> worker_placing_names{"blocks", "multiprocessors",
                                                                      "strided"};

[[nodiscard]] constexpr std::string_view name_of(worker_placing placing) {
  return worker_placing_names[static_cast<std::size_t>(placing)];
}

/// Multiprocessors from one worker to the next: an eighth of all, or the next number that has no
/// divisor with theirs, so that each one's turn comes.
[[nodiscard]] constexpr std::uint32_t worker_stride(std::uint32_t multiprocessors) {
  std::uint32_t stride = (multiprocessors + 7) / 8;
  while (std::gcd(stride, multiprocessors) != 1) ++stride;
  return stride;
}

/// What a multiprocessor's number is multiplied by, modulo their number, to become the place of its
/// worker among those of all: 1, or the inverse of the stride.
[[nodiscard]] constexpr std::uint32_t placing_factor(worker_placing placing,
                                                     std::uint32_t multiprocessors) {
  if (placing != worker_placing::strided) return 1;
  std::uint64_t const stride = worker_stride(multiprocessors);
  std::uint32_t factor = 1;
  while (stride * factor % multiprocessors != 1 % multiprocessors) ++factor;
  return factor;
}

/// Of the block that is the `before`-th of `each` blocks on multiprocessor `own` of `all`. For a
/// factor as above these are distinct for distinct blocks, and below each × all.
[[nodiscard]] GRIDLOOM_FN constexpr std::uint32_t worker_number(std::uint32_t own,
                                                                std::uint32_t all,
                                                                std::uint32_t before,
                                                                std::uint32_t each,
                                                                std::uint32_t factor) {
  return before % each * all + own * factor % all;
}

}  // namespace gridloom::juggler
