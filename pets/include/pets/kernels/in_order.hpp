#pragma once
// Levels and ranks in one launch, without queue, counter or meeting of blocks, for graphs whose
// edges go from smaller to larger numbers: a thread a task, which waits for its predecessors' words
// and writes its own. Words carry level and rank together, so who finds one needs no fence.
//
// Progress: warps take tasks in the order of their numbers, and a warp never waits for one task
// before it has looked at its others. So the task with the smallest number that is not done is held
// by a warp that runs, and finds all that it waits for. (The thesis, 5.0.1, holds work-items of
// different work-groups to be unable to wait for each other.)

#include "gridloom/atomic.hpp"
#include "gridloom/watchdog.hpp"
#include "pets/device_graph.hpp"
#include "pets/kernels/each.hpp"

namespace gridloom::pets {

struct in_order_tuning {
  // On an H200: more warps wait further ahead, and their looks at words delay those that matter.
  static constexpr int threads = 128;
  static constexpr int blocks_per_multiprocessor = 1;
};

struct in_order_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = true;

  device_graph_ref graph;
  time_value const* own;      // see totals.hpp
  tagged<time_value>* found;  // rank, tagged with the level + 1; all 0 before
  std::uint32_t* next;        // task to be taken, 0 before
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
      if (first >= graph.num_tasks) return;
      waiting_task mine{*this, first + rank};
      for (unsigned attempt = 0; warp.any(mine.waits); ++attempt) {
        if (mine.waits) mine.look(memory);
        bool const late = watcher.expired(memory);
        if (!warp.any(late)) continue;
        if (mine.waits) mine.note(watcher);
        return;
      }
    }
  }

 private:
  static constexpr std::uint32_t batch = 4;  // words looked at together

  struct waiting_task {
    in_order_kernel const& kernel;
    std::uint32_t task;
    std::uint32_t edge = 0;
    std::uint32_t end = 0;
    time_value own = 0;
    time_value largest = 0;  // rank of a predecessor
    std::uint32_t level = 0;
    std::uint32_t seen = 0;        // bits: which of the batch are there
    std::uint32_t parents[batch];  // of the batch
    bool waits;

    GRIDLOOM_FN waiting_task(in_order_kernel const& of, std::uint32_t number)
        : kernel(of), task(number), waits(number < of.graph.num_tasks) {
      if (!waits) return;
      edge = of.graph.predecessors.offsets[task];
      end = of.graph.predecessors.offsets[task + 1];
      own = of.own[task];
      fetch();
    }
    GRIDLOOM_FN void fetch() {
      GRIDLOOM_UNROLL
      for (std::uint32_t j = 0; j < batch; ++j) {
        parents[j] = edge + j < end ? kernel.graph.predecessors.tasks[edge + j] : 0;
      }
    }
    // One look at the words of the batch that were not there yet.
    template <class Memory>
    GRIDLOOM_FN void look(Memory& memory) {
      std::uint32_t const n = end - edge < batch ? end - edge : batch;
      time_value ranks[batch];
      std::uint32_t tags[batch];
      GRIDLOOM_UNROLL
      for (std::uint32_t j = 0; j < batch; ++j) {
        tags[j] = 0;
        if (j < n && (seen >> j & 1U) == 0) {
          tags[j] = memory.read_tagged_alone(kernel.found + parents[j], ranks[j]);
        }
      }
      GRIDLOOM_UNROLL
      for (std::uint32_t j = 0; j < batch; ++j) {
        if (tags[j] == 0) continue;
        seen |= 1U << j;
        if (ranks[j] > largest) largest = ranks[j];
        if (tags[j] > level) level = tags[j];  // a level below
      }
      if (seen != (1U << n) - 1) return;
      edge += n;
      seen = 0;
      if (edge != end) return fetch();
      memory.put_tagged(kernel.found + task, level + 1, largest + own);
      waits = false;
    }
    GRIDLOOM_FN void note(watch const& watcher) const {
      std::uint32_t j = 0;
      while (j + 1 < batch && (seen >> j & 1U) != 0) ++j;
      watcher.note(wait_kind::task, parents[j], 0, 1);
    }
  };
};

}  // namespace gridloom::pets
