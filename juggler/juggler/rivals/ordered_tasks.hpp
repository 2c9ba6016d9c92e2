#pragma once
// No runtime that hands tasks on: they stand in an order that the host made, and a word a task tells
// that it is finished. Who has a task waits for the words of its parents.
//
//   static_lists  each worker has a list of its own: the waves, dealt in turns;
//   ticket        workers draw the next place of one list, the waves one after the other.
//
// Rules of order, cited where they are served:
// O1. A word holds the number of the last run in which its task finished. It is written once a run,
//     by who executed the task, and runs follow each other; so within a run it is that run's number
//     once the task is finished, and another before. Nothing is reset, also after a run that ended
//     too early. (2^32 runs would bring a number back.)
// O2. A task sees what its parents wrote: each one's block met before its word was released; the lane
//     that waits acquires the word before its block meets.
// O3. A run ends. Lists are in a topological order of all tasks, each worker's own and the common
//     one. Of the tasks that are left, the first in that order waits for none that is left, and its
//     worker comes to it: what stands before it in the worker's list, or was drawn by it before, is
//     finished. All workers are resident. Otherwise the watchdog ends all waiting.
// O4. Runs draw from two words in turns. A worker of each run sets the other one, which nobody uses
//     in it, to 0 for the next.
// O5. What was taken over for the next task is written after the block met behind the task before,
//     of which each thread has its own copy.

#include "juggler/rivals/execute.hpp"
#include "juggler/rivals/task_order.hpp"

namespace gridloom::juggler {

struct ticket_word {
  alignas(line_bytes) std::uint32_t next;
};

/// View of lists and words.
struct ordered_view {
  task_place const* places;
  std::uint32_t const* parents;
  /// Where each worker's list begins, and the end; null: workers draw tickets.
  std::uint32_t const* first;
  std::uint32_t tasks;
  /// Number of this run.
  std::uint32_t run;
  /// One a task.
  std::uint32_t* done;
  /// Two (O4).
  ticket_word* tickets;
  /// One a worker: tasks that it executed in this run.
  std::uint32_t* executed;
};

/// The task that is next; its number is no_task at the end.
template <class TaskData>
struct ordered_scratch {
  listed_task<TaskData> next;
};

/// One worker. Private members are called by all threads of its first warp.
template <class TaskData>
class ordered_worker {
 public:
  GRIDLOOM_FN ordered_worker(ordered_view const& view, app_context_ref<TaskData> const& tasks,
                             std::uint32_t number, ordered_scratch<TaskData>& shared)
      : view_(view),
        tasks_(tasks),
        number_(number),
        shared_(shared),
        place_(view.first == nullptr ? 0 : view.first[number]),
        end_(view.first == nullptr ? view.tasks : view.first[number + 1]) {}

  /// Executes tasks to the end of the run. `steps.stops(memory, executed, part)`: whether a worker
  /// that never waits is to leave; the first thread's answer counts. `steps.execute(task)` executes
  /// a listed_task by all threads, which meet at its end.
  template <class Memory, thread_group Block, class Watch, class Steps>
  GRIDLOOM_FN void work(Memory& memory, Block const& block, Watch& patience, Steps& steps) {
    auto const warp = block.warp();
    bool const leads = block.thread_rank() == 0;
    bool const retrieves = block.thread_rank() == warp.thread_rank();  // the first warp
    std::uint32_t const part = end_ - place_;
    std::uint32_t executed = 0;
    if (leads && number_ == 0 && view_.first == nullptr)
      memory.store_relaxed(&view_.tickets[(view_.run + 1) % 2].next, 0U);  // O4
    if (retrieves) look_ahead(warp);
    for (;;) {
      if (retrieves) {
        bool const late = leads && steps.stops(memory, executed, part);
        std::uint32_t const next = warp.any(late) ? no_task : retrieve(memory, warp, patience);
        if (leads) shared_.next.number = next;  // O5
      }
      block.sync();  // O2
      listed_task<TaskData> const next = shared_.next;
      if (next.number == no_task) break;
      steps.execute(next);                                                   // O5
      if (leads) memory.store_release(view_.done + next.number, view_.run);  // O1, O2
      ++executed;
    }
    if (leads) view_.executed[number_] = executed;
  }

 private:
  /// The place that a list's owner comes to next is asked for before it is wanted: while a task
  /// runs.
  template <warp_group Warp>
  GRIDLOOM_FN void look_ahead(Warp const& warp) {
    if (view_.first != nullptr && place_ < end_) take(warp);
  }
  template <warp_group Warp>
  GRIDLOOM_FN void take(Warp const& warp) {
    taken_ = view_.places[place_];
    auto const lane = static_cast<std::uint32_t>(warp.thread_rank());
    parent_ = lane < taken_.n_parents ? view_.parents[taken_.parents_begin + lane] : no_task;
  }

  /// The next task, once its parents are finished; no_task at the end, or when time is up.
  template <class Memory, warp_group Warp, class Watch>
  GRIDLOOM_FN std::uint32_t retrieve(Memory& memory, Warp const& warp, Watch& patience) {
    if (view_.first == nullptr) {
      std::uint32_t ticket = 0;
      if (warp.thread_rank() == 0)
        ticket = memory.fetch_add_relaxed(&view_.tickets[view_.run % 2].next, 1U);  // O4
      place_ = warp.shuffle(ticket, 0);
    }
    if (place_ >= end_) return no_task;
    if (view_.first == nullptr) take(warp);
    task_place const now = taken_;
    if (warp.thread_rank() == 0) shared_.next.what = tasks_.task_list[now.task];  // O5
    auto const lane = static_cast<std::uint32_t>(warp.thread_rank());
    auto const lanes = static_cast<std::uint32_t>(warp.num_threads());
    for (std::uint32_t base = 0; base < now.n_parents; base += lanes) {
      bool const has = base + lane < now.n_parents;
      std::uint32_t parent = parent_;
      if (base != 0 && has) parent = view_.parents[now.parents_begin + base + lane];
      if (!wait_for(memory, warp, patience, parent, has)) return no_task;
    }
    if (now.n_parents != 0) memory.batch_fence();  // O2
    ++place_;
    look_ahead(warp);
    return now.task;
  }

  /// Each lane for a parent of its own, or for none. False when time is up.
  template <class Memory, warp_group Warp, class Watch>
  GRIDLOOM_FN bool wait_for(Memory& memory, Warp const& warp, Watch& patience, std::uint32_t parent,
                            bool has) {
    bool open = has;
    for (unsigned attempt = 0;; ++attempt) {
      std::uint32_t seen = 0;
      if (open) {
        seen = memory.load_in_batch(view_.done + parent);  // O1, O2
        open = seen != view_.run;
      }
      std::uint32_t const waiting = warp.ballot(open);
      if (waiting == 0) return true;
      std::uint32_t const object = warp.shuffle(parent, first_lane(waiting));
      std::uint32_t const saw = warp.shuffle(seen, first_lane(waiting));
      bool const stops =
          warp.thread_rank() == 0 && patience.stop(memory, wait_kind::task, object, saw, view_.run);
      if (warp.any(stops)) return false;
      warp.pause(attempt);
    }
  }

  ordered_view const& view_;
  app_context_ref<TaskData> const& tasks_;
  std::uint32_t number_;
  ordered_scratch<TaskData>& shared_;
  std::uint32_t place_;
  std::uint32_t end_;
  task_place taken_{};
  std::uint32_t parent_ = no_task;
};

/// All workers of a run.
template <application App>
struct ordered_kernel {
  using task_data = typename App::task_data;
  static constexpr bool persistent = true;
  static constexpr int max_threads = App::max_threads;
  struct scratch {
    typename App::scratch app;
    ordered_scratch<task_data> next;
  };

  ordered_view view;
  app_context_ref<task_data> tasks;
  App app;
  watchdog_ref dog;
  trace_ref trace;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    direct_memory memory;
    watch patience(dog, block.index());
    watch own_patience(dog, block.index(), true);
    steps<Block> own{*this, block, task_watch(own_patience), shared.app};
    ordered_worker<task_data> worker(view, tasks, static_cast<std::uint32_t>(block.index()),
                                     shared.next);
    worker.work(memory, block, patience, own);
  }

 private:
  /// What the worker calls.
  template <class Block>
  struct steps {
    ordered_kernel const& kernel;
    Block const& block;
    task_watch own_time;
    typename App::scratch& own;

    GRIDLOOM_FN void execute(listed_task<task_data> const& next) {
      trace_ref const& trace = kernel.trace;
      execute_task(block, kernel.app, next, own, trace.on(),
                   [&](trace_event const& event) { trace.record(block.index(), event); });
    }
    GRIDLOOM_FN bool stops(direct_memory& memory, std::uint32_t executed, std::uint32_t part) {
      return own_time.stops(memory, 0, executed, part);
    }
  };
};

}  // namespace gridloom::juggler
