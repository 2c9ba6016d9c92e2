#pragma once
// Any task graph for FR4's scheduler: a body of common/taskgraph executes its tasks.

#include <cstdint>
#include <memory>

#include "gridloom/taskgraph/block_task.hpp"
#include "tiled_qr/general/launch.hpp"
#include "tiled_qr/general/task_graph.hpp"

namespace gridloom::tiled_qr::general {

template <block_tasks Tasks>
struct graph_body {
  using scratch = typename Tasks::scratch;
  static constexpr int max_threads = Tasks::max_threads;

  Tasks tasks;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, task_view const& task, scratch& shared) const {
    tasks.execute(block, task.number(), tasks.read(task.number()), shared);
  }
};

/// The tasks of a graph and their dependencies, without conflicts.
[[nodiscard]] inline task_graph graph_of(csr_graph const& from) {
  task_graph graph{{{"task", 1}}};
  for (std::uint64_t task = 0; task < from.tasks(); ++task) graph.add_task(0);
  for (std::uint32_t task = 0; task < from.tasks(); ++task) {
    for (std::uint32_t const to : from.of(task)) graph.add_dependency(task_id{task}, task_id{to});
  }
  return graph;
}

/// Makes an executor of a graph with FR4's scheduler. The machine and the data of the tasks must
/// outlive it. Throws as make_executor does.
template <block_tasks Tasks>
std::unique_ptr<executor> make_graph_executor(device& machine, csr_graph const& graph,
                                              Tasks const& tasks, priority_by order,
                                              executor_settings const& settings) {
  return make_executor(machine, graph_of(graph).compile(order), settings, graph_body<Tasks>{tasks});
}

}  // namespace gridloom::tiled_qr::general
