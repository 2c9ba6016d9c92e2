#pragma once
// Any task graph as an application of Juggler: its edges are explicit dependencies, and a body of
// common/taskgraph executes its tasks.

#include <cstdint>
#include <memory>
#include <string_view>

#include "gridloom/taskgraph/block_task.hpp"
#include "juggler/app_context.hpp"
#include "juggler/executor.hpp"

namespace gridloom::juggler {

template <block_tasks Tasks>
struct graph_app {
  struct task_data {
    std::uint32_t number;
  };
  using scratch = typename Tasks::scratch;
  static constexpr int max_threads = Tasks::max_threads;

  Tasks tasks;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, std::uint32_t /*kernel_type*/,
                              task_data const& of, scratch& shared) const {
    tasks.execute(block, of.number, tasks.read(of.number), shared);
  }
};

/// Adds the tasks of a graph and their edges (addDependency) to an empty context.
template <class TaskData>
void add_graph(app_context<TaskData>& context, csr_graph const& graph) {
  auto const tasks = static_cast<std::uint32_t>(graph.tasks());
  for (std::uint32_t task = 0; task < tasks; ++task) context.add_task(0, {task});
  for (std::uint32_t from = 0; from < tasks; ++from) {
    for (std::uint32_t const to : graph.of(from))
      context.add_dependency(task_id{from}, task_id{to});
  }
}

/// Makes an executor of a graph by the method of a method_list, such as the published ones. The
/// machine and the data of the tasks must outlive it. Throws usage_error as Methods::make does.
template <class Methods, block_tasks Tasks>
std::unique_ptr<executor> make_graph_executor(std::string_view method, device& machine,
                                              csr_graph const& graph, Tasks const& tasks,
                                              execution_settings const& settings) {
  using app = graph_app<Tasks>;
  app_context<typename app::task_data> context(graph.tasks(), graph.edges());
  add_graph(context, graph);
  context.build_csr();
  return Methods::make(method, machine, context.dag(), context.data(), settings, app{tasks});
}

}  // namespace gridloom::juggler
