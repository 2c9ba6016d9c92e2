#pragma once
// Levels and ranks in one launch, for graphs whose numbers are not a topological order. Some warps
// count, and the other warps compute. Counting warps run ahead and count down the successors of
// tasks. A task whose count reaches 0 gets the next place in an order, in which every task comes
// after its predecessors. Computing warps process the tasks in that order, like in_order, as soon
// as places are filled. (The thesis, 5.0.1, holds such a queue to be impossible.)
//
// A counting warp gives ready tasks to its own threads. Tasks for which it has no thread go to a
// second queue. A warp without a task draws tickets, which name slots of that queue, and waits for
// those slots.
//
// Rules of order, cited where they are served. No fence is needed: counting does not wait for
// values, and each word carries everything that its reader uses.
// HO.R1. Level and rank are in one word (WT.R1 of waiting_task.hpp). A place and a slot are one
//        word each, which holds a task's number or 0, and are written once. Readers use the number
//        to look up the graph, which never changes. So relaxed accesses suffice, and the values do
//        not depend on the order of events.
// HO.R2. A task's place comes before those of its successors. Let v be a successor of u. Let A(u)
//        and A(v) be the updates of `placed` that gave u and v their places. Let S be the
//        count-down of v for u.
//        a. On the host, S releases, the last count-down of v acquires, and A(v) follows it. So
//        A(u) happens before A(v), and the updates of one word follow that order.
//        b. On CUDA all of these are relaxed, and dependencies order them. S depends on the result
//        of A(u): it is made only after `write` has found that the warp's base is a place. If the
//        task comes from a slot, that slot was filled under the same condition. The count-downs of
//        v are updates of one word. So the last one reads, through those in between, what S wrote.
//        A(v) depends on the result of the last one.
//        c. If A(v) came before A(u) in the order of `placed`, A(u) would read, through the updates
//        in between, what A(v) wrote. That is a cycle of reads-from and dependencies, which the PTX
//        memory model excludes (No-Thin-Air).
//
// Progress. Consider the first place that is filled and not done. All its predecessors are done
// (HO.R2), and a warp polls for it, as in in_order. While places are empty, a counting warp holds
// some task, or some task lies in a slot that a ticket names.

#include "gridloom/each.hpp"
#include "pets/ours/kernels/waiting_task.hpp"

namespace gridloom::pets {

struct hand_over_tuning {
  // Best on an H200: one counting and one computing block per multiprocessor.
  static constexpr int threads = 128;
  static constexpr int blocks_per_multiprocessor = 2;
};

/// Words of a launch. The host sets all but `missing` to 0. Then entries_kernel sets `missing` and
/// adds the entries to the order and to the first slots.
struct hand_over_words {
  /// Number of each task's predecessors that have not been counted down.
  std::uint32_t* missing;
  /// Number of the task at each place of the order, plus 1; 0 while the place is empty.
  std::uint32_t* order;
  /// Number of tasks in the order.
  std::uint32_t* placed;
  /// Number of the task in each slot, plus 1; 0 while the slot is empty.
  std::uint32_t* surplus;
  /// Number of slots that are filled or about to be.
  std::uint32_t* pushed;
  /// Number of tickets that warps have drawn for slots.
  std::uint32_t* drawn;
  /// The next place for a computing warp.
  std::uint32_t* next;
};

/// Counts predecessors and gives entries their places: entry discovery (4.3.1).
struct set_entries {
  device_graph_ref graph;
  hand_over_words words;

  GRIDLOOM_FN void operator()(std::uint32_t task) const {
    direct_memory memory;
    std::uint32_t const n = graph.predecessors.offsets[task + 1] - graph.predecessors.offsets[task];
    words.missing[task] = n;
    if (n != 0) return;
    std::uint32_t const place = memory.fetch_add_relaxed(words.placed, 1U);
    words.order[place] = task + 1;
    words.surplus[place] = task + 1;
    memory.fetch_add_relaxed(words.pushed, 1U);
  }
};

struct hand_over_kernel {
  static constexpr int max_warps = 32;
  /// A task, and the range of its edges to successors.
  struct located {
    std::uint32_t task;
    std::uint32_t begin;
    std::uint32_t end;
  };
  struct scratch {
    /// Per warp: the list of ready tasks for its threads.
    located ready[max_warps][32];
  };
  static constexpr bool persistent = true;

  values_ref of;
  hand_over_words words;
  watchdog_ref dog;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    auto const warp = block.warp();
    watch watcher{dog, block.index()};
    direct_memory memory;
    if (block.index() % 2 == 0) {
      counting_warp<std::remove_const_t<decltype(warp)>, direct_memory> counts{
          *this, warp, shared.ready[block.thread_rank() / 32], memory};
      if (!counts.run(watcher)) return;
    }
    find_values(warp, watcher);
  }

  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// `Memory` is direct_memory, or a test's modelled memory.
  template <class Warp, class Memory>
  struct counting_warp {
    /// Successors that a thread counts down together.
    static constexpr std::uint32_t batch = 8;
    /// Largest number of successors that one thread counts down alone.
    static constexpr std::uint32_t most_alone = 32;
    /// Tickets that a warp draws at a time.
    static constexpr std::uint32_t tickets = 8;

    hand_over_kernel const& kernel;
    Warp const& warp;
    located* ready;
    std::uint32_t rank;
    std::uint32_t lanes;
    Memory& memory;
    /// The thread's task, with all its successors or a part of them.
    located mine{none, 0, 0};
    std::uint32_t ticket = none;
    /// Number of tasks listed in `ready`.
    std::uint32_t num_ready = 0;
    // Ready tasks that are not yet written to the order, and their places. The places are relative
    // to `base`, which rank 0 has requested.
    std::uint32_t unwritten[batch];
    std::uint32_t place[batch] = {};
    std::uint32_t base = 0;

    GRIDLOOM_FN counting_warp(hand_over_kernel const& own_kernel, Warp const& own_warp,
                              located* shared, Memory& own_memory)
        : kernel(own_kernel),
          warp(own_warp),
          ready(shared),
          rank(static_cast<std::uint32_t>(own_warp.thread_rank())),
          lanes(static_cast<std::uint32_t>(own_warp.num_threads())),
          memory(own_memory) {
      for (std::uint32_t& task : unwritten) task = none;
    }

    /// Runs until all tasks have places. Returns false if the watchdog stops the run.
    GRIDLOOM_FN bool run(watch& watcher) {
      for (unsigned idle = 0;; ++idle) {
        if (warp.any(mine.task != none)) {
          idle = 0;
        } else {
          if (!wait()) return true;
          give_way(idle);
        }
        std::uint32_t slot = 0;
        if (mine.task == none && ticket < kernel.of.graph.num_tasks) {
          slot = memory.load_in_batch(kernel.words.surplus + ticket);  // HO.R1
        }
        release();
        share(slot);
        bool const late = watcher.expired(memory);
        if (!warp.any(late)) continue;
        if (rank != 0) return false;
        bool const waits = mine.task == none && ticket != none;
        watcher.note(waits ? wait_kind::ring_slot : wait_kind::own_work, waits ? ticket : mine.task,
                     0, 1);
        return false;
      }
    }

   private:
    // For a warp without tasks: draws tickets if it has none. Returns whether tasks are left.
    GRIDLOOM_FN bool wait() {
      if (!write()) return false;
      bool all = false;
      if (rank == 0) all = memory.load_relaxed(kernel.words.placed) == kernel.of.graph.num_tasks;
      if (warp.any(all)) return false;
      if (warp.any(ticket != none)) return true;
      std::uint32_t const n = lanes < tickets ? lanes : tickets;
      std::uint32_t first = 0;
      if (rank == 0) first = memory.fetch_add_relaxed(kernel.words.drawn, n);
      first = warp.shuffle(first, 0);
      if (rank < n) ticket = first + rank;
      return true;
    }
    // Counts down the successors of each thread's task, and lists those that become ready.
    GRIDLOOM_FN void release() {
      num_ready = 0;
      while (warp.any(mine.begin != mine.end)) {
        located child[batch];
        std::uint32_t left[batch];
        GRIDLOOM_UNROLL
        for (std::uint32_t j = 0; j < batch; ++j) {
          child[j].task =
              mine.begin + j < mine.end ? kernel.of.graph.successors.tasks[mine.begin + j] : none;
        }
        // The count-downs below depend on these places (HO.R2).
        if (!write()) return;
        GRIDLOOM_UNROLL
        for (std::uint32_t j = 0; j < batch; ++j) {
          left[j] = 0;
          if (child[j].task == none) continue;
          left[j] = memory.fetch_sub_in_batch(kernel.words.missing + child[j].task, 1U);  // HO.R2
          // Loaded together with the count, in case this thread gets the task next.
          child[j].begin = kernel.of.graph.successors.offsets[child[j].task];
          child[j].end = kernel.of.graph.successors.offsets[child[j].task + 1];
        }
        list(child, left);
        mine.begin = mine.end - mine.begin > batch ? mine.begin + batch : mine.end;
      }
      mine.task = none;
    }
    GRIDLOOM_FN void list(located const (&child)[batch], std::uint32_t const (&left)[batch]) {
      std::uint32_t const room =
          static_cast<std::uint32_t>(count_lanes(warp.ballot(ticket == none)));
      std::uint32_t count = 0;
      GRIDLOOM_UNROLL
      for (std::uint32_t j = 0; j < batch; ++j) {
        std::uint32_t const among = warp.ballot(left[j] == 1);
        unwritten[j] = none;
        if (left[j] == 1) {
          unwritten[j] = child[j].task;
          place[j] = count + static_cast<std::uint32_t>(
                                 count_lanes(among & lanes_below(static_cast<int>(rank))));
        }
        count += static_cast<std::uint32_t>(count_lanes(among));
      }
      if (count == 0) return;
      if (rank == 0) base = memory.fetch_add_relaxed(kernel.words.placed, count);  // HO.R2
      // The task with `place` k goes to slot first + k if the warp has no thread for it.
      std::uint32_t first = 0;
      if (num_ready + count > room) {
        std::uint32_t const kept = room > num_ready ? room - num_ready : 0;
        if (rank == 0) first = memory.fetch_add_relaxed(kernel.words.pushed, count - kept);
        first = warp.shuffle(first, 0) - kept;
        // Must come before another warp can take the tasks (HO.R2).
        if (!write()) return;
      }
      GRIDLOOM_UNROLL
      for (std::uint32_t j = 0; j < batch; ++j) {
        if (left[j] != 1) continue;
        if (num_ready + place[j] < room) {
          ready[num_ready + place[j]] = child[j];
        } else {
          // HO.R1
          memory.store_in_batch(kernel.words.surplus + (first + place[j]), child[j].task + 1);
        }
      }
      num_ready = num_ready + count < room ? num_ready + count : room;
    }
    // Writes the tasks of the last list() to their places. Rank 0 knows `base` by now. Returns
    // false in the whole warp if there is no such place. That happens only if successors and
    // predecessors of the graph disagree. Then the warp counts nothing down any more, and the
    // watchdog ends the run.
    [[nodiscard]] GRIDLOOM_FN bool write() {
      std::uint32_t const first = warp.shuffle(base, 0);
      if (first >= kernel.of.graph.num_tasks) return false;
      GRIDLOOM_UNROLL
      for (std::uint32_t j = 0; j < batch; ++j) {
        if (unwritten[j] == none) continue;
        // HO.R1
        memory.store_in_batch(kernel.words.order + (first + place[j]), unwritten[j] + 1);
        unwritten[j] = none;
      }
      return true;
    }
    // Gives tasks to threads: listed tasks to threads without a ticket, and tasks in slots to the
    // others.
    GRIDLOOM_FN void share(std::uint32_t slot) {
      warp.sync();
      std::uint32_t const able = warp.ballot(ticket == none);
      auto const number =
          static_cast<std::uint32_t>(count_lanes(able & lanes_below(static_cast<int>(rank))));
      if (ticket == none && number < num_ready) mine = ready[number];
      if (slot != 0) {
        mine = {slot - 1, kernel.of.graph.successors.offsets[slot - 1],
                kernel.of.graph.successors.offsets[slot]};
        ticket = none;
      }
      std::uint32_t const many = warp.ballot(mine.end - mine.begin > most_alone);
      if (many != 0) split(first_lane(many));
      // Another thread may overwrite the list after this.
      warp.sync();
    }
    // Divides a thread's successors among this thread and those without successors.
    GRIDLOOM_FN void split(int owner) {
      bool const is_owner = rank == static_cast<std::uint32_t>(owner);
      std::uint32_t const able = warp.ballot(is_owner || mine.begin == mine.end);
      located const all{warp.shuffle(mine.task, owner), warp.shuffle(mine.begin, owner),
                        warp.shuffle(mine.end, owner)};
      auto const parts = static_cast<std::uint32_t>(count_lanes(able));
      std::uint32_t const part = (all.end - all.begin + parts - 1) / parts;
      auto const number =
          static_cast<std::uint32_t>(count_lanes(able & lanes_below(static_cast<int>(rank))));
      if ((able >> rank & 1U) == 0) return;
      std::uint32_t const begin = all.begin + number * part;
      mine = {all.task, begin < all.end ? begin : all.end,
              begin + part < all.end ? begin + part : all.end};
    }
  };

 private:
  template <class Warp>
  GRIDLOOM_FN void find_values(Warp const& warp, watch& watcher) const {
    auto const rank = static_cast<std::uint32_t>(warp.thread_rank());
    auto const lanes = static_cast<std::uint32_t>(warp.num_threads());
    direct_memory memory;
    for (;;) {
      std::uint32_t first = 0;
      if (rank == 0) first = memory.fetch_add_relaxed(words.next, lanes);
      first = warp.shuffle(first, 0);
      if (first >= of.graph.num_tasks) return;
      waiting_task mine{of};
      bool empty = first + rank < of.graph.num_tasks;
      for (unsigned attempt = 0; warp.any(empty || mine.waits()); ++attempt) {
        give_way(attempt);
        if (empty) {
          std::uint32_t const task = memory.load_in_batch(words.order + (first + rank));  // HO.R1
          if (task != 0) mine.start(task - 1);
          empty = task == 0;
        }
        if (mine.waits()) mine.look(memory);
        bool const late = watcher.expired(memory);
        if (!warp.any(late)) continue;
        // The warp's first waiting thread writes a note. The last note of a block remains.
        if (rank != static_cast<std::uint32_t>(first_lane(warp.ballot(empty || mine.waits()))))
          return;
        if (empty) watcher.note(wait_kind::ring_slot, first + rank, 0, 1);
        if (mine.waits()) mine.note(watcher);
        return;
      }
    }
  }
};

}  // namespace gridloom::pets
