#pragma once
// Makes the executor of tiles: tasks of a graph that a block executes. For sources that launch
// kernels.

#include <memory>
#include <utility>
#include <vector>

#include "gridloom/taskgraph/rivals/level_barriers.hpp"
#include "gridloom/taskgraph/rivals/level_launches.hpp"
#include "tile_way.hpp"
#include "wavefront/graph_executor.hpp"
#include "wavefront/ours/in_order_executor.hpp"

namespace gridloom::wavefront::tiles {

struct tile_run {
  std::unique_ptr<executor> by;
  /// Number of levels; 0 for the published ways, which do not compute them.
  std::uint32_t waves = 0;
};

/// `graph` must have no cycle. The machine must outlive the executor.
template <block_tasks Tasks>
tile_run make_tile_run(device& machine, csr_graph graph, Tasks const& tasks, tile_way how,
                       launch_shape shape, double timeout_s) {
  executor_settings const settings{.workers = shape.blocks,
                                   .threads = shape.threads,
                                   .timeout_s = timeout_s,
                                   .placing = worker_placing::blocks};
  auto const published = [&](published_method method) -> tile_run {
    return {std::make_unique<graph_executor<Tasks>>(machine, std::move(graph), tasks, method,
                                                    settings)};
  };
  if (how == tile_way::scanning) return published(published_method::scanning);
  if (how == tile_way::single_queue) return published(published_method::single_queue);
  if (how == tile_way::multi_queue) return published(published_method::multi_queue);

  task_groups levels = levels_of(graph);
  std::uint32_t const waves = levels.groups();
  if (how == tile_way::in_order || how == tile_way::in_order_ticket)
    return {std::make_unique<in_order_executor<Tasks>>(machine, graph, tasks,
                                                       how == tile_way::in_order_ticket, settings),
            waves};
  if (how == tile_way::free) levels.first = {0, static_cast<std::uint32_t>(levels.tasks.size())};
  auto on_device = std::make_shared<device_levels const>(machine, [&] { return levels; });
  if (how == tile_way::barrier)
    return {std::make_unique<level_barriers<Tasks>>(machine, std::move(on_device), tasks, settings,
                                                    graph_memory{}),
            waves};
  if (how == tile_way::graph_pdl)
    return {std::make_unique<level_launches<Tasks, true>>(machine, std::move(on_device), tasks,
                                                          settings, graph_memory{}, true),
            waves};
  return {
      std::make_unique<level_launches<Tasks, false>>(machine, std::move(on_device), tasks, settings,
                                                     graph_memory{}, how == tile_way::graph),
      waves};
}

}  // namespace gridloom::wavefront::tiles
