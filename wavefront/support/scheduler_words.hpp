#pragma once
// Memory that schedulers of one graph share, and the kernel that prepares a run.

#include <cstdint>

#include "gridloom/device.hpp"
#include "gridloom/each.hpp"
#include "gridloom/group.hpp"
#include "gridloom/taskgraph/graph_view.hpp"
#include "gridloom/taskgraph/probe.hpp"
#include "gridloom/taskgraph/task_body.hpp"

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

/// Memory that all algorithms on one graph share, so that many arms fit on the device.
struct workspace {
  /// Array of one counter per task.
  buffer<std::uint32_t> dependencies;
  /// Array of one lock per task, allocated by the first scheduler that needs it.
  buffer<std::uint32_t> locks;
  /// Array of one result of the recurrence per task.
  buffer<std::uint32_t> values;
  /// Array of one result of wide_body per task.
  buffer<wide_value> wide_values;
  buffer<scheduler_words> words;
};

/// Value of the counter of a released task that is parked outside the queue.
inline constexpr std::uint32_t parked_mark = 0x80000000U;

/// Writes each task's number of dependencies, or `entry_mark` if it has none.
template <task_graph Graph>
struct write_dependencies {
  Graph graph;
  std::uint32_t* dependencies;
  std::uint32_t entry_mark;

  GRIDLOOM_FN void operator()(std::uint32_t task) const {
    std::uint32_t const count = graph.dependencies(task);
    dependencies[task] = count == 0 ? entry_mark : count;
  }
};

/// Launches the kernel. Only sources that launch kernels call it. The machine is a `device`; its
/// type is deduced, so that other sources may include this header.
template <task_graph Graph>
void count_dependencies(auto& machine, Graph const& graph, workspace const& memory,
                        std::uint32_t entry_mark) {
  bool const host = machine.is_host();
  machine.launch({host ? 1 : 4 * machine.properties().multiprocessors, host ? 1 : 256},
                 each(graph.tasks(),
                      write_dependencies<Graph>{graph, memory.dependencies.data(), entry_mark}));
}

}  // namespace gridloom::wavefront
