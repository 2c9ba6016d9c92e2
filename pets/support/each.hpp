#pragma once
// A loop for kernels without dependencies, with one thread per task or edge.

#include <cstdint>

#include "gridloom/group.hpp"

namespace gridloom::pets {

/// Calls body(i) for all i below n, each in one thread of the launch. Neighbouring threads get
/// neighbouring numbers.
template <thread_group Block, class Body>
GRIDLOOM_FN void for_each(Block const& block, std::uint32_t n, Body const& body) {
  auto const each = block.thread();
  auto const step = static_cast<std::uint32_t>(each.count());
  for (auto i = static_cast<std::uint32_t>(each.index()); i < n; i += step) body(i);
}

}  // namespace gridloom::pets
