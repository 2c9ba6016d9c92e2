#pragma once
// FR1 and FR2 of the report: one worker executes all tasks of the grid, or several workers share
// the grid (report, I.E and II.C).
//
// FR1: one worker takes the next task, executes it, and reports it to the grid. FR2: several
// workers do the same and use the grid under a lock. A worker that holds the lock reports one task
// and takes the next. Tasks take tens of microseconds, so workers rarely wait for the lock.
//
// Rules of order, cited where they are served:
// SG.R1. The compare-and-swap on the lock word lets one owner in. Taking the lock acquires what
//     giving it back released, so an owner sees what all earlier owners did. So plain or relaxed
//     accesses to grid, lists and counters are enough, and TG.R1 holds.
// SG.R2. A task sees the writes of the tasks that it depends on. The workers of those tasks
//     reported under the lock, which releases the writes. The worker that takes the task acquires
//     them (SG.R1). The block synchronises before and after the task (TW.R1, TW.R2).
// SG.R3. A run ends. No worker waits while it has the lock. While tasks are left, one is ready or
//     running (TG.R3), and a worker that finds none looks again.

#include "tiled_qr/ready_tasks.hpp"
#include "tiled_qr/task_grid.hpp"
#include "tiled_qr/worker.hpp"

namespace gridloom::tiled_qr {

/// The words of a grid that one agent at a time schedules, all 0 at the start of a run.
struct grid_words {
  /// Lock of the grid and its ready tasks: 0 if free, otherwise 1 + the worker that holds it.
  alignas(line_bytes) std::uint32_t lock;
  /// Number of ready tasks that no worker has taken.
  alignas(line_bytes) std::uint32_t ready;
  ready_words lists;
};

struct grid_view {
  task_grid_ref grid;
  ready_tasks_ref ready;
  grid_words* words;

  /// Marks the first task, DGEQT2(0), as ready.
  GRIDLOOM_FN void begin() const { ready.put(grid.begin(), {0, 0, 0}); }
  /// Takes the next ready task, and marks it as running. There must be a ready task. Returns
  /// no_task after a fault.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN task take(Memory& memory, run_words* run) const {
    std::uint32_t const cell = ready.next();
    ready.take_next();
    if (grid.start(cell)) return grid.task_of(cell);
    memory.store_relaxed(&run->fault, 1U);
    return no_task;
  }
  /// Marks a task as finished, and queues the tasks that become ready. Called by the agent that
  /// schedules. Returns false after a fault.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool finish(Memory& memory, run_words* run, std::uint32_t cell) const {
    ready_tasks_ref const& list = ready;
    bool const sound =
        grid.finish(cell, [&list](std::uint32_t at, task const& next) { list.put(at, next); });
    memory.store_relaxed(&run->finished, memory.load_relaxed(&run->finished) + 1);
    if (!sound) memory.store_relaxed(&run->fault, 1U);
    return sound;
  }
};

/// FR1's asker, for one block.
template <class T>
class serial_asker {
 public:
  using view = grid_view;
  static constexpr bool waits = false;

  GRIDLOOM_FN serial_asker(run_state<T> const& state, view const& of, int worker)
      : state_(state), of_(of), patience_(state.dog, worker, true) {}

  template <class Self>
  GRIDLOOM_FN task next(Self const& /*self*/, task const& done) {
    if (!is_task(done)) {
      of_.begin();
    } else if (!of_.finish(memory_, state_.words, of_.grid.cell_of(done))) {
      return no_task;
    }
    if (of_.ready.size() == 0) return no_task;
    std::uint64_t const finished = memory_.load_relaxed(&state_.words->finished);
    if (patience_.stop(memory_, wait_kind::own_work, 0, finished, state_.tasks)) return no_task;
    return of_.take(memory_, state_.words);
  }

 private:
  run_state<T> const& state_;
  grid_view const& of_;
  direct_memory memory_;
  watch patience_;
};

/// FR2's asker, for any number of blocks, all resident.
template <class T>
class shared_asker {
 public:
  using view = grid_view;
  static constexpr bool waits = true;

  GRIDLOOM_FN shared_asker(run_state<T> const& state, view const& of, int worker)
      : state_(state), of_(of), worker_(worker), patience_(state.dog, worker) {}

  template <class Self>
  GRIDLOOM_FN task next(Self const& self, task done) {
    bool first = !is_task(done) && worker_ == 0;
    for (unsigned attempt = 0;; ++attempt) {
      if (memory_.load_relaxed(&state_.words->fault) != 0) return no_task;
      std::uint64_t const finished = memory_.load_relaxed(&state_.words->finished);
      if (finished == state_.tasks) return no_task;  // SG.R3
      if (patience_.stop(memory_, wait_kind::task, 0, finished, state_.tasks)) return no_task;
      bool const has_reason =
          first || is_task(done) || memory_.load_relaxed(&of_.words->ready) != 0;
      if (has_reason &&
          memory_.compare_exchange_acquire(&of_.words->lock, 0U,
                                           1U + static_cast<std::uint32_t>(worker_))) {  // SG.R1
        task const taken = in_turn(first, done);
        memory_.store_release(&of_.words->lock, 0U);  // SG.R1, SG.R2
        if (is_task(taken)) return taken;
        first = false;
        done = no_task;
        attempt = 0;
      }
      self.pause(attempt);
    }
  }

 private:
  /// Reports a task if `done` is one, and takes a ready task if there is one. Called by the worker
  /// that holds the lock.
  GRIDLOOM_FN task in_turn(bool first, task const& done) {
    if (first) of_.begin();
    bool const sound = !is_task(done) || of_.finish(memory_, state_.words, of_.grid.cell_of(done));
    task const taken = sound && of_.ready.size() != 0 ? of_.take(memory_, state_.words) : no_task;
    memory_.store_relaxed(&of_.words->ready, of_.ready.size());
    return taken;
  }

  run_state<T> const& state_;
  grid_view const& of_;
  int worker_;
  direct_memory memory_;
  watch patience_;
};

template <class T, int MaxTile>
using serial_kernel = worker_kernel<T, MaxTile, serial_asker<T>>;
template <class T, int MaxTile>
using shared_grid_kernel = worker_kernel<T, MaxTile, shared_asker<T>>;

}  // namespace gridloom::tiled_qr
