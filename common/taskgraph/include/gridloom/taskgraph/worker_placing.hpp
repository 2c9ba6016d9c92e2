#pragma once
// How workers are numbered if a persistent grid fills a GPU. The number decides which tasks a
// worker gets, and workers with neighbouring numbers work at the same time. There are two
// numberings:
//
//  blocks           a worker has its block's number, wherever the device puts the block;
//  multiprocessors  one block of each multiprocessor in order, then their second blocks.
//
// In any other grid, and on a host, a worker has its block's number.

#include <array>
#include <cstdint>
#include <string_view>

#include "gridloom/portable.hpp"

namespace gridloom {

enum class worker_placing : int { multiprocessors, blocks };

/// The names of the numberings, in the order of worker_placing.
inline constexpr std::array<std::string_view, 2> worker_placing_names{"multiprocessors", "blocks"};

[[nodiscard]] constexpr std::string_view name_of(worker_placing placing) {
  return worker_placing_names[static_cast<std::size_t>(placing)];
}

/// The worker's number for a block: it is number `before` of the `each` blocks on multiprocessor
/// `own` of `all`. Distinct blocks get distinct numbers below each × all.
[[nodiscard]] GRIDLOOM_FN constexpr std::uint32_t worker_number(std::uint32_t own,
                                                                std::uint32_t all,
                                                                std::uint32_t before,
                                                                std::uint32_t each) {
  return before % each * all + own;
}

}  // namespace gridloom
