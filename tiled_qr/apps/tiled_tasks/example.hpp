#pragma once
// A complete example of a user's tasks on the general scheduler. For each value, it counts how
// many of the given numbers are at most that value. docs/general.md explains it.

#include <cstdint>

#include "tiled_qr/general/task_graph.hpp"
#include "tiled_qr/general/task_view.hpp"

namespace gridloom::tiled_qr::general::example {

enum kind : std::uint32_t { count, add, sum_up };

/// A task's payload: the chunk of numbers that it works on.
struct chunk {
  std::uint32_t number;
};

inline constexpr std::uint32_t values = 64;
inline constexpr std::uint32_t chunk_size = 2048;

/// The body of the tasks. The functor points to the data in device memory.
struct body {
  struct scratch {
    /// In shared memory.
    std::uint32_t counts[values];
  };
  std::uint32_t const* numbers;
  /// One row of `values` counts per chunk.
  std::uint32_t* counts;
  /// The counts of all chunks together, 0 at the start.
  std::uint32_t* histogram;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, task_view const& task, scratch& own) const {
    int const rank = block.thread_rank();
    int const threads = block.num_threads();
    if (task.type() == kind::sum_up) {
      for (std::uint32_t v = 1; v < values && rank == 0; ++v) histogram[v] += histogram[v - 1];
      return;
    }
    std::uint32_t const c = task.payload<chunk>().number;
    for (std::uint32_t v = rank; v < values; v += threads) {
      if (task.type() == kind::count) {
        own.counts[v] = 0;
        for (std::uint32_t i = 0; i < chunk_size; ++i)
          own.counts[v] += numbers[c * chunk_size + i] == v;
        counts[c * values + v] = own.counts[v];
      } else {
        // Not atomic, because such tasks run one at a time.
        histogram[v] += counts[c * values + v];
      }
    }
  }
};

/// Makes the graph: which task depends on which, and which tasks conflict.
inline task_graph make_graph(std::uint32_t chunks) {
  task_graph graph({{"count", 8}, {"add", 1}, {"sum_up", 1}});
  resource_id const histogram = graph.add_resource();
  task_id const last = graph.add_task(kind::sum_up);
  for (std::uint32_t c = 0; c < chunks; ++c) {
    task_id const counted = graph.add_task(kind::count, chunk{c});
    task_id const added = graph.add_task(kind::add, chunk{c});
    graph.add_dependency(counted, added);
    graph.add_dependency(added, last);
    // All `add` tasks conflict: they run in any order, one at a time.
    graph.uses(added, histogram);
  }
  return graph;
}

}  // namespace gridloom::tiled_qr::general::example
