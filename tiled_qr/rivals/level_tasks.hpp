#pragma once
// The tasks of a factorisation for launches per level (gridloom/taskgraph/rivals). They send the
// launches to a stream, or replay them as a CUDA graph with one node per level.
//
// A CUDA graph with one node per task is not among the rivals. A matrix of 2,048² in tiles of 32
// would need 89,440 nodes instead of 190, and a device runs at most 128 kernels at once.

#include "gridloom/taskgraph/block_task.hpp"
#include "tiled_qr/worker.hpp"

namespace gridloom::tiled_qr {

template <class T, int MaxTile>
struct level_tasks {
  using scratch = tile_scratch<T, MaxTile>;
  static constexpr int max_threads = default_max_threads;

  tiled_matrix_ref<T> matrix;

  GRIDLOOM_FN static nothing_early read(std::uint32_t /*number*/) { return {}; }
  GRIDLOOM_FN std::uint32_t type(std::uint32_t number, nothing_early) const {
    return static_cast<std::uint32_t>(task_at(matrix.cut, number).type());
  }
  template <thread_group Block>
  GRIDLOOM_FN void execute(Block const& block, std::uint32_t number, nothing_early,
                           scratch& shared) const {
    execute_task(block, matrix, task_at(matrix.cut, number), shared);
  }
};

}  // namespace gridloom::tiled_qr
