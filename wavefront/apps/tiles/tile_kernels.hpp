#pragma once
// Tiles that a block executes: as tasks of common/taskgraph, and a kernel that runs them in order.
// The bodies of tiles exchange data through memory.
//
// Rules of order, cited where they are served:
// TK.R1. The threads of a tile see the writes of the tile's predecessors: IO.R5 of
//     ours/in_order.hpp.
// TK.R2. A block synchronises before its next tile. So all its threads have left the last tile.

#include <concepts>

#include "gridloom/taskgraph/block_task.hpp"
#include "gridloom/taskgraph/probe.hpp"
#include "gridloom/watchdog.hpp"
#include "ours/in_order.hpp"

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
  GRIDLOOM_FN static std::uint32_t type(std::uint32_t /*tile*/, nothing_early) { return 0; }
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
    std::uint32_t tile;
    typename Body::scratch own;
  };

  in_order_ref<listed_order> shared;
  Body body;
  watchdog_ref dog;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& local) const {
    bool const first = block.thread_rank() == 0;
    silent_probe probe({}, 0);
    watch patience(dog, block.index(), true);
    in_order_worker<listed_order, silent_probe, thread_of_one, 1> worker(shared, block.leader(),
                                                                         probe, patience);
    for (;;) {
      if (first) local.tile = worker.next();
      block.sync();  // TK.R1
      std::uint32_t const tile = local.tile;
      if (tile == no_task) break;
      body(block, local.own, tile);
      block.sync();  // TK.R1, TK.R2
      if (first) worker.done();
    }
  }
};

}  // namespace gridloom::wavefront::tiles
