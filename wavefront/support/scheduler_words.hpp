#pragma once
// The few words that all workers of a scheduler share, and the kernel that sets a run up.

#include <cstdint>

#include "gridloom/group.hpp"
#include "support/probe.hpp"
#include "support/task_graph.hpp"

namespace gridloom::wavefront {

/// Each on a line of its own: all of them are hot.
struct scheduler_words {
  /// Tasks done.
  alignas(line_bytes) std::uint32_t finished;
  /// Released tasks that found no room in the queue.
  alignas(line_bytes) std::uint32_t parked;
  /// Where the search for parked tasks goes on.
  alignas(line_bytes) std::uint32_t cursor;
  /// Waves: no wave from this one on is run.
  alignas(line_bytes) std::uint32_t stop_wave;
};

/// Counter of a released task that waits outside the queue.
inline constexpr std::uint32_t parked_mark = 0x80000000U;

/// Writes each task's number of dependencies, and `entry_mark` for the tasks that have none.
template <task_graph Graph>
struct count_dependencies_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;

  Graph graph;
  std::uint32_t* dependencies;
  std::uint32_t entry_mark;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    auto const me = block.thread();
    auto const step = static_cast<std::uint32_t>(me.count());
    for (auto task = static_cast<std::uint32_t>(me.index()); task < graph.tasks(); task += step) {
      std::uint32_t const count = graph.dependencies(task);
      dependencies[task] = count == 0 ? entry_mark : count;
    }
  }
};

}  // namespace gridloom::wavefront
