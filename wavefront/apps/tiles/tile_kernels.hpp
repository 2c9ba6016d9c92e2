#pragma once
// Tiles that a block executes: as tasks of common/taskgraph, and a kernel that runs them in order.
// The bodies of tiles exchange data through memory.
//
// Rules of order, cited where they are served:
// TK.R1. The threads of a tile see the writes of the tile's predecessors: IB.R2 of
//     ours/in_order_blocks.hpp.
// TK.R2. A block synchronises before its next tile. So all its threads have left the last tile.

#include <concepts>

#include "gridloom/taskgraph/block_task.hpp"
#include "gridloom/taskgraph/probe.hpp"
#include "gridloom/watchdog.hpp"
#include "ours/in_order_blocks.hpp"

namespace gridloom::wavefront::tiles {

/// `body(block, scratch, tile)` runs a tile with all threads of a block, after its predecessors.
/// Independent tiles run at the same time. Any number of threads up to `max_threads` works. The
/// scratch is uninitialised shared memory.
template <class Body>
concept tile_body = std::is_trivially_copyable_v<Body> && requires {
  typename Body::scratch;
  { Body::max_threads } -> std::convertible_to<int>;
};

template <tile_body Body>
struct tile_tasks {
  using scratch = typename Body::scratch;
  static constexpr int max_threads = Body::max_threads;

  Body body;

  GRIDLOOM_FN static nothing_early read(std::uint32_t /*tile*/) { return {}; }
  template <thread_group Block>
  GRIDLOOM_FN void execute(Block const& block, std::uint32_t tile, nothing_early,
                           scratch& local) const {
    body(block, local, tile);
  }
};

template <tile_body Body>
struct in_order_tiles_kernel {
  static constexpr bool persistent = true;
  static constexpr int max_threads = Body::max_threads;
  struct scratch {
    told_task<results_in_memory> told;
    typename Body::scratch own;
  };

  in_order_ref<listed_order> shared;
  Body body;
  watchdog_ref dog;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& local) const {
    silent_probe probe({}, 0);
    watch patience(dog, block.index(), true);
    block_worker<listed_order, silent_probe, decltype(block.warp()), results_in_memory> worker(
        shared, block, probe, patience);
    worker.run(
        block, local.told,
        [&](std::uint32_t tile, results_in_memory const&) {
          body(block, local.own, tile);
          return 0U;
        },
        [](std::uint32_t, std::uint32_t) {});  // TK.R1, TK.R2
  }
};

}  // namespace gridloom::wavefront::tiles
