#pragma once
// A user's tasks on the general scheduler, whole: how many of many numbers are not larger than each
// value. docs/general.md goes through it.

#include <cstdint>

#include "tiled_qr/general/task_graph.hpp"
#include "tiled_qr/general/task_view.hpp"

namespace gridloom::tiled_qr::general::example {

enum kind : std::uint32_t { count, add, sum_up };

/// What a task is given: which chunk of the numbers it is about.
struct chunk {
  std::uint32_t number;
};

inline constexpr std::uint32_t values = 64;
inline constexpr std::uint32_t chunk_size = 2048;

/// What the tasks do, on memory of the device that the functor points to.
struct body {
  struct scratch {
    std::uint32_t counts[values];  // shared memory of the block
  };
  std::uint32_t const* numbers;
  std::uint32_t* counts;     // a row of `values` a chunk
  std::uint32_t* histogram;  // of all, 0 at the start

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
        histogram[v] += counts[c * values + v];  // not atomic: one such task at a time
      }
    }
  }
};

/// What is to be done, and what must be kept.
inline task_graph make_graph(std::uint32_t chunks) {
  task_graph graph({{"count", 8}, {"add", 1}, {"sum_up", 1}});
  resource_id const histogram = graph.add_resource();
  task_id const last = graph.add_task(kind::sum_up);
  for (std::uint32_t c = 0; c < chunks; ++c) {
    task_id const counted = graph.add_task(kind::count, chunk{c});
    task_id const added = graph.add_task(kind::add, chunk{c});
    graph.add_dependency(counted, added);
    graph.add_dependency(added, last);
    graph.uses(added, histogram);  // all that add conflict: any order, one at a time
  }
  return graph;
}

}  // namespace gridloom::tiled_qr::general::example
