#pragma once
// Every block schedules for itself, so that no multiprocessor is spent on a scheduler. A block has
// two warps. One executes tasks, as a block of the report does. The other, the scheduler warp,
// takes ready tasks for the first. It reports a finished task to the grid while the next task is
// executed. A host worker schedules and executes in turn.
//
// The grid is that of atomic_grid.hpp. The ready tasks of all blocks are in two queues, one of
// factorisations and one of applications, or in a single first-in-first-out queue. The queues have
// room for all tasks.
//
// A block takes a task only when its executing warp is free, so that no block keeps a task that
// another could execute. The scheduler warp takes a ready task before it reports the finished task,
// so that the other warp starts soon.
//
// Rules of order, cited where they are served:
// IB.R1. A task sees the writes of the tasks that it depends on. The scheduler warps of their
//     blocks saw the writes (IB.R2) and told the grid. By AG.R2 the agent that made the task ready
//     sees all these writes. It puts the tile into a queue, so the agent that takes the tile sees
//     them, too (FQ.R2 of fifo_queue.hpp). By IB.R2 the executing warp sees them.
// IB.R2. The block synchronises between the choice of a task and its execution, and between the
//     execution and the scheduler's next choice. So each warp sees what the other did, and never
//     reads the word that names the task while the other writes it.
// IB.R3. A run ends. Among the unfinished tasks, one depends only on finished tasks. So it is ready
//     (AG.R1), and is in a queue or at a block. Free blocks first report what they have finished.
//     Then they look at the queues until the count of finished tasks is complete.

#include "ours/atomic_grid.hpp"
#include "tiled_qr/fifo_queue.hpp"
#include "tiled_qr/ready_tasks.hpp"
#include "tiled_qr/worker.hpp"

namespace gridloom::tiled_qr {

struct in_block_view {
  atomic_grid_ref grid;
  /// Two queues: factorisations and applications. If the order is fifo, all tasks are in the first.
  fifo_queue_ref queues[2];
  priority order;

  template <class Memory>
  GRIDLOOM_FN void put(Memory& memory, run_words* run, std::uint32_t cell, task const& of) const {
    int const queue = order == priority::factorisations_first && !of.factorises() ? 1 : 0;
    // There is always room, because a tile has at most one ready task.
    if (!queues[queue].try_put(memory, cell + 1)) memory.store_relaxed(&run->fault, 1U);  // IB.R1
  }
  /// Takes a ready task. Returns no_task if there is none.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN task take(Memory& memory, run_words* run) const {
    std::uint32_t value = 0;
    if (!queues[0].try_take(memory, value) &&  // IB.R1
        (order == priority::fifo || !queues[1].try_take(memory, value)))
      return no_task;
    if (!grid.is_ready(memory, value - 1)) memory.store_relaxed(&run->fault, 1U);
    return grid.task_of(memory, value - 1);  // AG.R3
  }
  /// Called by all threads of a group, after a sync.
  template <class Memory, class Group>
  GRIDLOOM_FN void finish(Memory& memory, run_words* run, Group const& group,
                          task const& done) const {
    grid.finish(memory, group, done,
                [&](std::uint32_t cell, task const& next) { put(memory, run, cell, next); });
    if (group.thread_rank() == 0) memory.fetch_add_relaxed(&run->finished, std::uint64_t{1});
  }
};

/// The scheduler of one block: its scheduler warp, or the one thread of a host worker.
template <class T>
class block_scheduler {
 public:
  GRIDLOOM_FN block_scheduler(run_state<T> const& state, in_block_view const& of, int worker)
      : state_(state), of_(of), patience_(state.dog, worker) {}

  // All threads of a group of at most 32 call each member together, and get the same answer.

  /// Tells the grid that a task is finished.
  template <class Warp>
  GRIDLOOM_FN void report(Warp const& warp, task const& done) {
    of_.finish(memory_, state_.words, warp, done);
  }
  /// Takes a ready task. Returns no_task if there is none.
  template <class Warp>
  [[nodiscard]] GRIDLOOM_FN task try_take(Warp const& warp) {
    task taken = no_task;
    if (warp.thread_rank() == 0) taken = of_.take(memory_, state_.words);
    return {warp.shuffle(taken.k, 0), warp.shuffle(taken.i, 0), warp.shuffle(taken.j, 0)};
  }
  /// Waits for a ready task. Returns no_task at the end of the run. The block must have reported
  /// its finished tasks.
  template <class Warp>
  [[nodiscard]] GRIDLOOM_FN task take(Warp const& warp) {
    for (unsigned attempt = 0;; ++attempt) {
      std::uint64_t const finished = memory_.load_relaxed(&state_.words->finished);
      bool const over = finished == state_.tasks ||
                        memory_.load_relaxed(&state_.words->fault) != 0 ||  // IB.R3
                        patience_.stop(memory_, wait_kind::task, 0, finished, state_.tasks);
      if (warp.any(over)) return no_task;
      task const taken = try_take(warp);
      if (is_task(taken)) return taken;
      warp.pause(attempt);
    }
  }

 private:
  run_state<T> const& state_;
  in_block_view const& of_;
  direct_memory memory_;
  watch patience_;
};

/// The asker of a host worker, which schedules and executes in turn.
template <class T>
class in_turn_asker {
 public:
  GRIDLOOM_FN in_turn_asker(run_state<T> const& state, in_block_view const& of, int worker)
      : scheduler_(state, of, worker) {}

  template <class Self>
  GRIDLOOM_FN task next(Self const& /*self*/, task const& done) {
    thread_of_one const self(0, 1);
    if (is_task(done)) scheduler_.report(self, done);
    return scheduler_.take(self);
  }

 private:
  block_scheduler<T> scheduler_;
};

/// Number of executing threads of a block; a block has as many scheduling threads.
inline constexpr int in_block_threads = 32;

/// Needs all blocks resident. On a GPU a block has 2 · in_block_threads threads.
template <class T, int MaxTile>
struct in_block_kernel {
  static constexpr bool persistent = true;
  using scratch = worker_scratch<T, MaxTile>;

  run_state<T> state;
  in_block_view of;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    int const worker = block.index();
    direct_memory memory;
    if (worker == 0 && block.thread_rank() == 0) of.put(memory, state.words, 0, {0, 0, 0});
    if constexpr (by_host<Block>) {
      in_turn_asker<T> asker(state, of, worker);
      execute_tasks(block, worker, state, asker, shared);
    } else if (block.thread_rank() < in_block_threads) {
      for (;;) {
        block.sync();  // IB.R2
        task const what = shared.next;
        if (!is_task(what)) return;
        state.execute(block.template tile<in_block_threads / 32>(), worker, what, shared.tiles);
        block.sync();  // IB.R2
      }
    } else {
      schedule(block, block.warp(), shared);
    }
  }

 private:
  /// The work of a block's scheduler warp. The executing warp waits while this warp looks for a
  /// task.
  template <class Block, class Warp>
  GRIDLOOM_FN void schedule(Block const& block, Warp const& warp, scratch& shared) const {
    block_scheduler<T> scheduler(state, of, block.index());
    for (task done = no_task;;) {
      task what = scheduler.try_take(warp);
      if (!is_task(what)) {
        if (is_task(done)) scheduler.report(warp, done);
        done = no_task;
        what = scheduler.take(warp);
      }
      if (warp.thread_rank() == 0) shared.next = what;
      block.sync();  // IB.R2
      if (!is_task(what)) return;
      if (is_task(done)) scheduler.report(warp, done);
      block.sync();  // IB.R2
      done = what;
    }
  }
};

}  // namespace gridloom::tiled_qr
