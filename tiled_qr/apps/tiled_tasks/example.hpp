#pragma once
// A user's tasks on the general scheduler, whole: how often each number occurs among many, and how
// many are not larger. docs/general.md goes through it.

#include <cstdint>

#include "tiled_qr/general/task_graph.hpp"
#include "tiled_qr/general/task_view.hpp"

namespace gridloom::tiled_qr::general::example {

enum kind : std::uint32_t { make, count, sum_up };

/// What a task is given: the numbers that it works on.
struct chunk {
  std::uint32_t first, size;
};

inline constexpr std::uint32_t bins = 64;

/// What the tasks do, on memory of the device that the functor points to.
struct body {
  struct scratch {
    std::uint32_t counts[bins];  // shared memory of the block
  };
  std::uint32_t* numbers;
  std::uint32_t* histogram;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, task_view const& task, scratch& own) const {
    auto const rank = static_cast<std::uint32_t>(block.thread_rank());
    auto const threads = static_cast<std::uint32_t>(block.num_threads());
    if (task.type() == kind::make) {
      auto const [first, size] = task.payload<chunk>();
      for (auto i = first + rank; i < first + size; i += threads)
        numbers[i] = (i * 2654435761U >> 20U) % bins;
    } else if (task.type() == kind::count) {
      auto const [first, size] = task.payload<chunk>();
      for (auto bin = rank; bin < bins; bin += threads) {
        own.counts[bin] = 0;
        for (auto i = first; i < first + size; ++i) own.counts[bin] += numbers[i] == bin ? 1U : 0U;
        histogram[bin] += own.counts[bin];  // not atomic: one such task at a time
      }
    } else if (rank == 0) {
      for (std::uint32_t bin = 1; bin < bins; ++bin) histogram[bin] += histogram[bin - 1];
    }
  }
};

/// What is to be done, and what must be kept.
inline task_graph make_graph(std::uint32_t chunks, std::uint32_t size) {
  task_graph graph({{"make", 1}, {"count", 4}, {"sum_up", 1}});
  resource_id const histogram = graph.add_resource();
  task_id const last = graph.add_task(kind::sum_up);
  for (std::uint32_t c = 0; c < chunks; ++c) {
    task_id const made = graph.add_task(kind::make, chunk{c * size, size});
    task_id const counted = graph.add_task(kind::count, chunk{c * size, size});
    graph.add_dependency(made, counted);
    graph.add_dependency(counted, last);
    graph.uses(counted, histogram);  // conflicts with all others that count
  }
  return graph;
}

}  // namespace gridloom::tiled_qr::general::example
