#pragma once
// The state of a run that all schedulers share in device memory.

#include <cstdint>
#include <type_traits>

#include "gridloom/trace.hpp"
#include "gridloom/watchdog.hpp"
#include "tiled_qr/execute.hpp"

namespace gridloom::tiled_qr {

/// The words of one run, all 0 at its start.
struct run_words {
  alignas(line_bytes) std::uint64_t finished;
  /// Set after an impossible report to the grid, such as two ready tasks on one tile.
  std::uint32_t fault;
};

/// View of the state of a run. Trivially copyable.
template <class T>
struct run_state {
  tiled_matrix_ref<T> matrix;
  run_words* words;
  std::uint64_t tasks;
  watchdog_ref dog;
  trace_ref trace;

  /// Executes a ready task. Called by all threads of block number `worker`; ends with a sync.
  template <int MaxTile, thread_group Block>
  GRIDLOOM_FN void execute(Block const& block, int worker, task const& what,
                           tile_scratch<T, MaxTile>& shared) const {
    std::uint64_t const begin_ns = trace.on() ? now_ns() : 0;
    execute_task(block, matrix, what, shared);
    block.sync();
    if (trace.on() && block.thread_rank() == 0) {
      trace.record(worker, {static_cast<std::uint32_t>(number_of(matrix.cut, what)),
                            static_cast<std::uint32_t>(what.type()), begin_ns, now_ns()});
    }
  }
};

static_assert(std::is_trivially_copyable_v<run_state<double>>);

}  // namespace gridloom::tiled_qr
