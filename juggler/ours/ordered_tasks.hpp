#pragma once
// No runtime that hands tasks on: they stand in an order that the host made, and a word a task tells
// that it is finished. Who has a task waits for the words of its parents.
//
//   static_lists  each worker has a list of its own: the waves, dealt in turns;
//   chains        the same, where a worker goes on with children of what it executed (chains.hpp);
//   ticket        workers draw the next place of one list, the waves one after the other.
//
// Rules of order, cited where they are served:
// O1. A word holds the number of the last run in which its task finished. It is written once a run,
//     by the block that executed the task, and runs follow each other; so within a run it is that run's
//     number once the task is finished, and another before. Nothing is reset, also after a run that
//     ended too early. (2^32 runs would bring a number back.)
// O2. A task sees what the parents wrote that its worker waits for. The parent's block met behind it,
//     and then a thread of that block released its word. The lane that waits acquires the word before
//     its own block meets: by the load itself, or, where it looked early, by a fence behind the load
//     that saw the word. Any thread may release, since the block met; the last warp's first one does,
//     so that its fence takes no time of the warp that retrieves, where there are two.
// O3. A run ends. Lists are in a topological order of all tasks, each worker's own and the common
//     one. Of the tasks that are left, the first in that order waits for none that is left, and its
//     worker comes to it: what stands before it in the worker's list, or was drawn by it before, is
//     finished. All workers are resident. Otherwise the watchdog ends all waiting.
// O4. Runs draw from two words in turns. A worker of each run sets the other one, which nobody uses
//     in it, to 0 for the next.
// O5. Data of the next task is fetched while a task runs, into the one of two places that this one
//     does not have. The task before had it, and the block met behind that. The number is written after
//     the block met behind a task. Each thread has copies of both before it executes.
//
// A worker does not wait for each parent. Parents are left out (places.hpp) whose end is known:
// O6. A parent in the worker's own list stands before the task, and the block met behind it.
// O7. Of several parents in another worker's list, all but the last: that one's word was released after
//     the block had met behind the others.
// O8. A parent of another parent. By O2 and O6 to O8 for that one, it began after the first had ended.
// What is seen by acquire and release, and by meetings of a block, is passed on by them, so a task sees
// what those wrote, too. Each parent that is left out comes before the one that vouches for it in the
// common order, so reasons never go round, and end at a word or at the own list.

#include "gridloom/async_copy.hpp"
#include "juggler/ours/places.hpp"
#include "juggler/rivals/execute.hpp"

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

/// What the threads of a block share.
template <class TaskData>
struct ordered_scratch {
  /// The task that is next; no_task at the end.
  std::uint32_t number;
  /// O5: of every second task of the worker.
  task<TaskData> what[2];
  task_place places[2];
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
  /// that never waits is to leave; the first thread's answer counts. `steps.execute(task, look)`
  /// executes a listed_task by all threads, which call `look()` and then meet at its end. With
  /// `Steps::prefetches`, `steps.prefetch(task)` is called by one thread for a task that comes next.
  template <class Memory, thread_group Block, class Watch, class Steps>
  GRIDLOOM_FN void work(Memory& memory, Block const& block, Watch& patience, Steps& steps) {
    auto const warp = block.warp();
    bool const leads = block.thread_rank() == 0;
    bool const retrieves = block.thread_rank() == warp.thread_rank();  // the first warp
    bool const in_last_warp =
        block.thread_rank() - warp.thread_rank() + warp.num_threads() == block.num_threads();
    bool const releases = in_last_warp && warp.thread_rank() == 0;
    std::uint32_t const part = end_ - place_;
    if (leads && number_ == 0 && has_tickets())
      memory.store_relaxed(&view_.tickets[(view_.run + 1) % 2].next, 0U);  // O4
    if (retrieves) look_ahead(warp);
    std::uint32_t executed = 0;
    for (;; ++executed) {
      if (retrieves) {
        bool const late = leads && steps.stops(memory, executed, part);
        std::uint32_t const number =
            warp.any(late) ? no_task : retrieve(memory, warp, patience, executed);
        if (leads) shared_.number = number;  // O5
      }
      block.sync();  // O2
      // O5
      listed_task<TaskData> const next{shared_.number, shared_.what[executed % 2]};
      if (next.number == no_task) break;
      steps.execute(next, [&] {
        if (!retrieves) return;
        look(memory);
        if constexpr (Steps::prefetches) prefetch(warp, steps, executed + 1);
      });
      if (retrieves) ready_ = saw_all(warp);
      if (ready_ || releases) memory.batch_fence();  // O2
      // O1, O2
      if (releases) memory.store_in_batch(view_.done + next.number, view_.run);
    }
    wait_for_copies<0>();  // of tasks that it does not come to
    if (leads) view_.executed[number_] = executed;
  }

 private:
  [[nodiscard]] GRIDLOOM_FN bool has_tickets() const { return view_.first == nullptr; }
  template <warp_group Warp>
  [[nodiscard]] GRIDLOOM_FN static std::uint32_t lane_of(Warp const& warp) {
    return static_cast<std::uint32_t>(warp.thread_rank());
  }

  /// The next task, the worker's `executed`-th, once its parents are finished; no_task at the end,
  /// or when time is up.
  template <class Memory, warp_group Warp, class Watch>
  GRIDLOOM_FN std::uint32_t retrieve(Memory& memory, Warp const& warp, Watch& patience,
                                     std::uint32_t executed) {
    if (has_tickets()) {
      std::uint32_t ticket = 0;
      if (warp.thread_rank() == 0)
        ticket = memory.fetch_add_relaxed(&view_.tickets[view_.run % 2].next, 1U);  // O4
      place_ = warp.shuffle(ticket, 0);
    }
    if (place_ >= end_) return no_task;
    task_place now{};
    if (has_tickets()) {
      now = view_.places[place_];
      fetch(warp, now, executed);
    } else {
      now = shared_.places[executed % 2];
    }
    if (!ready_ && !wait_for_parents(memory, warp, patience, now)) return no_task;
    wait_for_copies<0>();
    if (!has_tickets()) {
      ++place_;
      fetch_ahead(warp, executed + 1);
    }
    return now.task;
  }

  /// At the beginning.
  template <warp_group Warp>
  GRIDLOOM_FN void look_ahead(Warp const& warp) {
    if (has_tickets() || place_ >= end_) return;
    if (warp.thread_rank() == 0) shared_.places[0] = view_.places[place_];
    fetch_ahead(warp, 0);
  }
  /// Of a list: what is to be known of the task at place_, the worker's `ordinal`-th, whose place has
  /// come, and where the one behind it stands. Nobody waits for it here.
  template <warp_group Warp>
  GRIDLOOM_FN void fetch_ahead(Warp const& warp, std::uint32_t ordinal) {
    warp.sync();  // its first lane has waited for the place, and all have read the one before
    if (place_ + 1 < end_ && warp.thread_rank() == 0)
      copy_async(shared_.places + (ordinal + 1) % 2, view_.places + place_ + 1);
    if (place_ < end_) fetch(warp, shared_.places[ordinal % 2], ordinal);
  }
  template <warp_group Warp>
  GRIDLOOM_FN void fetch(Warp const& warp, task_place const& of, std::uint32_t ordinal) {
    auto const lanes = static_cast<std::uint32_t>(warp.num_threads());
    awaits_ = lane_of(warp) < of.n_parents;
    looks_ = !has_tickets() && of.n_parents != 0 && of.n_parents <= lanes;
    if (awaits_) parent_ = view_.parents[of.parents_begin + lane_of(warp)];
    constexpr auto pieces = static_cast<std::uint32_t>(sizeof(task<TaskData>) / sizeof(piece));
    static_assert(sizeof(task<TaskData>) % sizeof(piece) == 0);
    auto* const to = reinterpret_cast<piece*>(shared_.what + ordinal % 2);  // O5
    auto const* const from = reinterpret_cast<piece const*>(tasks_.task_list + of.task);
    for (std::uint32_t k = lane_of(warp); k < pieces; k += lanes) copy_async(to + k, from + k);
    end_copy_group();
  }

  /// What the word says that the lane is to wait for next, while its block still executes a task.
  template <class Memory>
  GRIDLOOM_FN void look(Memory& memory) {
    if (looks_ && awaits_) seen_ = memory.load_in_batch(view_.done + parent_);  // O1
  }
  /// Asks for what the worker's `ordinal`-th task reads, if it is known by now.
  template <warp_group Warp, class Steps>
  GRIDLOOM_FN void prefetch(Warp const& warp, Steps& steps, std::uint32_t ordinal) {
    if (has_tickets() || place_ >= end_) return;
    wait_for_copies<0>();
    warp.sync();
    if (warp.thread_rank() == 0) steps.prefetch(shared_.what[ordinal % 2]);
  }
  /// Whether all of them are finished: nothing is left to wait for but a fence (O2).
  template <warp_group Warp>
  [[nodiscard]] GRIDLOOM_FN bool saw_all(Warp const& warp) const {
    return !warp.any(!looks_ || (awaits_ && seen_ != view_.run));
  }

  /// False when time is up.
  template <class Memory, warp_group Warp, class Watch>
  GRIDLOOM_FN bool wait_for_parents(Memory& memory, Warp const& warp, Watch& patience,
                                    task_place const& of) {
    auto const lanes = static_cast<std::uint32_t>(warp.num_threads());
    for (std::uint32_t base = 0; base < of.n_parents; base += lanes) {
      bool const has = base + lane_of(warp) < of.n_parents;
      if (base != 0 && has) parent_ = view_.parents[of.parents_begin + base + lane_of(warp)];
      if (!wait_for(memory, warp, patience, parent_, has)) return false;
    }
    return true;
  }
  /// Each lane for a parent of its own, or for none. Polls without a pause at first: see pause().
  template <class Memory, warp_group Warp, class Watch>
  GRIDLOOM_FN bool wait_for(Memory& memory, Warp const& warp, Watch& patience, std::uint32_t parent,
                            bool has) {
    bool open = has;
    for (unsigned attempt = 0;; ++attempt) {
      std::uint32_t seen = 0;
      if (open) {
        seen = memory.load_acquire(view_.done + parent);  // O1, O2
        open = seen != view_.run;
      }
      std::uint32_t const waiting = warp.ballot(open);
      if (waiting == 0) return true;
      if (patience.due()) {
        bool const late = warp.thread_rank() == 0 && patience.out_of_time(memory);
        if (warp.any(late)) {
          if (warp.thread_rank() == first_lane(waiting))
            patience.note(wait_kind::task, parent, seen, view_.run);
          return false;
        }
      }
      warp.pause(attempt);
    }
  }

  /// Of a task's data, as lanes copy it.
  struct piece {
    alignas(8) unsigned char bytes[8];
  };

  ordered_view const& view_;
  app_context_ref<TaskData> const& tasks_;
  std::uint32_t number_;
  ordered_scratch<TaskData>& shared_;
  std::uint32_t place_;
  std::uint32_t end_;
  /// The lane's of the task at place_, if it awaits one, and what it saw of its word.
  std::uint32_t parent_ = no_task;
  std::uint32_t seen_ = 0;
  bool awaits_ = false;
  /// All lanes look for theirs before that task's turn.
  bool looks_ = false;
  /// All lanes saw that theirs are finished.
  bool ready_ = false;
};

}  // namespace gridloom::juggler
