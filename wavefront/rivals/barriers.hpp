#pragma once
// How all threads of a persistent kernel meet that goes wave by wave. What one wrote before, the
// others see after.

#include "gridloom/group.hpp"
#include "gridloom/portable.hpp"
#include "support/cluster.hpp"

namespace gridloom::wavefront {

/// Of a grid. A block that is alone meets by its own barrier, which takes no trip to memory.
struct grid_barrier {
  template <thread_group Block>
  GRIDLOOM_FN static void meet(Block const& block) {
    block.count() == 1 ? block.sync() : block.grid_sync();
  }
};

/// Of a grid that is one thread block cluster. No word in memory is polled.
struct cluster_barrier {
  template <thread_group Block>
  GRIDLOOM_FN static void meet(Block const& block) {
    cluster_sync(block);
  }
};

}  // namespace gridloom::wavefront
