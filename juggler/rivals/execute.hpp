#pragma once
// How rivals with an order of their own execute a task.

#include <cstdint>

#include "gridloom/clock.hpp"
#include "gridloom/taskgraph/task_watch.hpp"
#include "gridloom/trace.hpp"
#include "juggler/app_store.hpp"

namespace gridloom::juggler {

template <class TaskData>
struct listed_task {
  std::uint32_t number;
  task<TaskData> what;

  /// Reads a task. Lists are read-only during runs, so a worker may read a task early.
  GRIDLOOM_FN void read(app_context_ref<TaskData> const& tasks, std::uint32_t const* listed) {
    number = *listed;
    what = tasks.task_list[number];
  }
};

/// Executes a task with all threads of a block. All threads call `before_meeting()` after the task,
/// and then the block synchronises. One thread calls `record(event)` if there is a trace.
template <application App, thread_group Block, class Record, class Before>
GRIDLOOM_FN void execute_task(Block const& block, App const& app,
                              listed_task<typename App::task_data> const& next,
                              typename App::scratch& own, bool traced, Record&& record,
                              Before&& before_meeting) {
  std::uint64_t const begin_ns = traced ? now_ns() : 0;
  app(block, next.what.kernel_type, next.what.data, own);
  before_meeting();
  block.sync();
  if (traced && block.thread_rank() == 0)
    record(trace_event{next.number, next.what.kernel_type, begin_ns, now_ns()});
}
template <application App, thread_group Block, class Record>
GRIDLOOM_FN void execute_task(Block const& block, App const& app,
                              listed_task<typename App::task_data> const& next,
                              typename App::scratch& own, bool traced, Record&& record) {
  execute_task(block, app, next, own, traced, record, [] {});
}

}  // namespace gridloom::juggler
