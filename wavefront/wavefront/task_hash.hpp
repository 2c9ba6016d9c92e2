#pragma once
// The paper's hash functions a and b (III.C), which spread tasks over the queues.

#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom::wavefront {

/// Returns the queue that gets a released task, below `queues`. `edge` is the task's position among
/// the successors of the task that released it: 0 is the right neighbour, 1 the one below.
struct hash_a {
  GRIDLOOM_FN std::uint32_t operator()(std::uint32_t task, std::uint32_t /*edge*/,
                                       std::uint32_t queues) const {
    return task % queues;
  }
};

/// The right neighbour adds 3, the one below 5, and each further successor 2 more.
struct hash_b {
  GRIDLOOM_FN std::uint32_t operator()(std::uint32_t task, std::uint32_t edge,
                                       std::uint32_t queues) const {
    return (task + 3U + 2U * edge) % queues;
  }
};

}  // namespace gridloom::wavefront
