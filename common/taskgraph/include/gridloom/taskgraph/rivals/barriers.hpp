#pragma once
// Barriers between the levels of a persistent kernel. After a barrier, each thread sees what the
// others wrote before it.

#include "gridloom/group.hpp"
#include "gridloom/portable.hpp"
#include "gridloom/taskgraph/cluster.hpp"

namespace gridloom {

/// Barrier of a grid. A single block uses the barrier of the block, which takes no trip to memory.
struct grid_barrier {
  template <thread_group Block>
  GRIDLOOM_FN static void meet(Block const& block) {
    block.count() == 1 ? block.sync() : block.grid_sync();
  }
};

/// Barrier of a grid that is one thread block cluster. It polls no word in memory.
struct cluster_barrier {
  template <thread_group Block>
  GRIDLOOM_FN static void meet(Block const& block) {
    cluster_sync(block);
  }
};

}  // namespace gridloom
