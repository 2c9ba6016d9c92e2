#pragma once
// The general scheduler (report, I.E: FR4). It has no block of its own; the workers run it. A
// worker that has finished a task decrements the dependency counters of its successors, puts the
// ready ones into queues, and takes the next task. There is one queue per class of priority, the
// bounded ring of common/. A worker continues with one of the tasks that it made ready itself,
// unless a higher class has tasks waiting.
//
// A worker without a ready task reserves one that is not ready yet, the next in level order, and
// waits for its counter. So a task with a reservation needs no queue, and idle workers poll words
// of their own. If a waiting worker finds a task in a queue, it gives its reservation up.
//
// Tasks that conflict use a common resource, and a resource is a lock. A worker tries the locks of
// a task in ascending order. If one lock is taken already, the worker gives back the locks that it
// took. Then it puts the task back into its queue and looks for another one.
//
// Rules, cited in the code. Dependencies:
// DI.R1. A task sees what its predecessors wrote. A block's threads synchronise after the body.
//     Then the block does a batch_fence, and decrements the counters of the successors. The worker
//     that decrements a counter to 0 comes after all others that decremented it, and acquires by
//     the decrement. It does a batch_fence before it queues the task (RS.R2 of ring_slots.hpp). A
//     worker that takes a task out of a queue acquires it (RS.R2), and its block synchronises
//     before the body. A worker acquires the word of its reserved task, too. All changes of the
//     word are atomic updates, so the count-downs before the last one count as well.
// DI.R2. A task is handed on once: counters only fall, so one decrement reaches 0.
// DI.R3. `finished` counts tasks whose bodies have run, so no task is left when the count is
//     complete. A worker adds its tasks before it looks for the end, so the count becomes
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
//     graph has no cycle. Workers that wait look into all queues now and then. They hold no lock
//     and no ready task, and the owner of a reservation sees when its task is ready.
// DI.R10. No overflow. A queue has room for all tasks of its class. No task is in it twice, because
//     of DI.R2, and because a worker that puts a task back has taken it out. So the slot of a
//     ticket is free, or becomes free once the worker that claimed its last value has read the
//     value.
// DI.R11. All workers leave when all tasks are finished (DI.R3), or when the watchdog stops them. A
//     waiting worker checks the watchdog now and then. The kernel checks it for a worker that
//     always has a task.
//
// Reservations and claims:
// DI.R12. A ready task has one taker. Its word holds both the counter and the reservation. If the
//     last decrement finds a reservation, the owner takes the task; otherwise the worker that
//     decremented hands it on. A worker that reserves a task, or gives a reservation up, and finds
//     the counter at 0 comes after the last decrement. It found out for which of both the task is.
// DI.R13. Each task is reserved at most once, because each position of the order is drawn once.
// DI.R14. `waiting` counts a queue's tasks. Claiming decrements it, and a worker that found nothing
//     adds its one again. A worker that found a positive count may take a ticket, because there
//     are as many tasks as such workers. A compare-and-swap on the head would fail for most of
//     some thousand workers.

#include "gridloom/atomic.hpp"
#include "gridloom/group.hpp"
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
  /// Set while a worker has the task reserved.
  static constexpr std::uint32_t reserved = 1U << (class_shift - 1U);
  static constexpr std::uint32_t most_dependences = reserved - 1U;

  GRIDLOOM_FN static std::uint32_t make(std::uint32_t dependences, std::uint32_t priority_class) {
    return priority_class << class_shift | dependences;
  }
  GRIDLOOM_FN static std::uint32_t count(std::uint32_t word) { return word & most_dependences; }
  /// Whether the decrement that found this word made an unreserved task ready.
  GRIDLOOM_FN static bool is_last(std::uint32_t word) {
    return (word & (reserved | most_dependences)) == 1;
  }
  GRIDLOOM_FN static std::uint32_t class_of(std::uint32_t word) { return word >> class_shift; }
};

/// Words of a run, all 0 at its start except `waiting`.
struct dispatch_words {
  /// Number of tasks in each class's queue that no worker has claimed yet. Negative for a moment
  /// while workers claim from an empty queue. A mask of classes has 32 bits.
  alignas(line_bytes) std::uint32_t waiting[32];
  alignas(line_bytes) std::uint32_t finished;
  /// Number of failed tries for locks.
  alignas(line_bytes) std::uint32_t put_backs;
  /// Position in dispatch_ref::order of the next task to reserve.
  alignas(line_bytes) std::uint32_t next_to_reserve;
};

/// What a worker carries from one task to the next. Equal in all threads of its first warp.
struct worker_state {
  int number;
  /// A worker that waits looks into the queues in attempts with these bits 0.
  std::uint32_t look_mask;
  /// Classes whose queues had tasks at the last look.
  std::uint32_t waiting;
  ready_task kept;
  /// Number of tasks to try to reserve at once; 0 if all tasks were tried.
  std::uint32_t stride = 1;
  /// Tasks that `finished` does not count yet, in the first thread. One update per task would slow
  /// down empty tasks.
  std::uint32_t uncounted = 0;
  /// Where the successors of the task from `take` are, and the first one of this thread. If
  /// `has_read`, the worker read them while it waited for the task.
  successor_range successors{};
  std::uint32_t successor = no_task;
  bool has_read = false;
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
  /// All tasks, in an order that keeps the dependences.
  std::uint32_t const* order;

  /// Returns the state of a worker before its first `take`.
  template <class Memory, warp_group Warp>
  GRIDLOOM_FN worker_state start(Memory& memory, Warp const& warp, int worker, int workers) const {
    std::uint32_t mask = 0;
    while (static_cast<int>(mask) * workers_per_look < workers) mask = 2 * mask + 1;
    return {worker, mask, classes_that_wait(memory, warp), {}};
  }

  /// Returns the next task for the worker, with its locks taken; no_task at the end.
  template <class Memory, warp_group Warp, class Watch>
  GRIDLOOM_FN std::uint32_t take(Memory& memory, Warp const& warp, worker_state& own,
                                 Watch& patience) const {
    std::uint32_t blocker = no_task;
    std::uint32_t reserved = no_task;
    own.has_read = false;
    for (unsigned attempt = 0;; ++attempt) {
      // `finish` has looked just before the first attempt.
      bool const looks = attempt != 0 && (attempt & own.look_mask) == 0;
      std::uint32_t word = no_task;
      if (reserved != no_task) word = memory.load_acquire(open + reserved);  // DI.R1
      // Both loads wait at the same time.
      if (looks) own.waiting = classes_that_wait(memory, warp);
      if (reserved != no_task) {
        word = warp.shuffle(word, 0);
        if (open_word::count(word) == 0) {
          // The usual case, in few instructions, because the task's successors wait.
          own.has_read =
              graph.use_offsets == nullptr && !has_higher(own, open_word::class_of(word));
          if (own.has_read) return reserved;
          own.kept = {reserved, open_word::class_of(word)};
          reserved = no_task;
        }
      }
      for (ready_task next; choose(memory, warp, own, next, patience);) {
        if (!next.is_there()) continue;
        if (try_locks(memory, warp, own.number, next.number, blocker)) {
          give_up(memory, warp, reserved, patience);
          put(memory, warp, own.kept, patience);
          own.kept = {};
          return next.number;
        }
        put(memory, warp, next, patience);  // DI.R6
      }
      if (own.uncounted != 0) count_finished(memory, warp, own);
      if (reserved == no_task && own.stride != 0) {
        reserved = reserve(memory, warp, own);
        if (reserved != no_task) {
          own.successors = successors_of(reserved);
          own.successor = first_of(warp, own.successors);
        }
      }
      bool const checks =
          reserved == no_task ? looks : (attempt & (cheap_turns - 1)) == cheap_turns - 1;
      if (checks && warp.any(is_over(memory, warp, blocker, reserved, patience)))
        return no_task;  // DI.R11
      // A worker with a reservation waits for one word. Others leave the memory to them.
      warp.pause(reserved != no_task ? attempt : attempt + idle_pause);
    }
  }

  /// Finds the successors of a task from `take`. The kernel calls it before the body runs, which
  /// hides the latency.
  GRIDLOOM_FN void find_successors(std::uint32_t task, worker_state& own) const {
    if (!own.has_read) own.successors = successors_of(task);
  }

  /// Called after the body of a task from `take` has run and the block has synchronised. Keeps one
  /// of the tasks that became ready for the next `take`.
  template <class Memory, warp_group Warp, class Watch>
  GRIDLOOM_FN void finish(Memory& memory, Warp const& warp, std::uint32_t task, worker_state& own,
                          Watch& patience) const {
    bool const leads = warp.thread_rank() == 0;
    auto const lanes = static_cast<std::uint64_t>(warp.num_threads());
    successor_range const successors = own.successors;
    std::uint64_t e = successors.begin + static_cast<std::uint64_t>(warp.thread_rank());
    // This load and the fence wait at the same time.
    std::uint32_t successor = own.has_read ? own.successor : first_of(warp, successors);
    if (leads) give_back(memory, task, uses_end(task));
    memory.batch_fence();  // DI.R1
    for (std::uint64_t first = successors.begin;;) {
      std::uint32_t before = 0;
      if (successor != no_task)
        before = memory.fetch_sub_acquire_in_batch(open + successor, 1U);  // DI.R1, DI.R2
      // The look and the count-downs wait at the same time.
      if (first == successors.begin) own.waiting = classes_that_wait(memory, warp);
      ready_task next;
      if (successor != no_task && open_word::is_last(before))  // DI.R12
        next = {successor, open_word::class_of(before)};
      hand_on(memory, warp, next, own.kept, patience);
      first += lanes;
      if (first >= successors.end) break;
      e += lanes;
      successor = e < successors.end ? graph.successors[e] : no_task;
    }
    ++own.uncounted;
  }
  /// Adds the tasks that the worker has executed to `finished`.
  template <class Memory, warp_group Warp>
  GRIDLOOM_FN void count_finished(Memory& memory, Warp const& warp, worker_state& own) const {
    if (warp.thread_rank() == 0)
      memory.fetch_add_relaxed(&words->finished, own.uncounted);  // DI.R3
    own.uncounted = 0;
  }

 private:
  GRIDLOOM_FN mpmc_ring_ref queue_of(std::uint32_t priority_class) const {
    std::uint32_t const first = queue_offsets[priority_class];
    return {queue_words + priority_class, slots + first, queue_offsets[priority_class + 1] - first};
  }

  /// Whether the run is over. The first thread decides for all.
  template <class Memory, warp_group Warp, class Watch>
  GRIDLOOM_FN bool is_over(Memory& memory, Warp const& warp, std::uint32_t blocker,
                           std::uint32_t reserved, Watch& patience) const {
    if (warp.thread_rank() != 0) return false;
    std::uint32_t const finished = memory.load_relaxed(&words->finished);
    if (finished == graph.tasks) return true;
    if (blocker != no_task)
      return patience.stop(memory, wait_kind::lock, blocker, finished, graph.tasks);
    if (reserved != no_task)
      return patience.stop(memory, wait_kind::task, reserved, finished, graph.tasks);
    return patience.stop(memory, wait_kind::queue, 0, finished, graph.tasks);
  }

  GRIDLOOM_FN successor_range successors_of(std::uint32_t task) const {
    return {graph.successor_offsets[task], graph.successor_offsets[task + 1]};
  }
  /// The thread's first successor; no_task if there is none.
  template <warp_group Warp>
  GRIDLOOM_FN std::uint32_t first_of(Warp const& warp, successor_range const& successors) const {
    std::uint64_t const e = successors.begin + static_cast<std::uint64_t>(warp.thread_rank());
    return e < successors.end ? graph.successors[e] : no_task;
  }
  /// Whether a queue of a higher class had tasks at the last look.
  GRIDLOOM_FN static bool has_higher(worker_state const& own, std::uint32_t priority_class) {
    return (own.waiting & lanes_below(static_cast<int>(priority_class))) != 0;
  }

  /// Bit c is set if the queue of class c has tasks.
  template <class Memory, warp_group Warp>
  GRIDLOOM_FN std::uint32_t classes_that_wait(Memory& memory, Warp const& warp) const {
    std::uint32_t mask = 0;
    for (std::uint32_t first = 0; first < classes;
         first += static_cast<std::uint32_t>(warp.num_threads())) {
      std::uint32_t const c = first + static_cast<std::uint32_t>(warp.thread_rank());
      mask |= warp.ballot(c < classes && is_positive(memory.load_relaxed(words->waiting + c)))
              << first;
    }
    return mask;
  }
  GRIDLOOM_FN static bool is_positive(std::uint32_t count) {
    return static_cast<std::int32_t>(count) > 0;
  }

  /// Chooses the next task to try: the kept one, or one of the first class that has tasks. `next`
  /// is empty if other workers emptied that class. Returns false if nothing is left to try.
  template <class Memory, warp_group Warp, class Watch>
  GRIDLOOM_FN bool choose(Memory& memory, Warp const& warp, worker_state& own, ready_task& next,
                          Watch& patience) const {
    ready_task& kept = own.kept;
    if (kept.is_there() && !has_higher(own, kept.priority_class)) {
      next = kept;
      kept = {};
      return true;
    }
    if (own.waiting == 0) return false;
    auto const first = static_cast<std::uint32_t>(first_lane(own.waiting));
    own.waiting &= own.waiting - 1U;
    next = {pop(memory, warp, first, patience), first};
    return true;
  }

  /// Takes a task out of the queue of a class; no_task if it is empty.
  template <class Memory, warp_group Warp, class Watch>
  GRIDLOOM_FN std::uint32_t pop(Memory& memory, Warp const& warp, std::uint32_t priority_class,
                                Watch& patience) const {
    std::uint32_t number = no_task;
    if (warp.thread_rank() == 0) {
      std::uint32_t* const count = words->waiting + priority_class;
      if (is_positive(memory.fetch_sub_relaxed(count, 1U))) {  // DI.R14
        mpmc_ring_ref const queue = queue_of(priority_class);
        std::uint32_t const ticket = queue.reserve_pop(memory, 1);
        for (unsigned attempt = 0; !queue.try_take(memory, ticket, number); ++attempt) {  // DI.R1
          number = no_task;
          if (patience.stop(memory, wait_kind::ring_slot, ticket, 0, 1)) break;
          warp.pause(attempt);
        }
      } else {
        memory.fetch_add_relaxed(count, 1U);
      }
    }
    return warp.shuffle(number, 0);
  }

  /// DI.R12. Reserves the next task that is not ready yet; no_task if none was found.
  template <class Memory, warp_group Warp>
  GRIDLOOM_FN std::uint32_t reserve(Memory& memory, Warp const& warp, worker_state& own) const {
    auto const rank = static_cast<std::uint32_t>(warp.thread_rank());
    std::uint32_t at = 0;
    if (rank == 0) at = memory.fetch_add_relaxed(&words->next_to_reserve, own.stride);  // DI.R13
    at = warp.shuffle(at, 0);
    std::uint32_t task = no_task;
    if (rank < own.stride && at + rank < graph.tasks) task = order[at + rank];
    bool const is_open = task != no_task && open_word::count(memory.load_relaxed(open + task)) != 0;
    std::uint32_t const takers = warp.ballot(is_open);
    // Where most tasks have run already, the search gets faster.
    own.stride = takers != 0 ? 1U : static_cast<std::uint32_t>(warp.num_threads());
    if (at >= graph.tasks) own.stride = 0;
    if (takers == 0) return no_task;
    int const taker = first_lane(takers);
    std::uint32_t before = 0;
    if (warp.thread_rank() == taker)
      before = memory.fetch_add_relaxed(open + task, open_word::reserved);  // DI.R12
    task = warp.shuffle(task, taker);
    return open_word::count(warp.shuffle(before, taker)) != 0 ? task : no_task;
  }
  /// DI.R12. Gives up the reservation of a task, if there is one.
  template <class Memory, warp_group Warp, class Watch>
  GRIDLOOM_FN void give_up(Memory& memory, Warp const& warp, std::uint32_t task,
                           Watch& patience) const {
    if (task == no_task) return;
    std::uint32_t before = 0;
    if (warp.thread_rank() == 0)
      before = memory.fetch_sub_in_batch(open + task, open_word::reserved);  // DI.R12
    before = warp.shuffle(before, 0);
    if (open_word::count(before) == 0)
      put(memory, warp, {task, open_word::class_of(before)}, patience);
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
    std::uint32_t const ticket =
        first + static_cast<std::uint32_t>(count_lanes(givers & lanes_below(warp.thread_rank())));
    for (unsigned attempt = 0; has && !queue.try_publish(memory, ticket, number);  // DI.R10
         ++attempt) {
      if (patience.stop(memory, wait_kind::ring_slot, ticket, 0, 1)) return;
      warp.pause(attempt);
    }
    if (warp.thread_rank() == 0) {
      memory.fetch_add_relaxed(words->waiting + priority_class,  // DI.R14
                               static_cast<std::uint32_t>(count_lanes(givers)));
    }
  }

  /// Workers that wait look into the queues less often if there are more of them. So their looks
  /// come some nanoseconds apart. Tried on an H200.
  static constexpr int workers_per_look = 32;
  /// Attempts after which `pause` sleeps.
  static constexpr unsigned idle_pause = 65;
};

static_assert(std::is_trivially_copyable_v<dispatch_ref>);

}  // namespace gridloom::tiled_qr::general
