#pragma once
// Levels and ranks in one launch for graphs numbered in any way, with a queue of tasks that may be
// taken: whoever takes a task takes it off its successors' counts at once, and of those that it was
// the last for keeps one, and puts the others into the queue, where parts of warps without a task
// wait for the slot that their ticket names. (The thesis, 5.0.1, holds such a queue to be
// impossible.)
//
// So a count of 0 says that all predecessors are taken, not that they are done: their words, which
// hold level and rank together, are looked at until they are there. Counting runs ahead of the
// values, nothing needs a fence, and the result does not depend on the order of events. Who waits,
// waits for tasks that were taken before its own; so the one taken first of those that are not done
// finds all that it waits for.

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
  std::uint32_t* missing;  // of each task: predecessors that are not taken; before, all of them
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
  time_value const* own;      // see totals.hpp
  tagged<time_value>* found;  // rank, tagged with the level + 1; all 0 before
  watchdog_ref dog;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    auto const warp = block.warp();
    auto const part = warp.template part<hand_over_tuning::part>();
    direct_memory memory;
    watch watcher{dog, block.index()};
    worker_state<std::remove_const_t<decltype(part)>> mine{*this, part};
    while (!mine.finished) {
      mine.turn(memory);
      bool const late = watcher.expired(memory);
      if (!part.any(late)) continue;
      mine.note(watcher);
      return;
    }
  }

 private:
  static constexpr std::uint32_t no_task = ~std::uint32_t{0};

  // A task with the places of its edges.
  struct located {
    std::uint32_t task = no_task;
    std::uint32_t in_begin = 0;
    std::uint32_t in_end = 0;
    std::uint32_t out_begin = 0;
    std::uint32_t out_end = 0;
  };

  GRIDLOOM_FN located locate(std::uint32_t task) const {
    auto const& in = graph.predecessors.offsets;
    auto const& out = graph.successors.offsets;
    return {task, in[task], in[task + 1], out[task], out[task + 1]};
  }

  template <class Part>
  struct worker_state {
    hand_over_kernel const& kernel;
    Part part;
    std::uint32_t rank;
    std::uint32_t step;
    located now;   // the task that is worked on
    located kept;  // the one after it
    std::uint32_t ticket = no_task;
    std::uint32_t done = 0;  // tasks not yet counted
    bool finished = false;
    // Of the predecessors of `now` that this thread looks at:
    std::uint32_t edge = 0;
    std::uint32_t parent = 0;
    bool waits = false;
    time_value own = 0;
    time_value largest = 0;
    std::uint32_t level = 0;

    GRIDLOOM_FN worker_state(hand_over_kernel const& of, Part const& group)
        : kernel(of),
          part(group),
          rank(static_cast<std::uint32_t>(group.thread_rank())),
          step(static_cast<std::uint32_t>(group.num_threads())) {}

    template <class Memory>
    GRIDLOOM_FN void turn(Memory& memory) {
      if (now.task == no_task) {
        take(memory);
        if (now.task == no_task) return;
        begin(memory);
      }
      look(memory);
    }
    GRIDLOOM_FN void note(watch const& watcher) const {
      if (now.task == no_task && rank == 0) watcher.note(wait_kind::ring_slot, ticket, 0, 1);
      if (now.task != no_task && waits) watcher.note(wait_kind::task, parent, 0, 1);
    }

   private:
    // From the slot of the queue that the ticket names, if it is there.
    template <class Memory>
    GRIDLOOM_FN void take(Memory& memory) {
      std::uint32_t found = 0;
      bool all = false;
      if (rank == 0) {
        auto const& words = kernel.words;
        if (ticket == no_task) {
          if (done != 0) memory.fetch_add_relaxed(words.done, done);
          done = 0;
          ticket = memory.fetch_add_relaxed(words.head, 1U);
        }
        if (ticket < kernel.graph.num_tasks) found = memory.load_in_batch(words.queue + ticket);
        if (found == 0) all = memory.load_relaxed(words.done) == kernel.graph.num_tasks;
      }
      found = part.shuffle(found, 0);
      finished = part.shuffle(all ? 1U : 0U, 0) != 0;
      if (found == 0) return;
      now = kernel.locate(found - 1);
      ticket = no_task;
    }
    template <class Memory>
    GRIDLOOM_FN void begin(Memory& memory) {
      largest = 0;
      level = 0;
      edge = now.in_begin + rank;
      own = kernel.own[now.task];
      fetch();
      release(memory);
    }
    GRIDLOOM_FN void fetch() {
      waits = edge < now.in_end;
      if (waits) parent = kernel.graph.predecessors.tasks[edge];
    }
    // Takes the task off its successors' counts.
    template <class Memory>
    GRIDLOOM_FN void release(Memory& memory) {
      kept.task = no_task;
      for (std::uint32_t at = now.out_begin; at < now.out_end; at += step) {
        bool ready = false;
        located child;
        if (at + rank < now.out_end) {
          // Located beside the count: the next task's edges are then known when it is.
          child = kernel.locate(kernel.graph.successors.tasks[at + rank]);
          ready = memory.fetch_sub_in_batch(kernel.words.missing + child.task, 1U) == 1;
        }
        std::uint32_t among = part.ballot(ready);
        if (among != 0 && kept.task == no_task) {
          auto const who = first_lane(among);
          kept = {part.shuffle(child.task, who), part.shuffle(child.in_begin, who),
                  part.shuffle(child.in_end, who), part.shuffle(child.out_begin, who),
                  part.shuffle(child.out_end, who)};
          among &= among - 1;
          if (rank == static_cast<std::uint32_t>(who)) ready = false;
        }
        push(memory, ready, child.task, among);
      }
    }
    // One look at the words of the predecessors that were not there yet.
    template <class Memory>
    GRIDLOOM_FN void look(Memory& memory) {
      if (waits) {
        time_value of_parent;
        std::uint32_t const below = memory.read_tagged_alone(kernel.found + parent, of_parent);
        if (below != 0) {
          waits = false;
          if (of_parent > largest) largest = of_parent;
          if (below > level) level = below;
        }
      }
      if (part.any(waits)) return;
      edge += step;
      if (edge - rank < now.in_end) return fetch();
      finish(memory);
    }
    template <class Memory>
    GRIDLOOM_FN void finish(Memory& memory) {
      for (std::uint32_t stride = 1; stride < step; stride *= 2) {
        auto const from = static_cast<int>(rank ^ stride);
        time_value const other = part.shuffle(largest, from);
        std::uint32_t const below = part.shuffle(level, from);
        if (other > largest) largest = other;
        if (below > level) level = below;
      }
      if (rank == 0) memory.put_tagged(kernel.found + now.task, level + 1, largest + own);
      ++done;
      now = kept;
      if (now.task != no_task) begin(memory);
    }
    template <class Memory>
    GRIDLOOM_FN void push(Memory& memory, bool ready, std::uint32_t child, std::uint32_t among) {
      if (among == 0) return;
      auto const who = first_lane(among);
      std::uint32_t base = 0;
      if (rank == static_cast<std::uint32_t>(who)) {
        base = memory.fetch_add_relaxed(kernel.words.tail,
                                        static_cast<std::uint32_t>(count_lanes(among)));
      }
      base = part.shuffle(base, who);
      if (!ready) return;
      auto const before = count_lanes(among & lanes_below(static_cast<int>(rank)));
      std::uint32_t const place = base + static_cast<std::uint32_t>(before);
      memory.store_in_batch(kernel.words.queue + place, child + 1);
    }
  };
};

}  // namespace gridloom::pets
