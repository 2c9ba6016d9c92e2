#pragma once
// Kernels that run one tile per block, in order or level by level. The bodies of tiles exchange
// data through memory.
//
// Rules of order, cited where they are served:
// TK.R1. The threads of a tile see the writes of the tile's predecessors: in order by IO.R5 of
//     ours/in_order.hpp, between levels by LV.R1 of rivals/waves.hpp.
// TK.R2. A block synchronises before its next tile. So all its threads have left the last tile.
// TK.R3. Before a level begins, a block reads the number of its first tile, which no launch writes.
// TK.R4. Blocks that run level by level leave together: SR.R1 to SR.R3 of rivals/stop_rule.hpp.

#include <concepts>

#include "gridloom/taskgraph/probe.hpp"
#include "gridloom/taskgraph/rivals/barriers.hpp"
#include "gridloom/taskgraph/rivals/next_launch.hpp"
#include "gridloom/taskgraph/rivals/stop_rule.hpp"
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

/// A block's first tile of a level.
struct first_of_wave {
  std::uint32_t k;
  std::uint32_t end;
  std::uint32_t tile;
};
template <thread_group Block>
GRIDLOOM_FN first_of_wave read_first(Block const& block, std::uint32_t const* tiles,
                                     std::uint32_t begin, std::uint32_t end) {
  std::uint32_t const k = begin + static_cast<std::uint32_t>(block.index());
  return {k, end, k < end ? tiles[k] : no_task};
}

/// Runs the tiles of one level, spread over the grid.
template <tile_body Body, thread_group Block>
GRIDLOOM_FN void run_tiles(Block const& block, Body const& body, typename Body::scratch& local,
                           std::uint32_t const* tiles, first_of_wave const& first) {
  auto const step = static_cast<std::uint32_t>(block.count());
  for (std::uint32_t k = first.k; k < first.end; k += step) {
    body(block, local, k == first.k ? first.tile : tiles[k]);
    block.sync();  // TK.R2
  }
}

/// Runs one level per launch.
template <tile_body Body, bool Overlap>
struct wave_of_tiles_kernel {
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = Overlap;
  static constexpr int max_threads = Body::max_threads;
  using scratch = typename Body::scratch;

  Body body;
  std::uint32_t const* tiles;
  std::uint32_t begin;
  std::uint32_t end;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& local) const {
    if constexpr (Overlap) let_next_launch_begin();
    first_of_wave const first = read_first(block, tiles, begin, end);  // TK.R3
    if constexpr (Overlap) block.wait_for_previous_launch();           // TK.R1
    run_tiles(block, body, local, tiles, first);
  }
};

/// All levels in one persistent kernel, with a barrier after each. It is a barrier of the grid, or
/// of the only block.
template <tile_body Body>
struct waves_of_tiles_kernel {
  static constexpr bool persistent = true;
  static constexpr int max_threads = Body::max_threads;
  using scratch = typename Body::scratch;

  Body body;
  std::uint32_t const* tiles;
  std::uint32_t waves;
  /// Array of number of levels + 1 entries: the first tile of each level.
  std::uint32_t const* offsets;
  /// The level before which all blocks stop; `none` at first.
  std::uint32_t* stop_wave;
  watchdog_ref dog;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& local) const {
    direct_memory memory;
    watch patience(dog, block.index(), true);
    bool const asks = is_first_of_grid(block);
    wave_stop stop(1);
    first_of_wave first = read_first(block, tiles, offsets[0], offsets[1]);
    for (std::uint32_t wave = 0; wave < waves; ++wave) {
      stop.look(memory, stop_wave, wave);  // TK.R4
      run_tiles(block, body, local, tiles, first);
      if (wave + 1 < waves)
        first = read_first(block, tiles, offsets[wave + 1], offsets[wave + 2]);  // TK.R3
      stop.ask(memory, stop_wave, asks, patience, wave, waves);                  // TK.R4
      grid_barrier::meet(block);                                                 // TK.R1
      if (stop.leaves(wave)) break;                                              // TK.R4
    }
  }
};

}  // namespace gridloom::wavefront::tiles
