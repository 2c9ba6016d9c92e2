#pragma once
// Executes tasks in an order that the host made, without a runtime that inserts them into queues.
// One word per task says whether it is finished. A worker waits for the words of its next task's
// parents. Workers have a list each, or they draw tickets: the places of one common list.
//
// Rules of order, cited where they are served:
// OT.R1. A word holds the number of the last run in which its task finished. The block that
//        executed the task writes it once per run, and runs follow each other. So during a run, the
//        word has that run's number if the task is finished, and another number before. Nothing is
//        reset, not even after a run that ended early. (After 2^32 runs a number would recur.)
// OT.R2. A task sees the writes of each parent that its worker waits for. The parent's block
//        synchronised after the parent, and then one of its threads released the word. The waiting
//        lane acquires the word before its own block synchronises. It acquires by the load itself,
//        or, after an early look, by a fence after the load that saw the word. Any thread may
//        release, because the block synchronised. The first thread of the last warp does, so its
//        fence costs the retrieving warp no time.
// OT.R3. A run ends. The common list and all workers' lists follow one topological order. The first
//        unfinished task in that order waits only for finished tasks. Its worker reaches it,
//        because everything before it in the list, or drawn before it, is finished. All workers are
//        resident. If anything fails, the watchdog ends all waiting.
// OT.R4. Runs draw from two words in turns. In each run, a worker sets the unused word to 0 for the
//        next run.
// OT.R5. The next task's data is fetched while a task runs, into the one of two buffers that the
//        running task does not use. The task before used that buffer, and the block has
//        synchronised since. The next task's number is written when the block has synchronised
//        after the running task. Each thread copies both before it executes.
//
// Workers do not wait for every parent. Lists (task_places.hpp) omit parents that are surely finished:
// OT.R6. A parent in the worker's own list precedes the task, and the block synchronised after it.
// OT.R7. Of several parents in another worker's list, only the last counts: its word was released
//        when the block had already synchronised after the others.
// OT.R8. A parent P is omitted if it is also a parent of another parent Q of the task. By OT.R2 and
//        OT.R6 to OT.R8 for Q, Q began after P had ended.
//
// Acquire, release and block synchronisation are transitive, so a task also sees the writes of
// omitted parents. Each omitted parent comes before the parent that implies it in the common order.
// So the reasoning is not circular: it ends at a word or at the worker's own list.

#include "gridloom/async_copy.hpp"
#include "gridloom/taskgraph/block_task.hpp"
#include "gridloom/taskgraph/rivals/task_places.hpp"
#include "gridloom/watchdog.hpp"

namespace gridloom {

struct ticket_word {
  alignas(line_bytes) std::uint32_t next;
};

/// View of lists and words.
struct ordered_view {
  task_place const* places;
  std::uint32_t const* parents;
  /// Array of workers + 1 places: the beginning of each list, and the end. Null for tickets.
  std::uint32_t const* first;
  std::uint32_t tasks;
  std::uint32_t run;
  /// Array of one word per task: the last run in which it finished (OT.R1).
  std::uint32_t* done;
  /// Array of two ticket words; even and odd runs use one each (OT.R4).
  ticket_word* tickets;
  /// Array of one word per worker: the number of tasks that it executed in this run.
  std::uint32_t* executed;
};

/// Tasks with the optional `at(number)`: where the early part of a task is in device memory. Its size
/// is a multiple of 8 bytes. Workers copy it while they wait.
template <class Tasks>
concept copied_early = requires(Tasks const tasks) {
  { tasks.at(0U) } -> std::same_as<early_part<Tasks> const*>;
};

/// Tasks with the optional `prefetch(number, early)`. It fetches the task's input into the cache. One
/// thread calls it before the task is ready. Only workers with lists know their next task.
template <class Tasks>
concept prefetching = requires(Tasks const tasks) {
  tasks.prefetch(0U, tasks.read(0U));
};

/// The shared memory of a worker's block.
template <class Tasks>
struct ordered_scratch {
  /// Number of the next task; no_task at the end.
  std::uint32_t number;
  /// Two copies of a task's early part and of its place; a worker's tasks use them in turns (OT.R5).
  std::conditional_t<copied_early<Tasks>, early_part<Tasks>[2], nothing_early> early;
  task_place places[2];
};

/// One worker. All threads of its first warp call each private member.
template <class Tasks>
class ordered_worker {
 public:
  GRIDLOOM_FN ordered_worker(ordered_view const& view, Tasks const& tasks, std::uint32_t number,
                             ordered_scratch<Tasks>& shared)
      : view_(view),
        tasks_(tasks),
        number_(number),
        shared_(shared),
        place_(view.first == nullptr ? 0 : view.first[number]),
        end_(view.first == nullptr ? view.tasks : view.first[number + 1]) {}

  /// Executes tasks to the end of the run. `steps.stops(memory, executed, part)` says whether a
  /// worker that never waits must leave; the first thread's answer counts. `steps.execute(number,
  /// early, look)` executes a task with all threads, which call `look()` and then synchronise.
  template <class Memory, thread_group Block, class Watch, class Steps>
  GRIDLOOM_FN void work(Memory& memory, Block const& block, Watch& patience, Steps& steps) {
    auto const warp = block.warp();
    bool const leads = block.thread_rank() == 0;
    // The first warp retrieves.
    bool const retrieves = block.thread_rank() == warp.thread_rank();
    bool const in_last_warp =
        block.thread_rank() - warp.thread_rank() + warp.num_threads() == block.num_threads();
    bool const releases = in_last_warp && warp.thread_rank() == 0;
    std::uint32_t const part = end_ - place_;
    if (leads && number_ == 0 && has_tickets())
      memory.store_relaxed(&view_.tickets[(view_.run + 1) % 2].next, 0U);  // OT.R4
    if (retrieves) look_ahead(warp);
    std::uint32_t executed = 0;
    for (;; ++executed) {
      if (retrieves) {
        bool const late = leads && steps.stops(memory, executed, part);
        std::uint32_t const number =
            warp.any(late) ? no_task : retrieve(memory, warp, patience, executed);
        if (leads) shared_.number = number;  // OT.R5
      }
      block.sync();  // OT.R2
      // OT.R5
      std::uint32_t const next = shared_.number;
      if (next == no_task) break;
      steps.execute(next, early_of(next, executed), [&] {
        if (!retrieves) return;
        look(memory);
        if constexpr (prefetching<Tasks>) prefetch(warp, executed + 1);
      });
      if (retrieves) ready_ = saw_all(warp);
      if (ready_ || releases) memory.batch_fence();  // OT.R2
      // OT.R1, OT.R2
      if (releases) memory.store_in_batch(view_.done + next, view_.run);
    }
    // Copies for a task that will not be executed may still be in progress.
    wait_for_copies<0>();
    if (leads) view_.executed[number_] = executed;
  }

 private:
  [[nodiscard]] GRIDLOOM_FN bool has_tickets() const { return view_.first == nullptr; }
  template <warp_group Warp>
  [[nodiscard]] GRIDLOOM_FN static std::uint32_t lane_of(Warp const& warp) {
    return static_cast<std::uint32_t>(warp.thread_rank());
  }

  /// Waits for the parents of the next task and returns its number. Returns no_task at the end or
  /// when time is up. `executed` is the number of tasks executed so far.
  template <class Memory, warp_group Warp, class Watch>
  GRIDLOOM_FN std::uint32_t retrieve(Memory& memory, Warp const& warp, Watch& patience,
                                     std::uint32_t executed) {
    if (has_tickets()) {
      std::uint32_t ticket = 0;
      if (warp.thread_rank() == 0)
        ticket = memory.fetch_add_relaxed(&view_.tickets[view_.run % 2].next, 1U);  // OT.R4
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

  /// Starts to fetch the first task of a list.
  template <warp_group Warp>
  GRIDLOOM_FN void look_ahead(Warp const& warp) {
    if (has_tickets() || place_ >= end_) return;
    if (warp.thread_rank() == 0) shared_.places[0] = view_.places[place_];
    fetch_ahead(warp, 0);
  }
  /// For lists: starts to fetch the task at place_, which will be the worker's `ordinal`-th, and
  /// the place after it. Place place_ itself has been fetched. Does not wait.
  template <warp_group Warp>
  GRIDLOOM_FN void fetch_ahead(Warp const& warp, std::uint32_t ordinal) {
    // After this, all lanes see the place that the first lane waited for. All have read the
    // previous place, which is overwritten below.
    warp.sync();
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
    if constexpr (copied_early<Tasks>) {
      constexpr auto pieces = static_cast<std::uint32_t>(sizeof(early_part<Tasks>) / sizeof(piece));
      static_assert(sizeof(early_part<Tasks>) % sizeof(piece) == 0);
      auto* const to = reinterpret_cast<piece*>(shared_.early + ordinal % 2);  // OT.R5
      auto const* const from = reinterpret_cast<piece const*>(tasks_.at(of.task));
      for (std::uint32_t k = lane_of(warp); k < pieces; k += lanes) copy_async(to + k, from + k);
    }
    end_copy_group();
  }
  /// The early part of the worker's `ordinal`-th task, after its copies.
  [[nodiscard]] GRIDLOOM_FN early_part<Tasks> early_of(std::uint32_t number,
                                                       std::uint32_t ordinal) const {
    if constexpr (copied_early<Tasks>) {
      return shared_.early[ordinal % 2];  // OT.R5
    } else {
      return tasks_.read(number);
    }
  }

  /// Reads the word that this lane waits for next, while its block still executes a task.
  template <class Memory>
  GRIDLOOM_FN void look(Memory& memory) {
    if (looks_ && awaits_) seen_ = memory.load_in_batch(view_.done + parent_);  // OT.R1
  }
  /// Prefetches the input of the worker's `ordinal`-th task, if that task is known.
  template <warp_group Warp>
  GRIDLOOM_FN void prefetch(Warp const& warp, std::uint32_t ordinal) {
    if (has_tickets() || place_ >= end_) return;
    wait_for_copies<0>();
    warp.sync();
    if (warp.thread_rank() != 0) return;
    std::uint32_t const number = shared_.places[ordinal % 2].task;
    tasks_.prefetch(number, early_of(number, ordinal));
  }
  /// Whether all lanes saw their parents finished. Then only a fence is needed (OT.R2).
  template <warp_group Warp>
  [[nodiscard]] GRIDLOOM_FN bool saw_all(Warp const& warp) const {
    return !warp.any(!looks_ || (awaits_ && seen_ != view_.run));
  }

  /// Waits for all parents of a task. Returns false when time is up.
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
  /// Each lane waits for its own parent, or for none. It polls without a pause at first.
  template <class Memory, warp_group Warp, class Watch>
  GRIDLOOM_FN bool wait_for(Memory& memory, Warp const& warp, Watch& patience, std::uint32_t parent,
                            bool has) {
    bool open = has;
    for (unsigned attempt = 0;; ++attempt) {
      std::uint32_t seen = 0;
      if (open) {
        seen = memory.load_acquire(view_.done + parent);  // OT.R1, OT.R2
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

  /// The unit in which lanes copy a task's data.
  struct piece {
    alignas(8) unsigned char bytes[8];
  };

  ordered_view const& view_;
  Tasks const& tasks_;
  std::uint32_t number_;
  ordered_scratch<Tasks>& shared_;
  std::uint32_t place_;
  std::uint32_t end_;
  /// If `awaits_`: the parent that this lane waits for, and the last value read from its word.
  std::uint32_t parent_ = no_task;
  std::uint32_t seen_ = 0;
  bool awaits_ = false;
  /// Whether all lanes read their parents' words early, during the task before.
  bool looks_ = false;
  /// Whether all lanes saw that their parents are finished.
  bool ready_ = false;
};

}  // namespace gridloom
