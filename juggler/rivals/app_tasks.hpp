#pragma once
// An application's tasks for the rivals of common/taskgraph.

#include <cstdint>
#include <memory>
#include <type_traits>
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

/// The shared memory that tasks of one type need.
template <class App, std::uint32_t Type>
struct scratch_of_type {
  using type = typename App::scratch;
};
template <class App, std::uint32_t Type>
requires requires { typename App::template scratch_of<Type>; }
struct scratch_of_type<App, Type> {
  using type = typename App::template scratch_of<Type>;
};

/// The tasks of one type, so that their kernel has only the code of this type.
template <application App, std::uint32_t Type>
struct tasks_of_type : app_tasks<App> {
  using typename app_tasks<App>::task_type;
  using scratch = typename scratch_of_type<App, Type>::type;

  template <thread_group Block>
  GRIDLOOM_FN void execute(Block const& block, std::uint32_t /*number*/, task_type const& what,
                           scratch& shared) const {
    if constexpr (std::is_same_v<scratch, typename App::scratch>) {
      this->app(block, Type, what.data, shared);
    } else {
      this->app.template execute<Type>(block, what.data, shared);
    }
  }
};

/// All tasks, with one kernel per type (tasks_by_kind), or one for all if the application does not
/// say how many types it has.
template <application App>
struct app_tasks_by_type : app_tasks<App> {
  static constexpr std::uint32_t kinds = kernel_types_of<App>();
  std::uint32_t const* kind_of_level;

  template <std::uint32_t Type>
  [[nodiscard]] auto of_kind() const {
    app_tasks<App> const& all = *this;
    if constexpr (kinds == 1) {
      return all;
    } else {
      return tasks_of_type<App, Type>{all};
    }
  }
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
