#pragma once
// What a user would write without a task scheduler: one launch per level, which executes all tasks
// of the level. `launches` sends the launches to a stream; `graph` records them once as a CUDA
// graph with one node per level. `graph_pdl` adds programmatic dependent launch: the blocks of a
// level are placed while the previous level still runs. On a GPU each task has its own block,
// unless the user bounds the number of blocks.
//
// A CUDA graph with one node per task is not among the rivals. A matrix of 2,048² in tiles of 32
// would need 89,440 nodes instead of 190, and a device runs at most 128 kernels at once.
//
// Rule of order, cited where it is served:
// LL.R1. A task sees what earlier tasks wrote. All accesses of a launch come before those of the
//     next. With programmatic launch, the next launch waits for the end of its predecessor before
//     its first access.

#include "tiled_qr/worker.hpp"

namespace gridloom::tiled_qr {

/// Executes the tasks of one level by any number of blocks.
template <class T, int MaxTile, bool Overlap>
struct level_kernel {
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = Overlap;
  using scratch = tile_scratch<T, MaxTile>;

  run_state<T> state;
  /// Numbers of the level's tasks.
  std::uint32_t const* numbers;
  std::uint32_t size;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    if constexpr (Overlap) block.wait_for_previous_launch();  // LL.R1
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
