#pragma once
// A loop for kernels without dependencies, with one thread per number.

#include <cstdint>

#include "gridloom/backend/types.hpp"
#include "gridloom/group.hpp"

namespace gridloom {

/// Calls body(i) for all i below n, each in one thread of the launch. Neighbouring threads get
/// neighbouring numbers.
template <thread_group Block, class Body>
GRIDLOOM_FN void for_each(Block const& block, std::uint32_t n, Body const& body) {
  auto const each = block.thread();
  auto const step = static_cast<std::uint32_t>(each.count());
  for (auto i = static_cast<std::uint32_t>(each.index()); i < n; i += step) body(i);
}

/// A kernel that consists of this loop.
template <class Body>
struct each_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;

  std::uint32_t n;
  Body body;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    for_each(block, n, body);
  }
};
template <class Body>
[[nodiscard]] each_kernel<Body> each(std::uint32_t n, Body const& body) {
  return {n, body};
}

}  // namespace gridloom
