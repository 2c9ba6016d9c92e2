#pragma once
// Words that all workers of a scheduler share, and the kernel that prepares a run.

#include <cstdint>

#include "gridloom/group.hpp"
#include "gridloom/taskgraph/graph_view.hpp"
#include "gridloom/taskgraph/probe.hpp"

namespace gridloom::wavefront {

/// Each word has its own cache line, because many workers access it.
struct scheduler_words {
  /// Number of tasks executed.
  alignas(line_bytes) std::uint32_t finished;
  /// ticket_queue: number of released tasks that found no room in the queue.
  alignas(line_bytes) std::uint32_t parked;
  /// ticket_queue: where the search for parked tasks continues. in_order_ticket: the next round.
  alignas(line_bytes) std::uint32_t cursor;
};

/// Value of the counter of a released task that is parked outside the queue.
inline constexpr std::uint32_t parked_mark = 0x80000000U;

/// Writes each task's number of dependencies, or `entry_mark` if it has none.
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
