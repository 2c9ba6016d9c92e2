#pragma once
// How workers are numbered if a persistent grid fills a GPU. The number decides which tasks a
// worker gets, and workers with neighbouring numbers work at the same time. There are three
// numberings:
//
//  blocks           a worker has its block's number, wherever the device puts the block;
//  multiprocessors  one block of each multiprocessor in order, then their second blocks;
//  strided          the same, but consecutive workers are several multiprocessors apart, because
//                   neighbouring multiprocessors may share more than distant ones.
//
// In any other grid, and on a host, a worker has its block's number.

#include <array>
#include <cstdint>
#include <numeric>
#include <string_view>

#include "gridloom/portable.hpp"

namespace gridloom {

enum class worker_placing : int { multiprocessors, blocks, strided };

/// The names of the numberings, in the order of worker_placing.
inline constexpr std::array<std::string_view, 3> worker_placing_names{"multiprocessors", "blocks",
                                                                      "strided"};

[[nodiscard]] constexpr std::string_view name_of(worker_placing placing) {
  return worker_placing_names[static_cast<std::size_t>(placing)];
}

/// Number of multiprocessors between consecutive workers: an eighth of all, rounded up to a number
/// coprime to `multiprocessors`. So every multiprocessor gets its turn.
[[nodiscard]] constexpr std::uint32_t worker_stride(std::uint32_t multiprocessors) {
  std::uint32_t stride = (multiprocessors + 7) / 8;
  while (std::gcd(stride, multiprocessors) != 1) ++stride;
  return stride;
}

/// The factor that turns a multiprocessor's number into its worker's place, modulo the number of
/// multiprocessors: 1, or the inverse of the stride.
[[nodiscard]] constexpr std::uint32_t placing_factor(worker_placing placing,
                                                     std::uint32_t multiprocessors) {
  if (placing != worker_placing::strided) return 1;
  std::uint64_t const stride = worker_stride(multiprocessors);
  std::uint32_t factor = 1;
  while (stride * factor % multiprocessors != 1 % multiprocessors) ++factor;
  return factor;
}

/// The worker's number for a block: it is number `before` of the `each` blocks on multiprocessor
/// `own` of `all`. If `factor` comes from placing_factor(), distinct blocks get distinct numbers
/// below each × all.
[[nodiscard]] GRIDLOOM_FN constexpr std::uint32_t worker_number(std::uint32_t own,
                                                                std::uint32_t all,
                                                                std::uint32_t before,
                                                                std::uint32_t each,
                                                                std::uint32_t factor) {
  return before % each * all + own * factor % all;
}

}  // namespace gridloom
