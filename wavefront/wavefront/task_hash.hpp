#pragma once
// Hash functions that spread tasks over the queues (paper, III.C). The paper has a and b, and names
// other hashes as future work; mix and row are ours.

#include <array>
#include <cstdint>
#include <string_view>

#include "gridloom/portable.hpp"

namespace gridloom::wavefront {

enum class task_hash : std::uint32_t { a, b, mix, row };

inline constexpr std::array<std::string_view, 4> task_hash_names{"a", "b", "mix", "row"};

/// Queue of a released task, below `queues`. `edge` is the task's position among the successors of
/// the task that released it: 0 is the right neighbour, 1 the one below. `row_length` is the number
/// of tasks in a row of the lattice; for other graphs it may be any number of neighbouring tasks.
GRIDLOOM_FN inline std::uint32_t queue_of(task_hash hash, std::uint32_t task, std::uint32_t edge,
                                          std::uint32_t row_length, std::uint32_t queues) {
  switch (hash) {
    case task_hash::a: return task % queues;
    // The right neighbour adds 3, the one below 5, and each further successor 2 more.
    case task_hash::b: return (task + 3U + 2U * edge) % queues;
    // A 32-bit finaliser: neighbours in the graph go to unrelated queues.
    case task_hash::mix: {
      std::uint32_t x = task;
      x = (x ^ (x >> 16)) * 2246822507U;
      x = (x ^ (x >> 13)) * 3266489909U;
      return (x ^ (x >> 16)) % queues;
    }
    // All tasks of a row go to one queue, and so to the workers of that queue.
    case task_hash::row: return (task / row_length) % queues;
  }
  return 0;
}

}  // namespace gridloom::wavefront
