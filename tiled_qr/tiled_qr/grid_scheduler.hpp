#pragma once
// FR3 of the report: a scheduling kernel of one block and an execution kernel run at the same time
// (report, II.D, Algorithms 4 and 5). Only the scheduler uses the task grid. It puts ready tasks
// into the ready queues of the execution blocks, one queue per block. Blocks report finished tasks
// through one common queue, and the scheduler marks them in the grid.
//
// The queues hold numbers of tiles. A tile has at most one ready or running task, and the grid
// holds that task's step. All queues are those of fifo_queue.hpp.
//
// Round robin with weights (II.D, point 4): a task on two coupled tiles takes longer, so it counts
// as `weight` single tasks. The scheduler visits blocks in turn, and each visit is worth one single
// task. A block that got a double task owes the rest, and is skipped until its visits have paid the
// debt.
//
// A ready queue is bounded. Tasks that find no room stay in the scheduler's list until the next
// task is reported finished; the report does not mention a bound.
//
// Rules of order, cited where they are served:
// GS.R1. A task sees the writes of the tasks that it depends on. Their blocks synchronise, then one
//     thread puts the tile into the queue of finished tasks. The scheduler takes the tile, and puts
//     the tasks that became ready into ready queues. A thread of a block takes one of these, and
//     the block synchronises. Each queue passes on what the putting agent saw (FQ.R2 of
//     fifo_queue.hpp).
// GS.R2. The step of a task is read from the grid (TG.R1). The scheduler wrote the step before it
//     put the tile into the queue (FQ.R2), and writes it again only after the task was reported.
// GS.R3. A run ends. While tasks are left, one is running, in a ready queue, in the scheduler's
//     list or reported (TG.R3). The list is served whenever a task is reported. If nothing is in a
//     queue or running, all queues have room. Blocks report into a queue that the scheduler empties
//     without waiting for them. At the end each block gets the null task.

#include "tiled_qr/fifo_queue.hpp"
#include "tiled_qr/shared_grid.hpp"

namespace gridloom::tiled_qr {

/// The null task of the report; numbers of tiles in the queues begin at `first_value`.
inline constexpr std::uint32_t null_task = 1;
inline constexpr std::uint32_t first_value = 2;

/// A single task counts as this many parts. So the weight of a double task need not be a whole
/// number.
inline constexpr std::uint32_t parts_of_single = 1000;

/// View of the grid, and of the queues between its scheduler and the blocks.
struct scheduler_view {
  grid_view of;
  /// Ready queues: one per block, with 2^log_ready slots each.
  fifo_words* ready_words;
  std::uint64_t* ready_slots;
  std::uint32_t log_ready;
  std::uint32_t blocks;
  fifo_queue_ref finished;
  /// Number of parts that a double task counts as.
  std::uint32_t double_parts;
  /// Array of one word per block: the parts that the block owes. Only the scheduler uses it.
  std::uint32_t* owed;

  GRIDLOOM_FN fifo_queue_ref ready_of(std::uint32_t block) const {
    return {ready_words + block, ready_slots + (std::uint64_t{block} << log_ready), log_ready};
  }
};

/// Algorithm 4, executed by one thread. A watchdog numbers it as worker 0.
template <class T>
class grid_scheduler {
 public:
  GRIDLOOM_FN grid_scheduler(run_state<T> const& state, scheduler_view const& queues)
      : state_(state), queues_(queues), patience_(state.dog, 0) {}

  template <class Thread>
  GRIDLOOM_FN void run(Thread const& self) {
    queues_.of.begin();
    bool sound = distribute();
    for (std::uint64_t finished = 0; sound && finished < state_.tasks; ++finished) {
      std::uint32_t value = 0;
      // A scheduler that never waits may run out of time, too.
      if (patience_.stop(memory_, wait_kind::own_work, 0, finished, state_.tasks)) break;
      sound = look_until(memory_, self, patience_,
                         {wait_kind::queue, queues_.blocks, finished, state_.tasks},
                         [&] { return queues_.finished.try_take(memory_, value); }) &&  // GS.R1
              queues_.of.finish(memory_, state_.words, value - first_value) &&
              distribute();
    }
    for (std::uint32_t block = 0; block < queues_.blocks; ++block) {
      if (!look_until(memory_, self, patience_, {wait_kind::queue, block, 0, 1},
                      [&] { return queues_.ready_of(block).try_put(memory_, null_task); }))
        return;
    }
  }

 private:
  /// Gives out ready tasks until none is left, or no queue has room. Returns false after a fault.
  GRIDLOOM_FN bool distribute() {
    grid_view const& of = queues_.of;
    while (of.ready.size() != 0) {
      std::uint32_t const cell = of.ready.next();
      bool const is_double = of.grid.task_of(cell).is_double();
      std::uint32_t const cost = is_double ? queues_.double_parts : parts_of_single;
      if (!of.grid.start(cell)) {
        memory_.store_relaxed(&state_.words->fault, 1U);
        return false;
      }
      if (!place(cell, cost)) {
        of.grid.take_back(cell);
        return true;
      }
      of.ready.take_next();
    }
    return true;
  }
  /// Puts a task into the queue of the next block in turn that has no debt and has room.
  GRIDLOOM_FN bool place(std::uint32_t cell, std::uint32_t cost) {
    for (std::uint32_t without_room = 0; without_room < queues_.blocks;) {
      std::uint32_t const block = turn_;
      turn_ = turn_ + 1 < queues_.blocks ? turn_ + 1 : 0;
      std::uint32_t& owed = queues_.owed[block];
      if (owed >= parts_of_single) {
        owed -= parts_of_single;
        continue;
      }
      if (queues_.ready_of(block).try_put(memory_, cell + first_value)) {  // GS.R1, GS.R2
        owed += cost - parts_of_single;
        return true;
      }
      ++without_room;
    }
    return false;
  }

  run_state<T> const& state_;
  scheduler_view const& queues_;
  direct_memory memory_;
  watch patience_;
  std::uint32_t turn_ = 0;
};

/// Algorithm 5, without the execution of tasks. A watchdog numbers the blocks from 1 on.
template <class T>
class queue_asker {
 public:
  GRIDLOOM_FN queue_asker(run_state<T> const& state, scheduler_view const& queues, int worker)
      : queues_(queues),
        block_(static_cast<std::uint32_t>(worker) - 1),
        patience_(state.dog, worker) {}

  template <class Self>
  GRIDLOOM_FN task next(Self const& self, task const& done) {
    task_grid_ref const& grid = queues_.of.grid;
    if (is_task(done)) {
      std::uint32_t const value = grid.cell_of(done) + first_value;
      if (!look_until(memory_, self, patience_, {wait_kind::queue, queues_.blocks, 0, 1},
                      [&] { return queues_.finished.try_put(memory_, value); }))  // GS.R1
        return no_task;
      ++executed_;
    }
    std::uint32_t value = null_task;
    fifo_queue_ref const ready = queues_.ready_of(block_);
    if (!look_until(memory_, self, patience_, {wait_kind::queue, block_, executed_, executed_ + 1},
                    [&] { return ready.try_take(memory_, value); }))  // GS.R1
      return no_task;
    return value == null_task ? no_task : grid.task_of(value - first_value);  // GS.R2
  }

 private:
  scheduler_view const& queues_;
  std::uint32_t block_;
  std::uint64_t executed_ = 0;
  direct_memory memory_;
  watch patience_;
};

/// The report's scheduling kernel: one block.
template <class T>
struct scheduling_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = true;

  run_state<T> state;
  scheduler_view queues;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    if (block.thread_rank() == 0) grid_scheduler<T>(state, queues).run(block.leader());
  }
};

/// The report's execution kernel: as many blocks as there are ready queues.
template <class T, int MaxTile>
struct execution_kernel {
  using scratch = worker_scratch<T, MaxTile>;
  static constexpr bool persistent = true;

  run_state<T> state;
  scheduler_view queues;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    int const worker = block.index() + 1;
    queue_asker<T> asker(state, queues, worker);
    execute_tasks(block, worker, state, asker, shared);
  }
};

}  // namespace gridloom::tiled_qr
