#pragma once
// Levels and ranks in one launch for graphs numbered in any way, with a queue of ready tasks: whose
// edge was the last that a task waited for takes it over. Of the tasks that become ready so, a part
// of a warp keeps one for itself and puts the others into the queue, where parts without a task
// wait for the slot that their ticket names. (The thesis, 5.0.1, holds such a queue to be
// impossible.)
//
// A task's rank and level are read from its predecessors by whoever took it over; so there is no
// maximum in memory, and the result does not depend on the order of events.

#include <type_traits>

#include "gridloom/atomic.hpp"
#include "gridloom/watchdog.hpp"
#include "pets/device_graph.hpp"
#include "pets/kernels/each.hpp"

namespace gridloom::pets {

struct hand_over_tuning {
  static constexpr int part = 8;  // threads a task: most have fewer edges each way
  // On an H200.
  static constexpr int threads = 128;
  static constexpr int blocks_per_multiprocessor = 1;
};

/// Words of a launch, all 0 before but where said.
struct hand_over_words {
  std::uint32_t* missing;  // of each task: predecessors that are not done; before, all of them
  std::uint32_t* queue;    // one a task: task + 1; before, the entries at the begin
  std::uint32_t* tail;     // tasks put there; before, entries
  std::uint32_t* head;     // tickets drawn
  std::uint32_t* done;     // tasks that are done
};

/// Counts predecessors, and puts the entries into the queue: entry discovery (4.3.1).
struct entries_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;

  device_graph_ref graph;
  hand_over_words words;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    direct_memory memory;
    for_each(block, graph.num_tasks, [&](std::uint32_t task) {
      std::uint32_t const n =
          graph.predecessors.offsets[task + 1] - graph.predecessors.offsets[task];
      words.missing[task] = n;
      if (n == 0) words.queue[memory.fetch_add_relaxed(words.tail, 1U)] = task + 1;
    });
  }
};

struct hand_over_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = true;

  device_graph_ref graph;
  hand_over_words words;
  time_value const* own;  // see totals.hpp
  time_value* ranks;
  std::uint32_t* levels;
  watchdog_ref dog;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    auto const warp = block.warp();
    auto const part = warp.template part<hand_over_tuning::part>();
    direct_memory memory;
    watch watcher{dog, block.index()};
    worker_state<std::remove_const_t<decltype(part)>> mine{*this, part};
    for (unsigned attempt = 0; !warp.any(mine.finished); ++attempt) {
      mine.turn(memory);
      bool const late = watcher.expired(memory);
      if (!warp.any(late)) continue;
      if (mine.task == no_task) watcher.note(wait_kind::ring_slot, mine.ticket, 0, 1);
      return;
    }
  }

 private:
  static constexpr std::uint32_t no_task = ~std::uint32_t{0};

  template <class Part>
  struct worker_state {
    hand_over_kernel const& kernel;
    Part part;
    std::uint32_t task = no_task;
    std::uint32_t ticket = no_task;
    std::uint32_t done = 0;  // tasks not yet counted
    bool finished = false;

    GRIDLOOM_FN worker_state(hand_over_kernel const& of, Part const& own) : kernel(of), part(own) {}

    template <class Memory>
    GRIDLOOM_FN void turn(Memory& memory) {
      if (task == no_task) take(memory);
      if (task != no_task) run(memory);
    }

   private:
    // From the slot of the queue that the ticket names, if it is there.
    template <class Memory>
    GRIDLOOM_FN void take(Memory& memory) {
      std::uint32_t found = 0;
      bool all = false;
      if (part.thread_rank() == 0) {
        auto const& words = kernel.words;
        if (ticket == no_task) {
          if (done != 0) memory.fetch_add_relaxed(words.done, done);
          done = 0;
          ticket = memory.fetch_add_relaxed(words.head, 1U);
        }
        if (ticket < kernel.graph.num_tasks) found = memory.load_in_batch(words.queue + ticket);
        if (found != 0) memory.batch_fence();
        if (found == 0) all = memory.load_relaxed(words.done) == kernel.graph.num_tasks;
      }
      found = part.shuffle(found, 0);
      finished = part.shuffle(all ? 1U : 0U, 0) != 0;
      if (found == 0) return;
      task = found - 1;
      ticket = no_task;
    }
    template <class Memory>
    GRIDLOOM_FN void run(Memory& memory) {
      auto const& graph = kernel.graph;
      auto const rank = static_cast<std::uint32_t>(part.thread_rank());
      auto const step = static_cast<std::uint32_t>(part.num_threads());
      std::uint32_t const begin = graph.successors.offsets[task];
      std::uint32_t const end = graph.successors.offsets[task + 1];
      std::uint32_t const first_child =
          begin + rank < end ? graph.successors.tasks[begin + rank] : 0;
      put_rank(memory);
      std::uint32_t kept = no_task;
      for (std::uint32_t at = begin; at < end; at += step) {
        bool ready = false;
        std::uint32_t child = first_child;
        if (at + rank < end) {
          if (at != begin) child = graph.successors.tasks[at + rank];
          ready = memory.fetch_sub_in_batch(kernel.words.missing + child, 1U) == 1;
        }
        // Whoever runs the child sees what all of its predecessors' workers have written.
        if (ready) memory.batch_fence();
        std::uint32_t among = part.ballot(ready);
        if (among != 0 && kept == no_task) {
          auto const who = static_cast<std::uint32_t>(first_lane(among));
          kept = part.shuffle(child, static_cast<int>(who));
          among &= among - 1;
          if (rank == who) ready = false;
        }
        push(memory, ready, child, among);
      }
      ++done;
      task = kept;
    }
    // Level and rank from the predecessors, all of which are done.
    template <class Memory>
    GRIDLOOM_FN void put_rank(Memory& memory) {
      auto const& graph = kernel.graph;
      auto const rank = static_cast<std::uint32_t>(part.thread_rank());
      auto const step = static_cast<std::uint32_t>(part.num_threads());
      part.sync();  // after who saw the last predecessor done
      time_value largest = 0;
      std::uint32_t level = 0;
      std::uint32_t const end = graph.predecessors.offsets[task + 1];
      for (std::uint32_t e = graph.predecessors.offsets[task] + rank; e < end; e += step) {
        std::uint32_t const parent = graph.predecessors.tasks[e];
        time_value const of_parent = memory.load_relaxed(kernel.ranks + parent);
        std::uint32_t const below = memory.load_relaxed(kernel.levels + parent) + 1;
        if (of_parent > largest) largest = of_parent;
        if (below > level) level = below;
      }
      for (std::uint32_t stride = 1; stride < step; stride *= 2) {
        time_value const other = part.shuffle(largest, static_cast<int>(rank ^ stride));
        std::uint32_t const below = part.shuffle(level, static_cast<int>(rank ^ stride));
        if (other > largest) largest = other;
        if (below > level) level = below;
      }
      if (rank == 0) {
        memory.store_relaxed(kernel.ranks + task, largest + kernel.own[task]);
        memory.store_relaxed(kernel.levels + task, level);
      }
      // Rank 0's words come before the counts that all threads of the part take down.
      part.sync();
      memory.batch_fence();
    }
    template <class Memory>
    GRIDLOOM_FN void push(Memory& memory, bool ready, std::uint32_t child, std::uint32_t among) {
      if (among == 0) return;
      auto const who = static_cast<std::uint32_t>(first_lane(among));
      auto const rank = static_cast<std::uint32_t>(part.thread_rank());
      std::uint32_t base = 0;
      if (rank == who)
        base = memory.fetch_add_relaxed(kernel.words.tail,
                                        static_cast<std::uint32_t>(count_lanes(among)));
      base = part.shuffle(base, static_cast<int>(who));
      if (!ready) return;
      auto const before = count_lanes(among & lanes_below(static_cast<int>(rank)));
      std::uint32_t const place = base + static_cast<std::uint32_t>(before);
      memory.store_in_batch(kernel.words.queue + place, child + 1);
    }
  };
};

}  // namespace gridloom::pets
