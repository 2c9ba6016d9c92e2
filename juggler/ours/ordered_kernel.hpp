#pragma once
// The kernel that runs the workers of ordered_tasks.hpp, one per block.

#include "juggler/ours/ordered_tasks.hpp"
#include "gridloom/taskgraph/worker_places.hpp"
#include "juggler/rivals/execute.hpp"

namespace gridloom::juggler {

/// An application with the optional `prefetch(kernel_type, data)`. It fetches the task's input into
/// the cache (prefetch.hpp). One thread calls it before the task is ready. Only methods in which a
/// worker knows its next task call it.
template <class App>
concept prefetching = requires(App const app, std::uint32_t kernel_type,
                               typename App::task_data const data) {
  app.prefetch(kernel_type, data);
};

template <application App>
struct ordered_kernel {
  using task_data = typename App::task_data;
  static constexpr bool persistent = true;
  static constexpr int max_threads = App::max_threads;
  static constexpr int min_blocks = least_blocks_of<App>();
  struct scratch {
    typename App::scratch app;
    ordered_scratch<task_data> next;
    int worker;
  };

  ordered_view view;
  app_context_ref<task_data> tasks;
  App app;
  watchdog_ref dog;
  trace_ref trace;
  worker_places_ref where;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block grid_block, scratch& shared) const {
    auto const block = as_worker(grid_block, where, shared.worker);
    direct_memory memory;
    watch patience(dog, block.index());
    watch own_patience(dog, block.index(), true);
    steps<numbered<Block>> own{*this, block, task_watch(own_patience), shared.app};
    ordered_worker<task_data> worker(view, tasks, static_cast<std::uint32_t>(block.index()),
                                     shared.next);
    worker.work(memory, block, patience, own);
  }

 private:
  template <class Block>
  struct steps {
    ordered_kernel const& kernel;
    Block const& block;
    task_watch own_time;
    typename App::scratch& own;

    template <class Look>
    GRIDLOOM_FN void execute(listed_task<task_data> const& next, Look&& look) {
      trace_ref const& trace = kernel.trace;
      execute_task(
          block, kernel.app, next, own, trace.on(),
          [&](trace_event const& event) { trace.record(block.index(), event); }, look);
    }
    static constexpr bool prefetches = prefetching<App>;
    GRIDLOOM_FN void prefetch(task<task_data> const& next) const {
      if constexpr (prefetches) kernel.app.prefetch(next.kernel_type, next.data);
    }
    GRIDLOOM_FN bool stops(direct_memory& memory, std::uint32_t executed, std::uint32_t part) {
      return own_time.stops(memory, 0, executed, part);
    }
  };
};

}  // namespace gridloom::juggler
