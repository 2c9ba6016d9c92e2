#pragma once
// What all schedulers of the tiled QR share in device memory, as kernels see it.

#include <cstdint>
#include <type_traits>

#include "gridloom/trace.hpp"
#include "gridloom/watchdog.hpp"
#include "tiled_qr/execute.hpp"
#include "tiled_qr/ready_tasks.hpp"
#include "tiled_qr/task_grid.hpp"

namespace gridloom::tiled_qr {

/// The words of one run, all 0 at its start.
struct run_words {
  /// Of the grid and the ready tasks, where workers schedule themselves: 0 free, else 1 + owner.
  alignas(line_bytes) std::uint32_t lock;
  /// Tasks that are finished; written by whoever schedules.
  alignas(line_bytes) std::uint64_t finished;
  /// Ready tasks that nobody has yet.
  std::uint32_t ready;
  /// Not 0: the grid was told what cannot be, such as two ready tasks on one tile.
  std::uint32_t fault;
  ready_words lists;
};

/// View of the state of a run. Trivially copyable.
template <class T>
struct run_state {
  matrix_ref<T> matrix;
  task_grid_ref grid;
  ready_tasks_ref ready;
  run_words* words;
  std::uint64_t tasks;
  watchdog_ref dog;
  trace_ref trace;

  /// Executes the running task of a cell; called by all threads of the block, which is `worker`.
  template <int MaxTile, thread_group Block>
  GRIDLOOM_FN void execute(Block const& block, int worker, std::uint32_t cell,
                           tile_scratch<T, MaxTile>& shared) const {
    task const what = grid.task_of(cell);  // G1
    std::uint64_t const begin_ns = trace.on() ? now_ns() : 0;
    execute_task(block, matrix, what, shared);
    block.sync();
    if (trace.on() && block.thread_rank() == 0) {
      trace.record(worker, {static_cast<std::uint32_t>(number_of(matrix.cut, what)),
                            static_cast<std::uint32_t>(what.type()), begin_ns, now_ns()});
    }
  }

  /// Tells the grid that a task is finished, and puts what is ready by that into the list. By
  /// whoever schedules; false after a fault.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool finish(Memory& memory, std::uint32_t cell) const {
    ready_tasks_ref const& list = ready;
    bool const sound =
        grid.finish(cell, [&list](std::uint32_t at, task const& next) { list.put(at, next); });
    memory.store_relaxed(&words->finished, memory.load_relaxed(&words->finished) + 1);
    if (!sound) memory.store_relaxed(&words->fault, 1U);
    return sound;
  }
};

static_assert(std::is_trivially_copyable_v<run_state<double>>);

inline constexpr std::uint32_t no_cell = ~0U;

}  // namespace gridloom::tiled_qr
