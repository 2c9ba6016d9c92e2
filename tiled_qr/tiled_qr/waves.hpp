#pragma once
// What a user would write without a task scheduler: a kernel a step of independent tasks, all tasks of
// one depth, one step after the other. The steps are launched in a stream (launches), or recorded
// once as a CUDA graph of a node a step (graph); with programmatic dependent launch the blocks of a
// step are brought to the multiprocessors while the step before still runs (graph_pdl). On a GPU a task
// has a block of its own unless the user bounds their number.
//
// A CUDA graph of a node a task is not among the rivals: 2,048² in tiles of 32 would be 89,440 nodes in
// place of 190, and a device runs at most 128 kernels at once.
//
// Rule of order, cited where it is served:
// L1. A task sees what the tasks before wrote: the end of a launch orders all its accesses before
//     those of the next, and by programmatic launch the next waits for that end before its first.

#include "tiled_qr/worker.hpp"

namespace gridloom::tiled_qr {

/// The tasks of one step, by as many blocks as are launched.
template <class T, int MaxTile, bool Overlap>
struct wave_kernel {
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = Overlap;
  using scratch = tile_scratch<T, MaxTile>;

  run_state<T> state;
  /// Numbers of the step's tasks.
  std::uint32_t const* numbers;
  std::uint32_t size;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    if constexpr (Overlap) block.wait_for_previous_launch();  // L1
    std::uint64_t executed = 0;
    for (auto k = static_cast<std::uint32_t>(block.index()); k < size;
         k += static_cast<std::uint32_t>(block.count())) {
      state.execute(block, block.index(), task_at(state.matrix.cut, numbers[k]), shared);
      ++executed;
    }
    if (block.thread_rank() == 0)
      direct_memory{}.fetch_add_relaxed(&state.words->finished, executed);
  }
};

}  // namespace gridloom::tiled_qr
