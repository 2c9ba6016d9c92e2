#pragma once
// How all rivals execute a task, and how a worker in a single launch notices that time is up.

#include <cstdint>

#include "gridloom/clock.hpp"
#include "gridloom/trace.hpp"
#include "gridloom/watchdog.hpp"
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

/// The watchdog of a worker that always has tasks. It checks the time every few tens of
/// microseconds, in which many short tasks run. Used by one thread.
class task_watch {
 public:
  GRIDLOOM_FN explicit task_watch(watch& patience) : patience_(patience), looked_(now_ticks()) {}
  /// Whether to leave. If so, notes that the worker executed `executed` of `part` tasks in
  /// `section`.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool stops(Memory& memory, std::uint32_t section,
                                       std::uint32_t executed, std::uint32_t part) {
    constexpr std::uint64_t ticks_between_looks = 1U << 16U;
    if (now_ticks() - looked_ < ticks_between_looks) return false;
    looked_ = now_ticks();
    return patience_.stop(memory, wait_kind::own_work, section, executed, part);
  }

 private:
  watch& patience_;
  std::uint64_t looked_;
};

}  // namespace gridloom::juggler
