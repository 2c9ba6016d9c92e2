#pragma once
// The general scheduler (report, I.E: FR4). It has no block of its own; the workers run it. A
// worker that has finished a task decrements the dependency counters of its successors, puts the
// ready ones into queues, and takes the next task. There is one queue per class of priority, the
// bounded ring of common/. A worker continues with one of the tasks that it made ready itself,
// unless a higher class has tasks waiting.
//
// Tasks that conflict use a common resource, and a resource is a lock. A worker tries the locks of
// a task in ascending order. If one lock is taken already, the worker gives back the locks that it
// took. Then it puts the task back into its queue and looks for another one.
//
// Rules, cited in the code. Dependencies:
// DI.R1. A task sees what its predecessors wrote. A block's threads synchronise after the body.
//     Then the block does a batch_fence, and decrements the counters of the successors. The worker
//     that decrements a counter to 0 comes after all others that decremented it. It does a
//     batch_fence before it queues the task (RS.R2 of ring_slots.hpp) or keeps it. A worker that
//     takes a task out of a queue acquires it (RS.R2), and its block synchronises before the body.
// DI.R2. A task is handed on once: counters only fall, so one decrement reaches 0.
// DI.R3. `finished` counts tasks whose bodies have run, so no task is left when the count is
//     complete.
//
// Conflicts:
// DI.R4. A body runs with all locks of its task. A lock is taken by a compare-and-swap from 0, so
//     it has one owner.
// DI.R5. An owner sees what all earlier owners wrote: taking acquires what giving back releases,
//     also if a lock is given back unused. The block synchronises between taking the locks and the
//     body, and between the body and giving them back.
// DI.R6. No deadlock: no worker waits while it has a lock, unless it has all locks of a task and
//     executes it.
// DI.R7. No livelock. A try that fails at lock l found an owner of l. The owner runs its task, or
//     still tries further locks, which are all above l. So it will start its task, or fail at a
//     lock above l, which has an owner, too. Lock numbers are bounded, so at the end of this chain
//     a task runs or starts.
// DI.R8. No starvation: every task runs once, so each task that runs (DI.R7) leaves one task fewer
//     that can take the locks.
//
// Progress:
// DI.R9. While tasks are left, one runs, is in the hands of a worker, or is in a queue, because the
//     graph has no cycle. A worker without a task looks into all queues at each turn.
// DI.R10. No overflow. A queue has room for all tasks of its class. No task is in it twice, because
//     of DI.R2, and because a worker that puts a task back has taken it out. So the slot of a
//     ticket is free, or becomes free once the worker that claimed its last value has read the
//     value.
// DI.R11. All workers leave when all tasks are finished (DI.R3), or when the watchdog stops them. A
//     waiting worker checks the watchdog now and then. The kernel checks it for a worker that
//     always has a task.

#include "gridloom/collectives.hpp"
#include "gridloom/queue/mpmc_ring.hpp"
#include "gridloom/watchdog.hpp"
#include "tiled_qr/general/task_view.hpp"

namespace gridloom::tiled_qr::general {

/// A task that waits for a worker, or no task.
struct ready_task {
  std::uint32_t number = no_task;
  std::uint32_t priority_class = 0;

  GRIDLOOM_FN bool is_there() const { return number != no_task; }
};

/// The range of a task's entries in graph_ref::successors.
struct successor_range {
  std::uint64_t begin;
  std::uint64_t end;
};

/// The word of a task. Its lower bits count the predecessors that the task waits for; its upper
/// bits hold the task's class.
struct open_word {
  static constexpr std::uint32_t class_shift = 27;
  static constexpr std::uint32_t most_dependences = (1U << class_shift) - 1U;

  GRIDLOOM_FN static std::uint32_t make(std::uint32_t dependences, std::uint32_t priority_class) {
    return priority_class << class_shift | dependences;
  }
  GRIDLOOM_FN static std::uint32_t count(std::uint32_t word) { return word & most_dependences; }
  GRIDLOOM_FN static std::uint32_t class_of(std::uint32_t word) { return word >> class_shift; }
};

/// Words of a run, all 0 at its start.
struct dispatch_words {
  alignas(line_bytes) std::uint32_t finished;
  /// Number of failed tries for locks.
  alignas(line_bytes) std::uint32_t put_backs;
};

/// A view of a run's state. All threads of the first warp of each worker call its members together.
struct dispatch_ref {
  graph_ref graph;
  std::uint32_t classes;
  dispatch_words* words;
  /// One queue per class.
  mpmc_ring_words* queue_words;
  /// Array of classes + 1 offsets, at which the slots of each class begin. The number of slots of a
  /// class is a power of two.
  std::uint32_t const* queue_offsets;
  mpmc_ring_ref::slot* slots;
  /// One word per task, see open_word.
  std::uint32_t* open;
  /// One word per resource: 0 if it is free, otherwise 1 + the worker that holds it.
  std::uint32_t* locks;

  /// Returns the next task for `worker`, with its locks taken; no_task at the end. `kept` is the
  /// result of the same worker's last `finish`.
  template <class Memory, warp_group Warp, class Watch>
  GRIDLOOM_FN std::uint32_t take(Memory& memory, Warp const& warp, int worker, ready_task kept,
                                 Watch& patience) const {
    std::uint32_t blocker = no_task;
    for (unsigned attempt = 0;; ++attempt) {
      // A worker that has a task does not check for the end of the run, which saves short tasks the
      // latency of the loads.
      bool const ends = !kept.is_there() && is_over(memory, warp, attempt, blocker, patience);
      std::uint32_t waiting = classes_that_wait(memory, warp);
      if (warp.any(ends)) return no_task;  // DI.R11
      for (ready_task next; choose(memory, warp, waiting, kept, next, patience);) {
        if (!next.is_there()) continue;
        if (try_locks(memory, warp, worker, next.number, blocker)) {
          put(memory, warp, kept, patience);
          return next.number;
        }
        put(memory, warp, next, patience);  // DI.R6
      }
      warp.pause(attempt);
    }
  }

  /// Returns where a task's successors are. The kernel calls it before the body runs, which hides
  /// the latency.
  GRIDLOOM_FN successor_range successors_of(std::uint32_t task) const {
    return {graph.successor_offsets[task], graph.successor_offsets[task + 1]};
  }

  /// Called after the body of a task from `take` has run and the block has synchronised. Returns
  /// one of the tasks that became ready, for the next `take`.
  template <class Memory, warp_group Warp, class Watch>
  GRIDLOOM_FN ready_task finish(Memory& memory, Warp const& warp, std::uint32_t task,
                                successor_range successors, Watch& patience) const {
    bool const leads = warp.thread_rank() == 0;
    if (leads) give_back(memory, task, uses_end(task));
    memory.batch_fence();  // DI.R1
    ready_task kept;
    auto const lanes = static_cast<std::uint64_t>(warp.num_threads());
    for (std::uint64_t first = successors.begin; first < successors.end; first += lanes) {
      std::uint64_t const e = first + static_cast<std::uint64_t>(warp.thread_rank());
      ready_task next;
      if (e < successors.end) {
        std::uint32_t const successor = graph.successors[e];
        std::uint32_t const before =
            memory.fetch_sub_in_batch(open + successor, 1U);  // DI.R1, DI.R2
        if (open_word::count(before) == 1) next = {successor, open_word::class_of(before)};
      }
      hand_on(memory, warp, next, kept, patience);
    }
    if (leads) memory.fetch_add_relaxed(&words->finished, 1U);  // DI.R3
    return kept;
  }

 private:
  GRIDLOOM_FN mpmc_ring_ref queue_of(std::uint32_t priority_class) const {
    std::uint32_t const first = queue_offsets[priority_class];
    return {queue_words + priority_class, slots + first, queue_offsets[priority_class + 1] - first};
  }

  /// Whether the run is over. The first thread decides for all.
  template <class Memory, warp_group Warp, class Watch>
  GRIDLOOM_FN bool is_over(Memory& memory, Warp const& warp, unsigned attempt,
                           std::uint32_t blocker, Watch& patience) const {
    if (warp.thread_rank() != 0) return false;
    std::uint32_t const finished = memory.load_relaxed(&words->finished);
    bool ends = finished == graph.tasks;
    if ((attempt & (cheap_turns - 1)) == 0) {
      bool const locked = blocker != no_task;
      ends |= patience.stop(memory, locked ? wait_kind::lock : wait_kind::queue,
                            locked ? blocker : 0, finished, graph.tasks);
    }
    return ends;
  }

  struct or_of {
    GRIDLOOM_FN std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const { return a | b; }
  };
  /// Bit c is set if the queue of class c has tasks.
  template <class Memory, warp_group Warp>
  GRIDLOOM_FN std::uint32_t classes_that_wait(Memory& memory, Warp const& warp) const {
    std::uint32_t mine = 0;
    for (auto c = static_cast<std::uint32_t>(warp.thread_rank()); c < classes;
         c += static_cast<std::uint32_t>(warp.num_threads())) {
      if (queue_of(c).backlog(memory) > 0) mine |= 1U << c;
    }
    collective_scratch<std::uint32_t, 1> unused;
    return reduce(warp, unused, mine, or_of{});
  }

  /// Chooses the next task to try: the kept one, or one of the first class that has tasks. `next`
  /// is empty if other workers emptied that class. Returns false if nothing is left to try.
  template <class Memory, warp_group Warp, class Watch>
  GRIDLOOM_FN bool choose(Memory& memory, Warp const& warp, std::uint32_t& waiting,
                          ready_task& kept, ready_task& next, Watch& patience) const {
    if (kept.is_there() && (waiting & lanes_below(static_cast<int>(kept.priority_class))) == 0) {
      next = kept;
      kept = {};
      return true;
    }
    if (waiting == 0) return false;
    auto const first = static_cast<std::uint32_t>(first_lane(waiting));
    waiting &= waiting - 1U;
    std::uint32_t number = no_task;
    bool const got = queue_of(first).try_pop(memory, warp, warp.thread_rank() == 0, number,
                                             patience);  // DI.R1
    number = warp.shuffle(got ? number : no_task, 0);
    next = {number, first};
    return true;
  }

  /// DI.R4. Takes all locks of a task, or none. If a lock is taken already, `blocker` is its
  /// resource.
  template <class Memory, warp_group Warp>
  GRIDLOOM_FN bool try_locks(Memory& memory, Warp const& warp, int worker, std::uint32_t task,
                             std::uint32_t& blocker) const {
    if (graph.use_offsets == nullptr) return true;
    std::uint32_t failed = no_task;
    if (warp.thread_rank() == 0) {
      std::uint64_t const end = uses_end(task);
      for (std::uint64_t u = graph.use_offsets[task]; u < end && failed == no_task; ++u) {  // DI.R7
        // DI.R4, DI.R5
        if (memory.compare_exchange_acquire(locks + graph.uses[u], 0U,
                                            1U + static_cast<std::uint32_t>(worker)))
          continue;
        failed = graph.uses[u];
        give_back(memory, task, u);  // DI.R6
        memory.fetch_add_relaxed(&words->put_backs, 1U);
      }
    }
    failed = warp.shuffle(failed, 0);
    if (failed != no_task) blocker = failed;
    return failed == no_task;
  }
  GRIDLOOM_FN std::uint64_t uses_end(std::uint32_t task) const {
    return graph.use_offsets == nullptr ? 0 : graph.use_offsets[task + 1];
  }
  /// Gives back those locks of a task that stand before `end` in `graph.uses`. Called by one
  /// thread.
  template <class Memory>
  GRIDLOOM_FN void give_back(Memory& memory, std::uint32_t task, std::uint64_t end) const {
    if (graph.use_offsets == nullptr) return;
    for (std::uint64_t u = graph.use_offsets[task]; u < end; ++u)
      memory.store_release(locks + graph.uses[u], 0U);  // DI.R5
  }

  /// Puts each thread's task into the queue of its class, except one task of the highest class,
  /// which becomes `kept`.
  template <class Memory, warp_group Warp, class Watch>
  GRIDLOOM_FN void hand_on(Memory& memory, Warp const& warp, ready_task next, ready_task& kept,
                           Watch& patience) const {
    for (;;) {
      std::uint32_t const givers = warp.ballot(next.is_there());
      if (givers == 0) return;
      int const giver = first_lane(givers);
      ready_task const one{warp.shuffle(next.number, giver),
                           warp.shuffle(next.priority_class, giver)};
      if (!kept.is_there() || one.priority_class < kept.priority_class) {
        // The former `kept` task, of a lower class or none, goes to its queue instead.
        memory.batch_fence();  // DI.R1
        if (warp.thread_rank() == giver) next = kept;
        kept = one;
        continue;
      }
      bool const mine = next.is_there() && next.priority_class == one.priority_class;
      put_all(memory, warp, mine, next.number, one.priority_class, patience);
      if (mine) next = {};
    }
  }
  template <class Memory, warp_group Warp, class Watch>
  GRIDLOOM_FN void put(Memory& memory, Warp const& warp, ready_task task, Watch& patience) const {
    if (!task.is_there()) return;
    put_all(memory, warp, warp.thread_rank() == 0, task.number, task.priority_class, patience);
  }
  /// Puts the tasks of those threads that have one into the queue of their class.
  template <class Memory, warp_group Warp, class Watch>
  GRIDLOOM_FN void put_all(Memory& memory, Warp const& warp, bool has, std::uint32_t number,
                           std::uint32_t priority_class, Watch& patience) const {
    mpmc_ring_ref const queue = queue_of(priority_class);
    memory.batch_fence();  // DI.R1
    std::uint32_t const givers = warp.ballot(has);
    std::uint32_t first = 0;
    if (warp.thread_rank() == 0)
      first = queue.reserve_push(memory, static_cast<std::uint32_t>(count_lanes(givers)));
    first = warp.shuffle(first, 0);
    if (!has) return;
    std::uint32_t const ticket =
        first + static_cast<std::uint32_t>(count_lanes(givers & lanes_below(warp.thread_rank())));
    for (unsigned attempt = 0; !queue.try_publish(memory, ticket, number); ++attempt) {  // DI.R10
      if (patience.stop(memory, wait_kind::ring_slot, ticket, 0, 1)) return;
      warp.pause(attempt);
    }
  }
};

static_assert(std::is_trivially_copyable_v<dispatch_ref>);

}  // namespace gridloom::tiled_qr::general
