#pragma once
// Levels and ranks in one launch, for graphs whose edges go from smaller to larger numbers. There
// is no queue, no dependency counter and no barrier of the grid. Each thread has one task. It waits
// for the words of the task's predecessors and writes the task's own word.
//
// Progress: warps take tasks in the order of their numbers, and a warp checks all its tasks in
// turn. So a running warp holds the unfinished task with the smallest number, and finds all words
// that this task waits for. (The thesis, 5.0.1, says that work-items of different work-groups
// cannot wait for each other.)

#include "pets/ours/kernels/waiting_task.hpp"

namespace gridloom::pets {

struct in_order_tuning {
  // Best on an H200. With more warps, the polling of waiting warps would delay the others.
  static constexpr int threads = 128;
  static constexpr int blocks_per_multiprocessor = 1;
};

struct in_order_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = true;

  values_ref of;
  /// The next task to be taken; 0 at first.
  std::uint32_t* next;
  watchdog_ref dog;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    auto const warp = block.warp();
    auto const rank = static_cast<std::uint32_t>(warp.thread_rank());
    auto const lanes = static_cast<std::uint32_t>(warp.num_threads());
    direct_memory memory;
    watch watcher{dog, block.index()};
    for (;;) {
      std::uint32_t first = 0;
      if (rank == 0) first = memory.fetch_add_relaxed(next, lanes);
      first = warp.shuffle(first, 0);
      if (first >= of.graph.num_tasks) return;
      waiting_task mine{of};
      if (first + rank < of.graph.num_tasks) mine.start(first + rank);
      for (unsigned attempt = 0; warp.any(mine.waits()); ++attempt) {
        give_way(attempt);
        if (mine.waits()) mine.look(memory);
        bool const late = watcher.expired(memory);
        if (!warp.any(late)) continue;
        if (rank != static_cast<std::uint32_t>(first_lane(warp.ballot(mine.waits())))) return;
        mine.note(watcher);
        return;
      }
    }
  }
};

}  // namespace gridloom::pets
