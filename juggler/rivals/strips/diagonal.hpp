#pragma once
// A rival without tasks, in one launch. Each block owns columns of tiles and processes them from
// top to bottom. One counter per column says how many of its tiles are done, and the block to the
// right waits for it. So tiles on one anti-diagonal run at the same time. Only sources that launch
// kernels include this header.
//
// Rules of order:
// DC.R1. A tile sees the writes of the tile to its left. That tile's block synchronised before its
//        counter was released. A thread acquires the counter before its own block synchronises. The
//        tile above was made by the same block.
// DC.R2. A run ends. Columns are dealt in turns and processed in ascending order, so the first
//        unfinished column never waits. All blocks are resident. If anything fails, the watchdog
//        ends all waiting.
// DC.R3. The first thread waits and leaves the result in `goes_on`. All threads read it before they
//        process the tile. It is overwritten only after that.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "apps/grid/one_pass.hpp"
#include "apps/strips/app.hpp"
#include "gridloom/clock.hpp"
#include "gridloom/taskgraph/task_watch.hpp"
#include "juggler/executor.hpp"

namespace gridloom::juggler::strips {

struct column_counter {
  alignas(line_bytes) std::uint32_t done;
};

template <application App>
struct diagonal_kernel {
  static constexpr bool persistent = true;
  static constexpr int max_threads = App::max_threads;
  struct scratch {
    typename App::scratch app;
    std::uint32_t goes_on;
  };

  App app;
  /// One counter per column of tiles, 0 before a run.
  column_counter* columns;
  std::uint32_t* executed;
  watchdog_ref dog;
  trace_ref trace;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    direct_memory memory;
    watch patience(dog, block.index());
    watch own_patience(dog, block.index(), true);
    task_watch own_time(own_patience);
    bool const leads = block.thread_rank() == 0;
    auto const down = static_cast<std::uint32_t>(app.grid.down());
    auto const across = static_cast<std::uint32_t>(app.grid.across());
    auto const blocks = static_cast<std::uint32_t>(block.count());
    std::uint32_t done = 0;
    bool goes_on = true;
    for (auto j = static_cast<std::uint32_t>(block.index()); goes_on && j < across; j += blocks) {
      // Number of finished tiles in the column to the left.
      std::uint32_t ready = j == 0 ? down : 0;
      for (std::uint32_t i = 0; i < down; ++i) {
        if (leads) {
          shared.goes_on =
              !own_time.stops(memory, j, i, down) && wait_for(memory, block, patience, j, i, ready);
        }
        block.sync();  // DC.R1
        goes_on = shared.goes_on != 0;
        if (!goes_on) break;
        std::uint64_t const begin_ns = trace.on() ? now_ns() : 0;
        app(block, 0, {static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)}, shared.app);
        block.sync();  // DC.R3
        if (leads && trace.on())
          trace.record(block.index(), {i * across + j, 0, begin_ns, now_ns()});
        if (leads) memory.store_release(&columns[j].done, i + 1);  // DC.R1
        ++done;
      }
    }
    if (leads) executed[block.index()] = done;
  }

 private:
  /// Waits until the tile to the left of (i, j) is done. Returns false when time is up.
  template <class Block>
  GRIDLOOM_FN bool wait_for(direct_memory& memory, Block const& block, watch& patience,
                            std::uint32_t j, std::uint32_t i, std::uint32_t& ready) const {
    for (unsigned attempt = 0; ready <= i; ++attempt) {
      ready = memory.load_acquire(&columns[j - 1].done);  // DC.R1
      if (ready > i) break;
      if (patience.stop(memory, wait_kind::neighbour, j - 1, ready, i + 1)) return false;
      block.leader().pause(attempt);
    }
    return true;
  }
};

/// If no number of blocks is given, there are at most as many blocks as columns of tiles.
template <application App>
std::unique_ptr<executor> make_diagonal(device& machine, execution_settings const& how,
                                        App const& app) {
  execution_settings settled = gridloom::settled<diagonal_kernel<App>>(machine, how);
  if (how.workers == 0)
    settled.workers = static_cast<int>(std::min<std::int64_t>(settled.workers, app.grid.across()));
  word_store words(machine);
  diagonal_kernel<App> const kernel{
      app, words.make<column_counter>(app.grid.across()), nullptr, {}, {}};
  return std::make_unique<one_pass<diagonal_kernel<App>>>(
      machine, settled, static_cast<std::uint64_t>(app.grid.down() * app.grid.across()),
      std::move(words), kernel);
}

}  // namespace gridloom::juggler::strips
