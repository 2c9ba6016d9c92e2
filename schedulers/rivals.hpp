#pragma once
// The rivals of common/taskgraph. The header launches kernels (gridloom_kernel_sources).

#include "gridloom/taskgraph/orders.hpp"
#include "gridloom/taskgraph/rivals/level_barriers.hpp"
#include "gridloom/taskgraph/rivals/level_launches.hpp"
#include "gridloom/taskgraph/rivals/level_loop.hpp"
#include "gridloom/taskgraph/rivals/ordered_lists.hpp"
#include "gridloom/taskgraph/rivals/serial_block.hpp"
#include "gridloom/taskgraph/shared_graph.hpp"
#include "schedulers/scheduler.hpp"

namespace gridloom::schedulers {

namespace detail {

/// Without settings.workers, each task of a level has its own block on a GPU.
template <bool Overlap, bool IsGraph, block_tasks Tasks>
std::unique_ptr<executor> make_launches(device& machine, csr_graph const& graph, Tasks const& tasks,
                                        executor_settings const& settings) {
  require_in_range(settings, Tasks::max_threads);
  return std::make_unique<level_launches<Tasks, Overlap>>(
      machine, levels_on(machine, graph, settings), tasks, settings, graph_memory{}, IsGraph);
}

template <class Executor, block_tasks Tasks>
std::unique_ptr<executor> make_levels(device& machine, csr_graph const& graph, Tasks const& tasks,
                                      executor_settings const& settings) {
  return std::make_unique<Executor>(machine, levels_on(machine, graph, settings), tasks, settings,
                                    graph_memory{});
}

/// Lists or tickets, which `Find` makes.
template <list_maker Find, block_tasks Tasks>
std::unique_ptr<executor> make_lists(device& machine, csr_graph const& graph, Tasks const& tasks,
                                     executor_settings const& settings) {
  return std::make_unique<ordered_lists<Tasks>>(machine, graph, Find, tasks, settings,
                                                graph_memory{});
}

template <block_tasks Tasks>
std::unique_ptr<executor> make_serial(device& machine, csr_graph const& graph, Tasks const& tasks,
                                      executor_settings const& settings) {
  return std::make_unique<serial_block<Tasks>>(machine, levels_of(graph).tasks, tasks, settings,
                                               graph_memory{});
}

}  // namespace detail

template <block_tasks Tasks>
std::vector<scheduler<Tasks>> rivals() {
  return {{.name = "launches",
           .about = "one kernel launch per level",
           .by = origin::rival,
           .stops_on_cuda = false,
           .launches_levels = true,
           .make = detail::make_launches<false, false, Tasks>},
          {.name = "graph",
           .about = "the launches per level as one CUDA graph",
           .by = origin::rival,
           .stops_on_cuda = false,
           .launches_levels = true,
           .make = detail::make_launches<false, true, Tasks>},
          {.name = "graph-pdl",
           .about = "the CUDA graph with programmatic dependent launch",
           .by = origin::rival,
           .needs = 90,
           .stops_on_cuda = false,
           .launches_levels = true,
           .make = detail::make_launches<true, true, Tasks>},
          {.name = "graph-conditional",
           .about = "a CUDA graph whose conditional node repeats one kernel, level after level",
           .by = origin::rival,
           .make = detail::make_levels<level_loop<Tasks>, Tasks>},
          {.name = "barriers",
           .about = "one persistent kernel with one grid barrier per level",
           .by = origin::rival,
           .make = detail::make_levels<level_barriers<Tasks>, Tasks>},
          // One block with barriers is `barriers` with one worker, whose barrier is the block's.
          {.name = "barriers-cluster",
           .about = "as barriers, on one thread block cluster with its own barrier",
           .by = origin::rival,
           .needs = 90,
           .make = detail::make_levels<level_barriers<Tasks, cluster_barrier>, Tasks>},
          {.name = "static-lists",
           .about = "one list per worker, made by the host",
           .by = origin::rival,
           .make = detail::make_lists<lists_in_turns, Tasks>},
          {.name = "ticket",
           .about = "workers draw the places of one list by an atomic counter",
           .by = origin::rival,
           .make = detail::make_lists<common_list, Tasks>},
          {.name = "serial-block",
           .about = "one block runs all tasks in a topological order",
           .by = origin::rival,
           .make = detail::make_serial<Tasks>}};
}

}  // namespace gridloom::schedulers
