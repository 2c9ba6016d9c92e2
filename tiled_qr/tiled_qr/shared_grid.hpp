#pragma once
// FR1 and FR2 of the report: the tasks of the grid executed by one worker, or by several that share
// the grid (report, I.E and II.C).
//
// FR1: one worker asks for the task to go next, executes it, and tells the grid.
// FR2: the workers do the same, and take turns with the grid under a lock. A worker reports and asks
// in one turn. Tasks are long (tens of microseconds), so the lock is rarely waited for.
//
// Rules of order, cited where they are served:
// F1. The compare-and-swap on the lock word lets one owner in; an owner sees what all owners before
//     it did, because taking the lock acquires what giving it back released. So grid, lists and
//     counters are plain or relaxed words, and G1 holds.
// F2. A task sees what the tasks wrote that it depends on: their workers released it by reporting
//     under the lock, and the worker that asks acquires it (F1). The block meets before and after.
// F3. A run ends: nobody waits with the lock in hand; while tasks are left, one is ready or running
//     (G3), and who finds none looks again.

#include "tiled_qr/run_state.hpp"

namespace gridloom::tiled_qr {

/// FR1. One block.
template <class T, int MaxTile>
struct serial_kernel {
  static constexpr bool persistent = false;
  struct scratch {
    tile_scratch<T, MaxTile> tiles;
    std::uint32_t cell;
  };

  run_state<T> state;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    direct_memory memory;
    watch patience(state.dog, 0, true);
    bool const leads = block.thread_rank() == 0;
    if (leads) state.ready.put(state.grid.begin(), {0, 0, 0});
    for (;;) {
      if (leads) shared.cell = ask(memory, patience);
      block.sync();
      std::uint32_t const cell = shared.cell;
      if (cell == no_cell) return;
      state.execute(block, 0, cell, shared.tiles);
      if (leads && !state.finish(memory, cell)) return;
    }
  }

 private:
  GRIDLOOM_FN std::uint32_t ask(direct_memory& memory, watch& patience) const {
    if (state.ready.size() == 0) return no_cell;
    std::uint64_t const finished = memory.load_relaxed(&state.words->finished);
    if (patience.stop(memory, wait_kind::own_work, 0, finished, state.tasks)) return no_cell;
    std::uint32_t const cell = state.ready.next();
    state.ready.take_next();
    if (state.grid.start(cell)) return cell;
    memory.store_relaxed(&state.words->fault, 1U);
    return no_cell;
  }
};

/// FR2. Any number of blocks, all resident.
template <class T, int MaxTile>
struct shared_grid_kernel {
  static constexpr bool persistent = true;
  struct scratch {
    tile_scratch<T, MaxTile> tiles;
    std::uint32_t cell;
  };

  run_state<T> state;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    direct_memory memory;
    int const me = block.index();
    watch patience(state.dog, me);
    bool const leads = block.thread_rank() == 0;
    std::uint32_t done = no_cell;
    for (;;) {
      if (leads) shared.cell = report_and_ask(memory, patience, block, done);
      block.sync();  // F2
      done = shared.cell;
      if (done == no_cell) return;
      state.execute(block, me, done, shared.tiles);  // F2: meets at its end
    }
  }

 private:
  /// A task, or none at the end. Called by one thread of each block.
  template <class Block>
  GRIDLOOM_FN std::uint32_t report_and_ask(direct_memory& memory, watch& patience,
                                           Block const& block, std::uint32_t done) const {
    run_words* const words = state.words;
    bool first = done == no_cell && block.index() == 0;
    for (unsigned attempt = 0;; ++attempt) {
      if (memory.load_relaxed(&words->fault) != 0) return no_cell;
      std::uint64_t const finished = memory.load_relaxed(&words->finished);
      if (finished == state.tasks) return no_cell;  // F3
      if (patience.stop(memory, wait_kind::task, 0, finished, state.tasks)) return no_cell;
      bool const has_reason = first || done != no_cell || memory.load_relaxed(&words->ready) != 0;
      if (has_reason &&
          memory.compare_exchange_acquire(&words->lock, 0U,
                                          1U + static_cast<std::uint32_t>(block.index()))) {  // F1
        if (first) state.ready.put(state.grid.begin(), {0, 0, 0});
        bool sound = done == no_cell || state.finish(memory, done);
        std::uint32_t const cell = sound ? take(memory) : no_cell;
        memory.store_release(&words->lock, 0U);  // F1
        if (cell != no_cell) return cell;
        first = false;
        done = no_cell;
        attempt = 0;
      }
      block.pause(attempt);
    }
  }
  /// By the lock's owner.
  GRIDLOOM_FN std::uint32_t take(direct_memory& memory) const {
    std::uint32_t cell = no_cell;
    if (state.ready.size() != 0) {
      cell = state.ready.next();
      state.ready.take_next();
      if (!state.grid.start(cell)) {
        memory.store_relaxed(&state.words->fault, 1U);
        cell = no_cell;
      }
    }
    memory.store_relaxed(&state.words->ready, state.ready.size());
    return cell;
  }
};

}  // namespace gridloom::tiled_qr
