#pragma once
// The rivals of Juggler's runtime as methods. Functor, graph and settings are the same; only the
// way to run the tasks differs. Settings of queues are ignored. make() throws usage_error for
// settings out of range. The file launches kernels, as run_runtime.hpp does.

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "gridloom/taskgraph/rivals/level_barriers.hpp"
#include "gridloom/taskgraph/rivals/level_launches.hpp"
#include "gridloom/taskgraph/rivals/ordered_lists.hpp"
#include "gridloom/taskgraph/rivals/serial_block.hpp"
#include "juggler/dag.hpp"
#include "juggler/method_list.hpp"
#include "juggler/ours/chains.hpp"
#include "juggler/rivals/app_tasks.hpp"

namespace gridloom::juggler {

// The serial program: one worker executes all tasks in the order of serial_order(), without
// queues. It is the baseline of the other methods. Launches a kernel: see run_runtime.hpp.

/// make() ignores settings.workers. It throws usage_error if other settings are out of range.
struct in_order {
  static constexpr std::string_view name = "serial";

  template <application App>
  static std::unique_ptr<executor> make(device& machine, task_dag const& dag,
                                        std::vector<typename App::task_data> const& data,
                                        execution_settings const& settings, App const& app) {
    app_copy<App> copy(machine, dag, data, app);
    return std::make_unique<serial_block<app_tasks<App>>>(machine, serial_order(dag), copy.tasks,
                                                          settings, std::move(copy.graph));
  }
};

namespace rival {

/// The levels of a graph, each cut into one group per kernel type. The groups of a level are
/// independent, and their order is that of the types.
[[nodiscard]] inline task_groups levels_by_type(task_dag const& dag) {
  auto const by_type = [&](std::uint32_t one, std::uint32_t other) {
    return dag.kernel_types[one] < dag.kernel_types[other];
  };
  task_groups made = levels_by_number(dag.children);
  std::vector<std::uint32_t> const levels = std::exchange(made.first, {0});
  for (std::size_t level = 0; level + 1 < levels.size(); ++level) {
    auto at = made.tasks.begin() + levels[level];
    auto const end = made.tasks.begin() + levels[level + 1];
    std::stable_sort(at, end, by_type);
    while (at != end) {
      at = std::upper_bound(at, end, *at, by_type);
      made.first.push_back(static_cast<std::uint32_t>(at - made.tasks.begin()));
    }
  }
  return made;
}

/// The paper's baseline, global barriers (section 2, Listing 1): one launch per level and kernel
/// type, and the host synchronises after each. The kernel of a type has only its code and memory.
struct barriers_sync {
  static constexpr std::string_view name = "barriers_sync";

  template <application App>
  static std::unique_ptr<executor> make(device& machine, task_dag const& dag,
                                        std::vector<typename App::task_data> const& data,
                                        execution_settings const& settings, App const& app) {
    require_in_range(settings, App::max_threads);
    constexpr std::uint32_t kinds = kernel_types_of<App>();
    constexpr bool has_types = kinds > 1;
    app_copy<App> copy(machine, dag, data, app);
    auto const types = std::make_shared<std::vector<std::uint32_t>>();
    auto levels = std::make_shared<device_levels const>(machine, [&] {
      task_groups made = levels_by_type(dag);
      for (std::size_t level = 0; level < made.groups(); ++level)
        types->push_back(has_types ? dag.kernel_types[made.tasks[made.first[level]]] : 0);
      return made;
    });
    for (std::uint32_t const type : *types) {
      if (type >= kinds)
        throw usage_error("task graph: expected kernel types below " + std::to_string(kinds) +
                          ", got " + std::to_string(type));
    }
    app_tasks_by_type<App> const tasks{copy.tasks, types->data()};
    // The executor keeps both alive.
    copy.graph.owner = std::make_shared<std::pair<std::shared_ptr<void const>, decltype(types)>>(
        std::move(copy.graph.owner), types);
    return std::make_unique<level_launches<app_tasks_by_type<App>, false>>(
        machine, std::move(levels), tasks, settings, std::move(copy.graph), false, true);
  }
};

/// One launch per level, or a CUDA graph of these launches. With `Overlap`, throws run_error for a
/// device or code below compute capability 9.0.
template <bool IsGraph, bool Overlap = false>
struct by_launches {
  template <application App>
  static std::unique_ptr<executor> make(device& machine, task_dag const& dag,
                                        std::vector<typename App::task_data> const& data,
                                        execution_settings const& settings, App const& app) {
    require_in_range(settings, App::max_threads);
    app_copy<App> copy(machine, dag, data, app);
    return std::make_unique<level_launches<app_tasks<App>, Overlap>>(
        machine, levels_on(machine, dag.children), copy.tasks, settings, std::move(copy.graph),
        IsGraph);
  }
};
struct barriers : by_launches<false> {
  static constexpr std::string_view name = "barriers";
};
struct graph : by_launches<true> {
  static constexpr std::string_view name = "graph";
};
struct graph_pdl : by_launches<true, true> {
  static constexpr std::string_view name = "graph_pdl";
};

struct grid_sync {
  static constexpr std::string_view name = "grid_sync";

  template <application App>
  static std::unique_ptr<executor> make(device& machine, task_dag const& dag,
                                        std::vector<typename App::task_data> const& data,
                                        execution_settings const& settings, App const& app) {
    app_copy<App> copy(machine, dag, data, app);
    return std::make_unique<level_barriers<app_tasks<App>>>(
        machine, levels_on(machine, dag.children), copy.tasks, settings, std::move(copy.graph));
  }
};

/// Lists or tickets, which `Find` makes.
template <worker_lists (*Find)(csr_graph const&, csr_graph const&, std::uint32_t)>
struct by_lists {
  template <application App>
  static std::unique_ptr<executor> make(device& machine, task_dag const& dag,
                                        std::vector<typename App::task_data> const& data,
                                        execution_settings const& settings, App const& app) {
    app_copy<App> copy(machine, dag, data, app);
    return std::make_unique<ordered_lists<app_tasks<App>>>(machine, dag.children, Find, copy.tasks,
                                                           settings, std::move(copy.graph));
  }
};
struct static_lists : by_lists<lists_in_turns> {
  static constexpr std::string_view name = "static_lists";
};
struct ticket : by_lists<common_list> {
  static constexpr std::string_view name = "ticket";
};
/// Our method, not a rival.
struct chains : by_lists<chain_lists> {
  static constexpr std::string_view name = "chains";
};

}  // namespace rival

using rivals = method_list<rival::barriers_sync, rival::barriers, rival::graph, rival::graph_pdl,
                           rival::grid_sync, rival::static_lists, rival::ticket, rival::chains>;

}  // namespace gridloom::juggler
