#pragma once
// A thread a task, or an edge: what kernels without dependencies have in common.

#include <cstdint>

#include "gridloom/group.hpp"

namespace gridloom::pets {

/// Calls body(i) for i below n: each by one thread of the launch, neighbours by neighbours.
template <thread_group Block, class Body>
GRIDLOOM_FN void for_each(Block const& block, std::uint32_t n, Body const& body) {
  auto const each = block.thread();
  auto const step = static_cast<std::uint32_t>(each.count());
  for (auto i = static_cast<std::uint32_t>(each.index()); i < n; i += step) body(i);
}

}  // namespace gridloom::pets
