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
// The scheduler is a warp, as in the report. In a round its threads take the finished tasks of up to
// 32 blocks, find the tasks that became ready, and visit blocks in turn, one thread per block. The
// same code runs with one thread.
//
// Rules of order, cited where they are served:
// GS.R1. A task sees the writes of the tasks that it depends on. Their blocks synchronise, then one
//     thread puts the tile into the queue of finished tasks. The scheduler takes the tile, and puts
//     the tasks that became ready into ready queues. A thread of a block takes one of these, and
//     the block synchronises. Each queue passes on what the putting agent saw (FQ.R2 of
//     fifo_queue.hpp). Between a take by one thread of the scheduler and a put by another, the
//     group synchronises (TG.R4).
// GS.R2. The step of a task is read from the grid (TG.R1). The scheduler wrote the step before it
//     put the tile into the queue (FQ.R2), and writes it again only after the task was reported.
// GS.R3. A run ends. While tasks are left, one is running, in a ready queue, in the scheduler's
//     list or reported (TG.R3). The list is served whenever a task is reported. If nothing is in a
//     queue or running, all queues have room. Blocks report into a queue that the scheduler empties
//     without waiting for them. At the end each block gets the null task.
// GS.R4. Only the scheduler takes from the queue of finished tasks and puts into ready queues, so it
//     counts the tickets (FQ.R5). Its threads agree by votes on who uses which ticket, and
//     synchronise before another thread uses the words of a block.

#include "tiled_qr/fifo_queue.hpp"
#include "tiled_qr/shared_grid.hpp"

namespace gridloom::tiled_qr {

/// The null task of the report; numbers of tiles in the queues begin at `first_value`.
inline constexpr std::uint32_t null_task = 1;
inline constexpr std::uint32_t first_value = 2;

/// A single task counts as this many parts. So the weight of a double task need not be a whole
/// number.
inline constexpr std::uint32_t parts_of_single = 1000;

/// What the scheduler keeps for a block.
struct block_account {
  /// The parts that the block owes.
  std::uint32_t owed;
  /// Number of values put into the block's ready queue, which is the next ticket.
  std::uint32_t given;
};

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
  /// Array of one account per block. Only the scheduler uses it.
  block_account* accounts;

  GRIDLOOM_FN fifo_queue_ref ready_of(std::uint32_t block) const {
    return {ready_words + block, ready_slots + (std::uint64_t{block} << log_ready), log_ready};
  }
};

/// Algorithm 4, executed by all threads of a group. A watchdog numbers it as worker 0.
template <class T, warp_group Group>
class grid_scheduler {
 public:
  GRIDLOOM_FN grid_scheduler(run_state<T> const& state, scheduler_view const& queues,
                             Group const& group)
      : state_(state),
        queues_(queues),
        group_(group),
        rank_(static_cast<std::uint32_t>(group.thread_rank())),
        ready_(queues.of.ready.with(&listed_)),
        patience_(state.dog, 0) {}
  grid_scheduler(grid_scheduler const&) = delete;
  grid_scheduler& operator=(grid_scheduler const&) = delete;

  GRIDLOOM_FN void run() {
    if (rank_ == 0) queues_.of.grid.begin();
    ready_.put(group_, rank_ == 0, 0, {0, 0, 0});
    group_.sync();
    bool sound = distribute();
    for (std::uint64_t finished = 0; sound && finished < state_.tasks;) {
      std::uint32_t value = 0;
      sound = wait({wait_kind::queue, queues_.blocks, finished, state_.tasks}, [&] {
        auto const ticket = static_cast<std::uint32_t>(finished);
        value = queues_.finished.take(memory_, group_, ticket);  // GS.R1, GS.R4
        return group_.any(value != 0);
      });
      std::uint32_t const reported = lanes(group_.ballot(value != 0));
      if (rank_ == 0) memory_.store_relaxed(&state_.words->finished, finished + reported);
      finished += reported;
      sound = sound && finish(value) && distribute();
    }
    for (std::uint32_t first = 0; first < queues_.blocks; first += threads()) {
      std::uint32_t const block = first + rank_;
      bool done = block >= queues_.blocks;
      if (!wait({wait_kind::queue, first, 0, 1}, [&] {
            if (!done && has_room(block)) {
              put(block, null_task);
              done = true;
            }
            return !group_.any(!done);
          }))
        return;
    }
  }

 private:
  GRIDLOOM_FN std::uint32_t threads() const {
    return static_cast<std::uint32_t>(group_.num_threads());
  }
  GRIDLOOM_FN static std::uint32_t lanes(std::uint32_t mask) {
    return static_cast<std::uint32_t>(count_lanes(mask));
  }

  /// Calls `look` until it returns true, which it does in all threads at once. Returns false if the
  /// watchdog ends the wait. A scheduler that never waits may run out of time, too.
  template <class Look>
  [[nodiscard]] GRIDLOOM_FN bool wait(wait_note const& note, Look&& look) {
    for (unsigned attempt = 0;; ++attempt) {
      if (group_.any(patience_.expired(memory_))) {
        wait_kind const kind = attempt == 0 ? wait_kind::own_work : note.kind;
        if (rank_ == 0) patience_.note(kind, note.object, note.seen, note.wanted);
        return false;
      }
      if (look()) return true;
      group_.pause(attempt);
    }
  }
  /// Marks the reported task of each thread in the grid, and lists the tasks that become ready.
  /// Returns false after a fault.
  GRIDLOOM_FN bool finish(std::uint32_t value) {
    return all_sound(queues_.of.grid.finish(group_, value != 0, value - first_value,
                                            [&](bool puts, std::uint32_t at, task const& next) {
                                              ready_.put(group_, puts, at, next);
                                            }));
  }
  GRIDLOOM_FN bool all_sound(bool sound) {
    if (!sound) memory_.store_relaxed(&state_.words->fault, 1U);
    return !group_.any(!sound);
  }

  /// Gives out ready tasks until none is left, or no queue has room. Returns false after a fault.
  GRIDLOOM_FN bool distribute() {
    std::uint32_t const visits = threads() < queues_.blocks ? threads() : queues_.blocks;
    bool sound = true;
    for (std::uint32_t without_room = 0; ready_.size() != 0 && without_room < queues_.blocks;) {
      // Each thread visits a block. Blocks without debts and with room get one task each.
      std::uint32_t const block = in_turn(rank_);
      bool const owes = rank_ < visits && queues_.accounts[block].owed >= parts_of_single;
      bool const asks = rank_ < visits && !owes;
      bool const takes = asks && has_room(block);
      std::uint32_t const full = group_.ballot(asks && !takes);
      std::uint32_t const ahead = lanes(group_.ballot(takes) & lanes_below(group_.thread_rank()));
      bool const gets = takes && ahead < ready_.size();
      std::uint32_t const given = group_.ballot(gets);
      if (gets) sound = give(block, ready_.next(ahead)) && sound;
      // The visits end at the block that gets the last task.
      bool const visited = rank_ < visits && (lanes(given) < ready_.size() || given >> rank_ != 0);
      if (visited && owes) queues_.accounts[block].owed -= parts_of_single;
      turn_ = in_turn(lanes(group_.ballot(visited)));
      ready_.take_next(lanes(given));
      without_room = given != 0 ? 0 : without_room + lanes(full);
      group_.sync();  // GS.R4
    }
    return all_sound(sound);
  }
  /// The block of the visit that comes `visits` after the next one.
  GRIDLOOM_FN std::uint32_t in_turn(std::uint32_t visits) const {
    std::uint32_t const block = turn_ + visits;
    return block < queues_.blocks ? block : block - queues_.blocks;
  }
  /// Puts a ready task into the queue of a block that has room. Returns false after a fault.
  GRIDLOOM_FN bool give(std::uint32_t block, std::uint32_t cell) {
    task_grid_ref const& grid = queues_.of.grid;
    if (!grid.start(cell)) return false;
    bool const is_double = grid.task_of(cell).is_double();
    std::uint32_t const cost = is_double ? queues_.double_parts : parts_of_single;
    queues_.accounts[block].owed += cost - parts_of_single;
    put(block, cell + first_value);
    return true;
  }
  GRIDLOOM_FN bool has_room(std::uint32_t block) {
    return queues_.ready_of(block).has_room(memory_, queues_.accounts[block].given);
  }
  GRIDLOOM_FN void put(std::uint32_t block, std::uint32_t value) {
    // GS.R1, GS.R2, GS.R4
    queues_.ready_of(block).put(memory_, queues_.accounts[block].given++, value);
  }

  run_state<T> const& state_;
  scheduler_view const& queues_;
  Group group_;
  std::uint32_t rank_;
  ready_words listed_{};
  ready_tasks_ref ready_;
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

/// The report's scheduling kernel: one block of a warp, or of fewer threads.
template <class T>
struct scheduling_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = true;

  run_state<T> state;
  scheduler_view queues;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    grid_scheduler(state, queues, block.warp()).run();
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
