#pragma once
// Executors that run FR4's graphs without its scheduler (graph_runs.hpp). Included by sources that
// launch kernels.

#include <memory>
#include <utility>

#include "gridloom/taskgraph/rivals/level_launches.hpp"
#include "gridloom/taskgraph/rivals/serial_block.hpp"
#include "rivals/graph_runs.hpp"
#include "tiled_qr/general/launch.hpp"

namespace gridloom::tiled_qr::general {

/// A graph and its body as tasks of common/taskgraph.
template <task_body Body>
struct graph_tasks {
  using scratch = typename Body::scratch;
  static constexpr int max_threads = max_threads_of_body<Body>();

  graph_ref graph;
  Body body;

  GRIDLOOM_FN static nothing_early read(std::uint32_t /*number*/) { return {}; }
  GRIDLOOM_FN std::uint32_t type(std::uint32_t number, nothing_early) const {
    return graph.types[number];
  }
  template <thread_group Block>
  GRIDLOOM_FN void execute(Block const& block, std::uint32_t number, nothing_early,
                           scratch& shared) const {
    body(block, graph.task(number), shared);
  }
};

/// As make_executor of launch.hpp, with FR4's scheduler or one of its rivals. On a GPU, launches
/// per level have one block per task.
template <task_body Body>
std::unique_ptr<executor> make_executor(device& machine, compiled_graph const& graph, execution how,
                                        executor_settings settings, Body const& body) {
  if (how == execution::scheduled) return make_executor(machine, graph, settings, body);
  require_in_range(settings, max_threads_of_body<Body>());
  auto const copy = std::make_shared<task_memory const>(machine, graph);
  graph_memory memory{copy, copy->bytes()};
  graph_tasks<Body> const tasks{copy->graph(), body};
  if (how == execution::in_order)
    return std::make_unique<serial_block<graph_tasks<Body>>>(machine, graph.order, tasks, settings,
                                                             std::move(memory));
  if (!machine.is_host()) settings.workers = 0;
  auto levels = std::make_shared<device_levels const>(machine, [&] { return levels_of(graph); });
  return std::make_unique<level_launches<graph_tasks<Body>, false>>(
      machine, std::move(levels), tasks, settings, std::move(memory),
      how == execution::waves_graph);
}

}  // namespace gridloom::tiled_qr::general
