#pragma once
// An application's tasks for the rivals of common/taskgraph.

#include <memory>
#include <vector>

#include "gridloom/taskgraph/block_task.hpp"
#include "juggler/app_store.hpp"
#include "juggler/executor.hpp"

namespace gridloom::juggler {

template <application App>
struct app_tasks {
  using task_type = task<typename App::task_data>;
  using scratch = typename App::scratch;
  static constexpr int max_threads = App::max_threads;
  static constexpr int min_blocks = least_blocks_of<App>();

  app_context_ref<typename App::task_data> context;
  App app;

  GRIDLOOM_FN task_type const* at(std::uint32_t number) const { return context.task_list + number; }
  GRIDLOOM_FN task_type read(std::uint32_t number) const { return *at(number); }
  GRIDLOOM_FN static std::uint32_t type(std::uint32_t /*number*/, task_type const& what) {
    return what.kernel_type;
  }
  template <thread_group Block>
  GRIDLOOM_FN void execute(Block const& block, std::uint32_t /*number*/, task_type const& what,
                           scratch& shared) const {
    app(block, what.kernel_type, what.data, shared);
  }
  /// Applications may have `prefetch(kernel_type, data)` (ours/prefetch.hpp).
  GRIDLOOM_FN void prefetch(std::uint32_t /*number*/,
                            task_type const& what) const requires requires {
    app.prefetch(what.kernel_type, what.data);
  }
  { app.prefetch(what.kernel_type, what.data); }
};

/// The tasks in device memory.
template <application App>
struct app_copy {
  app_copy(device& machine, task_dag const& dag, std::vector<typename App::task_data> const& data,
           App const& app) {
    using store = app_store<typename App::task_data>;
    auto const made = std::make_shared<store const>(
        timed(machine, graph.copy_ms, [&] { return store(machine, dag, data); }));
    graph.owner = made;
    graph.bytes = made->bytes();
    tasks = {made->ref(), app};
  }

  graph_memory graph;
  app_tasks<App> tasks{};
};

}  // namespace gridloom::juggler
