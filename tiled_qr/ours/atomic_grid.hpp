#pragma once
// A task grid that any number of agents may use at once, without a lock. Its cells are counters,
// which atomic additions increment.
//
// Task (k, i, j) depends on at most three other tasks (task_grid.hpp), one in each of these places:
//   own    the tile's task of the previous step
//   left   for j > k, the task of tile (i, k), which is in the first column of the step
//   above  for i > k, the task of tile (i - 1, j), one row up
// The tasks in each place finish in the order of their steps. So a cell has one count per place,
// and the three counts share one word of 64 bits. The tile's next task is ready when all counts
// show that the tasks of its step (in `own`, of the previous step) are finished.
//
// Rules of order, cited where they are served:
// AG.R1. Each task becomes ready once. An addition returns the previous word. So exactly one
//     addition to a cell makes the next task ready. The agent that made it hands the task on.
// AG.R2. That agent sees the writes of all tasks that the ready task depends on. Additions release
//     what their agents saw, and acquire what earlier additions to the same cell released. A warp
//     uses a fence before and a fence after its addition.
// AG.R3. The step of a ready task is the `own` count of its cell, which does not change before the
//     task is finished.

#include <cstdint>
#include <type_traits>

#include "tiled_qr/task.hpp"

namespace gridloom::tiled_qr {

/// View of the cells. Any number of agents may use it at once.
class atomic_grid_ref {
 public:
  atomic_grid_ref() = default;
  /// `cells`: one per tile, all 0 at the start of a run.
  GRIDLOOM_FN atomic_grid_ref(std::uint64_t* cells, tiling const& cut)
      : cells_(cells), p_(cut.p()), q_(cut.q()), steps_(cut.steps()) {}

  GRIDLOOM_FN std::uint32_t cell_of(task const& of) const { return of.i * q_ + of.j; }
  /// The task that is ready or running on a tile, otherwise the tile's next task (AG.R3).
  template <class Memory>
  GRIDLOOM_FN task task_of(Memory& memory, std::uint32_t cell) const {
    return next_of(memory.load_relaxed(cells_ + cell), cell);
  }
  template <class Memory>
  GRIDLOOM_FN bool is_ready(Memory& memory, std::uint32_t cell) const {
    return is_ready_in(memory.load_relaxed(cells_ + cell), cell);
  }

  /// Marks a task as finished, and calls `emit(cell, task)` for each task that becomes ready.
  /// Called by all threads of a group, after a sync; each thread may call `emit`.
  template <class Memory, class Group, class Emit>
  GRIDLOOM_FN void finish(Memory& memory, Group const& group, task const& done, Emit&& emit) const {
    auto const rank = static_cast<std::uint32_t>(group.thread_rank());
    auto const size = static_cast<std::uint32_t>(group.num_threads());
    std::uint32_t const own = cell_of(done);
    std::uint32_t const to_the_right = done.factorises() ? q_ - done.j - 1 : 0;
    for (std::uint32_t at = rank; at < to_the_right + 2; at += size) {
      if (at == 0) {
        arrive(memory, own, one_own, emit);
      } else if (at == 1) {
        if (done.i + 1 < p_) arrive(memory, own + q_, one_above, emit);
      } else {
        arrive(memory, own + at - 1, one_left, emit);
      }
    }
  }

 private:
  // 20 bits are enough: a matrix of 2^30 tiles has at most 2^15 steps.
  static constexpr std::uint32_t count_bits = 20;
  static constexpr std::uint64_t count_mask = (1U << count_bits) - 1;
  static constexpr std::uint64_t one_own = 1;
  static constexpr std::uint64_t one_left = std::uint64_t{1} << count_bits;
  static constexpr std::uint64_t one_above = std::uint64_t{1} << (2 * count_bits);

  GRIDLOOM_FN task next_of(std::uint64_t word, std::uint32_t cell) const {
    return {static_cast<std::uint32_t>(word & count_mask), cell / q_, cell % q_};
  }
  GRIDLOOM_FN bool is_ready_in(std::uint64_t word, std::uint32_t cell) const {
    auto const [k, i, j] = next_of(word, cell);
    // The tile has no task left.
    if (k >= steps_ || k > i || k > j) return false;
    return (j == k || ((word >> count_bits) & count_mask) > k) &&
           (i == k || ((word >> (2 * count_bits)) & count_mask) > k);
  }
  template <class Memory, class Emit>
  GRIDLOOM_FN void arrive(Memory& memory, std::uint32_t cell, std::uint64_t one,
                          Emit&& emit) const {
    memory.batch_fence();                                                        // AG.R2
    std::uint64_t const before = memory.fetch_add_in_batch(cells_ + cell, one);  // AG.R1
    memory.batch_fence();                                                        // AG.R2
    std::uint64_t const after = before + one;
    // After an addition to `own` the tile has a new next task, which was not ready before.
    bool const was_ready = one != one_own && is_ready_in(before, cell);
    if (!was_ready && is_ready_in(after, cell)) emit(cell, next_of(after, cell));
  }

  std::uint64_t* cells_ = nullptr;
  std::uint32_t p_ = 0;
  std::uint32_t q_ = 0;
  std::uint32_t steps_ = 0;
};

static_assert(std::is_trivially_copyable_v<atomic_grid_ref>);

}  // namespace gridloom::tiled_qr
