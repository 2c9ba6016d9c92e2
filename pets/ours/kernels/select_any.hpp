#pragma once
// Selection of processors on a device for any number of processors, by append or insertion, with
// times of 64 bits. It handles the cases that the faster kernels of select.hpp do not support. It
// is one launch of one block, and the result equals the host's in every bit.
//
// As in select.hpp, one warp follows the chain of all tasks, while the others compute when the data
// of coming tasks arrives. Each thread of the first warp handles every 32nd processor and computes
// the earliest start on each. The warp finds the earliest finish, and the thread that handles this
// processor places the task.
//
// SE.R1 of select.hpp and GI.R1 of gap_index.hpp hold.

#include "gridloom/watchdog.hpp"
#include "pets/ours/kernels/bid.hpp"
#include "pets/ours/kernels/gap_index.hpp"
#include "pets/ours/kernels/select.hpp"

namespace gridloom::pets {

/// When a task's data arrives: see latest_data and ready_times (selection.hpp).
struct data_times {
  /// On all processors but one: the latest arrival of all data.
  time_value others;
  /// On the processor that sends the latest data: the latest arrival from other processors, or the
  /// end of the predecessors there.
  time_value own;
  std::uint32_t processor;

  [[nodiscard]] GRIDLOOM_FN time_value on(std::uint32_t p) const {
    return p == processor ? own : others;
  }
};

template <bool Insertion>
struct select_any_kernel {
  static constexpr std::uint32_t chunk = 512;
  static constexpr int max_threads = 1024;
  static constexpr bool persistent = true;

  struct scratch {
    data_times data[2][chunk];
    gap_pool pool;
    std::uint32_t stopped;
  };

  ordered_graph_ref of;
  /// Array of one word per place in the order.
  placed_word* placed;
  /// Array of one tree per processor.
  gap_tree* trees;
  /// Array of one node per task for insertion; otherwise null.
  gap_node* nodes;
  watchdog_ref dog;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    auto const rank = static_cast<std::uint32_t>(block.thread_rank());
    auto const threads = static_cast<std::uint32_t>(block.num_threads());
    std::uint32_t const placers = threads < 32 ? threads : 32;
    // If the block has one warp, this warp gathers and places in turn.
    std::uint32_t const first = threads > placers ? placers : 0;
    watch watcher{dog, block.index(), true};
    direct_memory memory;
    for (std::uint32_t p = rank; p < of.graph.num_processors; p += threads) trees[p] = {0, no_gap};
    if (rank == 0) {
      shared.pool = {nodes, 0, no_gap};
      shared.stopped = 0;
    }
    for (std::uint32_t level = 0; level < of.num_levels; ++level) {
      std::uint32_t const end = of.level_begins[level + 1];
      std::uint32_t at = of.level_begins[level];
      // From here on, the previous level is placed.
      block.sync();
      gather(shared.data[0], at, end, rank, threads);
      for (std::uint32_t buffer = 0; at < end; at += chunk, buffer = 1 - buffer) {
        // From here on, the chunk is complete.
        block.sync();
        if (rank < placers) place(block.warp(), shared, shared.data[buffer], at, end);
        if (rank >= first)
          gather(shared.data[1 - buffer], at + chunk, end, rank - first, threads - first);
        if (rank == 0 && watcher.expired(memory)) {
          watcher.note(wait_kind::own_work, level, level, of.num_levels);
          shared.stopped = 1;
        }
        block.sync();
        if (shared.stopped != 0) return;
      }
    }
  }

 private:
  GRIDLOOM_FN static std::uint32_t end_of(std::uint32_t at, std::uint32_t end) {
    return end - at < chunk ? end : at + chunk;
  }

  // Gathers the chunk that begins at `at`, if there is one, with one task per thread.
  GRIDLOOM_FN void gather(data_times* to, std::uint32_t at, std::uint32_t end, std::uint32_t rank,
                          std::uint32_t threads) const {
    if (at >= end) return;
    std::uint32_t const last = end_of(at, end);
    for (std::uint32_t place = at + rank; place < last; place += threads) {
      to[place - at] = data_of(of.order[place]);
    }
  }

  GRIDLOOM_FN data_times data_of(std::uint32_t task) const {
    adjacency_ref const& from = of.graph.predecessors;
    std::uint32_t const begin = from.offsets[task];
    std::uint32_t const end = from.offsets[task + 1];
    arrival<time_value> latest{0, 0, 0};
    for (std::uint32_t e = begin; e < end; ++e) {
      placed_word const parent = placed[of.parents[e]];
      latest.join({parent.finish + from.weights[e], 0, parent.processor});
    }
    // Predecessors on the processor that sends the latest data need no transfer there.
    time_value own = latest.second;
    for (std::uint32_t e = begin; Insertion && e < end; ++e) {
      placed_word const parent = placed[of.parents[e]];
      if (parent.processor == latest.processor && parent.finish > own) own = parent.finish;
    }
    return {latest.time, own, static_cast<std::uint32_t>(latest.processor)};
  }

  template <warp_group Warp>
  GRIDLOOM_FN void place(Warp const& warp, scratch& shared, data_times const* data,
                         std::uint32_t at, std::uint32_t end) const {
    auto const rank = static_cast<std::uint32_t>(warp.thread_rank());
    auto const threads = static_cast<std::uint32_t>(warp.num_threads());
    std::uint32_t const processors = of.graph.num_processors;
    std::uint32_t const last = end_of(at, end);
    for (std::uint32_t place = at; place < last; ++place) {
      data_times const there = data[place - at];
      time_value const* const costs = of.graph.costs + std::size_t{of.order[place]} * processors;
      bid<time_value> best = bid<time_value>::none();
      for (std::uint32_t p = rank; p < processors; p += threads) {
        time_value const ready = there.on(p);
        time_value const cost = costs[p];
        // Skips the search if this processor cannot win any more.
        if (ready + cost >= best.finish) continue;
        bid<time_value> const own{start_on(shared, p, ready, cost) + cost, p};
        if (own < best) best = own;
      }
      bid<time_value> const chosen = best_of<time_value>(warp, best);
      if (chosen.processor % threads == rank) {
        time_value const cost = costs[chosen.processor];
        take_on(shared, chosen.processor, chosen.finish - cost, cost);
        placed[place] = {chosen.finish, chosen.processor};
      }
      if constexpr (Insertion) warp.sync();  // GI.R1
    }
  }

  GRIDLOOM_FN time_value start_on(scratch& shared, std::uint32_t p, time_value ready,
                                  time_value cost) const {
    if constexpr (Insertion) return gap_index{shared.pool, trees[p]}.earliest_start(ready, cost);
    return ready > trees[p].end ? ready : trees[p].end;
  }
  GRIDLOOM_FN void take_on(scratch& shared, std::uint32_t p, time_value start,
                           time_value cost) const {
    if constexpr (Insertion) {
      gap_index{shared.pool, trees[p]}.take(start, cost);
    } else {
      trees[p].end = start + cost;
    }
  }
};

}  // namespace gridloom::pets
