#pragma once
// Every hash of multi_queue, chosen at run time: the paper's a and b, and two of ours. The paper
// names other hashes as future work.

#include <array>
#include <cstdint>
#include <string_view>

#include "wavefront/task_hash.hpp"

namespace gridloom::wavefront {

enum class task_hash : std::uint32_t { a, b, mix, row };

inline constexpr std::array<std::string_view, 4> task_hash_names{"a", "b", "mix", "row"};

/// A hash as in wavefront/task_hash.hpp.
struct any_hash {
  task_hash kind;
  /// Number of tasks in a row of the lattice; for other graphs, any number of neighbouring tasks.
  std::uint32_t row_length;

  GRIDLOOM_FN std::uint32_t operator()(std::uint32_t task, std::uint32_t edge,
                                       std::uint32_t queues) const {
    switch (kind) {
      case task_hash::a: return hash_a{}(task, edge, queues);
      case task_hash::b: return hash_b{}(task, edge, queues);
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
};

}  // namespace gridloom::wavefront
