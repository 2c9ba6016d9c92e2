#pragma once
// A worker inside a kernel, for any scheduler. One thread of the block asks for a task, all threads
// execute it, and the next question also reports it as finished. Schedulers differ in the asker,
// the object that answers.
//
// Each block makes an asker of its own, and one of its threads uses it:
//
//   Asker(run_state<T> const& state, View const& view, int worker);
//   // The next task, or no_task at the end. `done` is the last one, no_task at first.
//   template <class Self> task next(Self const& self, task const& done);
//
// Rules of order, cited where they are served:
// TW.R1. The asking thread sees the writes of all tasks that a task depends on, by the asker's own
//     rules. The block synchronises between the answer and the task, so all threads see them.
// TW.R2. The block synchronises between the end of a task and the question that reports it, so the
//     asker passes on what all threads wrote.

#include "tiled_qr/run_state.hpp"

namespace gridloom::tiled_qr {

/// No task: an asker returns it at the end of a run, and gets it as `done` before the first task.
inline constexpr task no_task{~0U, ~0U, ~0U};

GRIDLOOM_FN inline bool is_task(task const& what) { return what.k != no_task.k; }

/// Shared memory of a worker.
template <class T, int MaxTile>
struct worker_scratch {
  tile_scratch<T, MaxTile> tiles;
  task next;
};

/// Calls `look` until it succeeds. Called by one thread. Returns false if the watchdog ends the
/// wait. The watchdog reports `note`, which `look` may update.
template <class Memory, class Self, class Look>
[[nodiscard]] GRIDLOOM_FN bool look_until(Memory& memory, Self const& self, watch& patience,
                                          wait_note const& note, Look&& look) {
  for (unsigned attempt = 0; !look(); ++attempt) {
    if (patience.stop(memory, note.kind, note.object, note.seen, note.wanted)) return false;
    self.pause(attempt);
  }
  return true;
}

/// Executes all tasks of one block with all its threads.
template <class T, int MaxTile, thread_group Block, class Asker>
GRIDLOOM_FN void execute_tasks(Block const& block, int worker, run_state<T> const& state,
                               Asker& asker, worker_scratch<T, MaxTile>& shared) {
  bool const leads = block.thread_rank() == 0;
  for (task what = no_task;;) {
    if (leads) shared.next = asker.next(block, what);
    block.sync();  // TW.R1
    what = shared.next;
    if (!is_task(what)) return;
    state.execute(block, worker, what, shared.tiles);  // TW.R2
  }
}

/// A kernel in which every block is a worker.
template <class T, int MaxTile, class Asker>
struct worker_kernel {
  static constexpr bool persistent = Asker::waits;
  using scratch = worker_scratch<T, MaxTile>;

  run_state<T> state;
  typename Asker::view view;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    Asker asker(state, view, block.index());
    execute_tasks(block, block.index(), state, asker, shared);
  }
};

}  // namespace gridloom::tiled_qr
