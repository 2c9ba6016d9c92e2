#pragma once
// Ticket queue: our dynamic scheduler for any task graph. A warp works on up to 32 tasks at once,
// one task per lane.
//
// - A lane that releases successors continues with one of them, without a queue.
// - A shuffle passes a further released task to an idle lane of the same warp, without memory.
// - Only tasks that find no lane in the warp go through the queue, a bounded ring
//   (queue/mpmc_ring.hpp). One atomic operation reserves room for up to 32 tasks.
// - A warp with an idle lane holds a ticket of the ring and polls the slot of that ticket. So
//   waiting warps do not contend for one word. It takes more tickets only if tasks wait.
// - While a warp holds a ticket, all its lanes may get tasks from the warp itself. If the ticket's
//   task arrives then, the warp pushes it into the queue again, at most once per ticket.
// - If the ring has no room, a released task is parked: its counter is marked, and idle warps
//   search the counters. Tasks without dependencies start parked. So a ring of any size loses no
//   task.
// - For a graph in memory, a lane loads its task's successors before the task's fence. So they have
//   arrived when the task is done. The graph does not change, so these loads need no order.
//
// Rules of order, cited where they are served. Fences order the accesses of all lanes together:
// TQ.R1. A count-down releases the task's results: one batch_fence precedes a warp's count-downs.
// TQ.R2. The warp that brings a counter to zero sees the results of all predecessors: one
//     batch_fence follows the count-downs, before the next tasks run. Then the warp meets, because
//     lanes run tasks that other lanes released.
// TQ.R3. A task that leaves the warp carries along what its warp sees. One batch_fence precedes its
//     publication in the ring (rule RS.R2 of ring_slots.hpp), and TQ.R2 makes the results visible
//     to the warp that takes it. For a parked task, parking releases its counter and finding it
//     acquires the counter.
// TQ.R4. The lanes of a warp share the count-downs of a hub, a task with many successors. They see
//     its results first: the warp meets, and a batch_fence follows.
// If tasks exchange nothing through memory, `--fences one` omits TQ.R1, TQ.R3 and TQ.R4. That is a
// separate arm, not the default.
//
// TQ.R5. Termination: `finished` counts executed tasks. A warp adds its own count when it has no
//     task left, and leaves when `finished` reaches the number of tasks. A warp that holds a task
//     has not added its count, so no task is left then.
// TQ.R6. Progress: the holder of a ticket polls it in every round, also while it waits for a slot
//     to publish in. So producers cannot wait for each other in a circle.

#include <type_traits>

#include "gridloom/queue/mpmc_ring.hpp"
#include "gridloom/taskgraph/task_body.hpp"
#include "wavefront/ours/packed_dag.hpp"
#include "wavefront/support/scheduler_words.hpp"

namespace gridloom::wavefront {

/// The data that all workers of a ticket queue share.
template <task_graph Graph>
struct ticket_queue_ref {
  Graph graph;
  /// Array of the number of open dependencies of each task; `parked_mark` while the task is parked.
  std::uint32_t* dependencies;
  mpmc_ring_ref ring;
  /// Whether the ring has room for all tasks that can be ready at once.
  bool ring_holds_all;
  /// If the ring has no room for all: number of slots kept free for pushes under way.
  std::uint32_t slack;
  scheduler_words* words;
  /// Whether tasks may exchange data through memory.
  bool orders_memory;
};

/// Number of count-downs that a lane issues together. In a lattice, three are enough.
template <class Graph>
constexpr std::uint32_t most_at_once() {
  return std::is_same_v<Graph, lattice> ? 3 : 4;
}

/// The data that a lane loads before the list of successors; none for a lattice.
template <class Graph>
struct row_of_graph {
  using type = typename Graph::row;
};
template <>
struct row_of_graph<lattice> {
  struct type {};
};
template <class Graph>
using row_of = typename row_of_graph<Graph>::type;

/// One scheduling group: a warp whose lanes run one task each, or a single thread. All threads of
/// the group call its members together.
template <task_graph Graph, class Probe, warp_group Group>
class ticket_worker {
 public:
  GRIDLOOM_FN ticket_worker(ticket_queue_ref<Graph> const& shared, Group group, Probe& probe,
                            watch& patience, bool orders_memory)
      : shared_(shared),
        group_(group),
        probe_(probe),
        patience_(patience),
        orders_memory_(orders_memory) {
    forget_successors();
  }

  /// This thread's task; `none` if it has none in this round.
  GRIDLOOM_FN std::uint32_t task() const { return task_; }

  /// Releases the successors of the tasks just executed, and waits until at least one thread of the
  /// group has a next task. Returns false when all tasks are done, or when the watchdog stops the
  /// run.
  GRIDLOOM_FN bool advance() {
    bool idle = working_ == 0;
    unfinished_report_ += static_cast<std::uint32_t>(count_lanes(working_));
    if (!idle && orders_memory_) probe_.batch_fence();  // TQ.R1
    for (unsigned attempt = 0;; ++attempt) {
      round(idle);
      if (working_ != 0) {
        if constexpr (in_memory) ask_for_successors();
        probe_.batch_fence();  // TQ.R2
        group_.sync();         // TQ.R2
        if constexpr (in_memory) take_successors();
        return !stopped();
      }
      if (all_done(idle) || stopped()) return false;
      idle = true;
      group_.pause(attempt);
    }
  }

 private:
  /// Number of successors that a lane counts down at once.
  static constexpr std::uint32_t narrow = most_at_once<Graph>();
  /// A task with more successors is a hub: the whole group counts its successors down.
  static constexpr std::uint32_t most_alone = 32;
  /// Whether successors are loaded from memory. Otherwise they are computed when they are needed.
  static constexpr bool in_memory = !std::is_same_v<Graph, lattice>;
  using successor_list = decltype(Graph{}.successors(0));

  GRIDLOOM_FN bool leader() const { return group_.thread_rank() == 0; }

  /// One scheduling round takes one trip to memory: all accesses precede the use of results.
  GRIDLOOM_FN void round(bool idle) {
    if constexpr (!in_memory) {
      list_ = task_ != no_task ? shared_.graph.successors(task_) : successor_list{};
      take_first();
    }
    successor_list const to = list_;
    std::uint32_t const degree = to.size();
    bool const hub = degree > most_alone;
    std::uint32_t before[narrow];
    if (hub) forget_successors();
    count_down(first_, before);
    ask_ahead(first_);
    news const seen = look_around(idle);

    std::uint32_t const current = task_;
    std::uint32_t spare[narrow];
    task_ = no_task;
    sort_out(first_, before, spare);
    if constexpr (in_memory) forget_successors();
    bool const eventful = degree > narrow || task_ == no_task || spare[0] != no_task;
    // The usual case of a busy warp: every lane continues with its own task.
    if (!waiting_ && !group_.any(eventful)) {
      hungry_ = false;
      return;
    }
    give_all(spare);
    if (group_.any(degree > narrow)) {
      for (std::uint32_t base = narrow; group_.any(base < degree && !hub); base += narrow) {
        std::uint32_t more[narrow];
        for (std::uint32_t k = 0; k < narrow; ++k)
          more[k] = base + k < degree && !hub ? to[base + k] : no_task;
        count_down(more, before);
        sort_out(more, before, spare);
        give_all(spare);
      }
      if (group_.any(hub)) expand_hubs(hub, current);
    }
    receive(seen);
    if (idle) {
      seen_finished_ = group_.shuffle(seen.finished, 0);
      if (group_.shuffle(seen.parked, 0) != 0) search_parked();
    }
    claim(seen.backlog);
    working_ = group_.ballot(task_ != no_task);
  }

  /// Makes the first of two trips to memory for the successors, or the only one if they are packed.
  GRIDLOOM_FN void ask_for_successors() {
    if (task_ != no_task) row_ = shared_.graph.successor_row(task_);
  }
  GRIDLOOM_FN void take_successors() {
    list_ = task_ != no_task ? shared_.graph.successors_in(row_, task_) : successor_list{};
    take_first();
  }
  GRIDLOOM_FN void take_first() {
    GRIDLOOM_UNROLL
    for (std::uint32_t k = 0; k < narrow; ++k) first_[k] = k < list_.size() ? list_[k] : no_task;
  }
  GRIDLOOM_FN void forget_successors() {
    list_ = successor_list{};
    GRIDLOOM_UNROLL
    for (std::uint32_t k = 0; k < narrow; ++k) first_[k] = no_task;
  }
  /// Prefetches the data of tasks that may become this thread's next task.
  GRIDLOOM_FN void ask_ahead(std::uint32_t const (&to)[narrow]) const {
    if constexpr (std::is_same_v<Graph, packed_dag>) {
      GRIDLOOM_UNROLL
      for (std::uint32_t k = 0; k < narrow; ++k) {
        if (to[k] != no_task) shared_.graph.ask_ahead(to[k]);
      }
    }
  }

  /// Counts the tasks in `to` down. `before` gets the previous value of each counter, or 0 for an
  /// unused entry. The first successor is counted down last, because the lane keeps it.
  GRIDLOOM_FN void count_down(std::uint32_t const (&to)[narrow], std::uint32_t (&before)[narrow]) {
    GRIDLOOM_UNROLL
    for (std::uint32_t k = narrow; k-- > 0;) {
      before[k] = 0;
      if (to[k] != no_task) before[k] = probe_.fetch_sub_in_batch(shared_.dependencies + to[k], 1U);
    }
  }
  /// Keeps one of the successors just released as this thread's task, and puts the others into the
  /// first entries of `spare`.
  GRIDLOOM_FN void sort_out(std::uint32_t const (&to)[narrow],
                            std::uint32_t const (&before)[narrow], std::uint32_t (&spare)[narrow]) {
    for (auto& s : spare) s = no_task;
    GRIDLOOM_UNROLL
    for (std::uint32_t k = narrow; k-- > 0;) {
      if (before[k] != 1) continue;
      if (task_ != no_task) {
        for (std::uint32_t s = narrow; s-- > 1;) spare[s] = spare[s - 1];
        spare[0] = task_;
      }
      task_ = to[k];
    }
  }
  GRIDLOOM_FN void give_all(std::uint32_t const (&spare)[narrow]) {
    for (std::uint32_t s = 0; s < narrow; ++s) {
      if (!group_.any(spare[s] != no_task)) return;
      give(spare[s]);
    }
  }

  /// The data that a round reads in addition to the counters. Only lane 0 has the last three.
  struct news {
    std::uint32_t arrived = no_task;
    std::int32_t backlog = 0;
    std::uint32_t finished = 0;
    std::uint32_t parked = 0;
  };
  GRIDLOOM_FN news look_around(bool idle) {
    news seen;
    if (holds_ticket_ && !shared_.ring.look(probe_, ticket_, seen.arrived)) seen.arrived = no_task;
    if (hungry_ && leader()) seen.backlog = shared_.ring.backlog(probe_);
    if (idle && leader()) {
      seen.finished = probe_.load_relaxed(&shared_.words->finished);
      seen.parked = probe_.load_relaxed(&shared_.words->parked);
    }
    return seen;
  }

  /// Takes the tasks that have arrived for the group's tickets.
  GRIDLOOM_FN void receive(news const& seen) {
    if (!waiting_) return;
    std::uint32_t arrived = arrived_;
    arrived_ = no_task;
    if (holds_ticket_ && seen.arrived != no_task) {
      arrived = seen.arrived;
      shared_.ring.free(probe_, ticket_, arrived);
      holds_ticket_ = false;
    }
    if (!group_.any(arrived != no_task)) return;
    if (task_ == no_task) {
      task_ = arrived;
      arrived = no_task;
    }
    give(arrived);
    waiting_ = group_.any(holds_ticket_ || arrived_ != no_task);
  }

  /// The whole group counts down the successors of its hubs, one hub after the other.
  GRIDLOOM_FN void expand_hubs(bool hub, std::uint32_t current) {
    if (orders_memory_) {  // TQ.R4
      group_.sync();
      probe_.batch_fence();
    }
    for (std::uint32_t hubs = group_.ballot(hub); hubs != 0; hubs &= hubs - 1) {
      auto const to = shared_.graph.successors(group_.shuffle(current, first_lane(hubs)));
      auto const width = static_cast<std::uint32_t>(group_.num_threads());
      for (std::uint32_t base = 0; base < to.size(); base += width) {
        std::uint32_t const k = base + static_cast<std::uint32_t>(group_.thread_rank());
        std::uint32_t released = no_task;
        if (k < to.size()) {
          std::uint32_t const successor = to[k];
          if (probe_.fetch_sub_in_batch(shared_.dependencies + successor, 1U) == 1)
            released = successor;
        }
        if (released != no_task && task_ == no_task) {
          task_ = released;
          released = no_task;
        }
        give(released);
      }
    }
  }

  /// Moves each thread's item, if it has one, to an idle lane, or else to the queue.
  GRIDLOOM_FN void give(std::uint32_t item) {
    std::uint32_t givers = group_.ballot(item != no_task);
    std::uint32_t takers = group_.ballot(task_ == no_task);
    while (givers != 0 && takers != 0) {
      int const from = first_lane(givers);
      int const to = first_lane(takers);
      std::uint32_t const passed = group_.shuffle(item, from);
      if (group_.thread_rank() == to) task_ = passed;
      if (group_.thread_rank() == from) item = no_task;
      givers &= givers - 1;
      takers &= takers - 1;
    }
    if (givers != 0) push(item, givers);
  }

  GRIDLOOM_FN void push(std::uint32_t item, std::uint32_t givers) {
    if (orders_memory_) probe_.batch_fence();  // TQ.R3
    int const n = count_lanes(givers);
    if (!shared_.ring_holds_all) {
      bool room = false;
      if (leader()) {
        std::int64_t const taken = shared_.ring.backlog(probe_);
        room = taken + n + shared_.slack <= shared_.ring.capacity;
      }
      if (!group_.any(room)) {
        park(item);
        return;
      }
    }
    std::uint32_t first = 0;
    if (leader()) first = shared_.ring.reserve_push(probe_, static_cast<std::uint32_t>(n));
    first = group_.shuffle(first, 0);
    std::uint32_t const ticket =
        first + static_cast<std::uint32_t>(count_lanes(givers & lanes_below(group_.thread_rank())));
    bool pending = item != no_task && !shared_.ring.try_publish(probe_, ticket, item);
    for (unsigned attempt = 0; group_.any(pending); ++attempt) {
      // TQ.R6: the thread that must empty the slot may itself wait for this thread to take its
      // ticket, even in the same warp.
      if (holds_ticket_ && shared_.ring.try_take(probe_, ticket_, arrived_)) holds_ticket_ = false;
      if (pending && shared_.ring.try_publish(probe_, ticket, item)) pending = false;
      if (patience_.due()) {
        bool const stop = leader() && patience_.out_of_time(probe_);
        if (stop) patience_.note(wait_kind::ring_slot, first, 0, static_cast<std::uint64_t>(n));
        if (group_.any(stop)) return;
      }
      group_.pause(attempt);
    }
  }

  GRIDLOOM_FN void park(std::uint32_t item) {
    if (item == no_task) return;
    probe_.store_release(shared_.dependencies + item, parked_mark);  // TQ.R3
    probe_.fetch_add_acq_rel(&shared_.words->parked, 1U);
  }

  /// Searches the next counters for parked tasks, one counter per thread, until a thread finds one.
  GRIDLOOM_FN void search_parked() {
    auto const width = static_cast<std::uint32_t>(group_.num_threads());
    std::uint32_t const n = shared_.graph.tasks();
    for (int k = 0; k < 8 && !group_.any(task_ != no_task); ++k) {
      std::uint32_t start = 0;
      if (leader()) start = probe_.fetch_add_relaxed(&shared_.words->cursor, width);
      start = group_.shuffle(start, 0);
      std::uint32_t const i = (start + static_cast<std::uint32_t>(group_.thread_rank())) % n;
      if (probe_.load_relaxed(shared_.dependencies + i) == parked_mark &&
          probe_.compare_exchange_acquire(shared_.dependencies + i, parked_mark, 0U)) {  // TQ.R3
        probe_.fetch_sub_relaxed(&shared_.words->parked, 1U);
        task_ = i;
      }
    }
  }

  /// Takes tickets for idle threads: at least one per group, and more if tasks are waiting.
  GRIDLOOM_FN void claim(std::int32_t backlog) {
    hungry_ = group_.any(task_ == no_task);
    if (!hungry_) return;
    std::uint32_t const free =
        group_.ballot(task_ == no_task && !holds_ticket_ && arrived_ == no_task);
    backlog = group_.shuffle(backlog, 0);
    int wanted = waiting_ ? 0 : 1;
    if (backlog > wanted) wanted = backlog;
    if (wanted > count_lanes(free)) wanted = count_lanes(free);
    if (wanted == 0) return;
    waiting_ = true;
    std::uint32_t first = 0;
    if (leader()) first = shared_.ring.reserve_pop(probe_, static_cast<std::uint32_t>(wanted));
    first = group_.shuffle(first, 0);
    int const rank = count_lanes(free & lanes_below(group_.thread_rank()));
    if ((free >> group_.thread_rank() & 1U) != 0 && rank < wanted) {
      holds_ticket_ = true;
      ticket_ = first + static_cast<std::uint32_t>(rank);
    }
  }

  /// Reports how many tasks this group has executed. Returns true once all tasks are counted.
  GRIDLOOM_FN bool all_done(bool idle) {
    if (unfinished_report_ != 0) {
      if (leader())
        probe_.fetch_add_relaxed(&shared_.words->finished, unfinished_report_);  // TQ.R5
      unfinished_report_ = 0;
      return false;
    }
    return idle && seen_finished_ == shared_.graph.tasks();
  }

  GRIDLOOM_FN bool stopped() {
    if (!patience_.due()) return false;
    bool const stop = leader() && patience_.out_of_time(probe_);
    if (stop) {
      auto const kind = working_ != 0 ? wait_kind::own_work : wait_kind::queue;
      // The queue has number 0, because there is only one.
      patience_.note(kind, 0, seen_finished_, shared_.graph.tasks());
    }
    return group_.any(stop);
  }

  ticket_queue_ref<Graph> const& shared_;
  Group group_;
  Probe& probe_;
  watch& patience_;
  bool orders_memory_;
  // Equal in all threads of the group:
  /// Mask of the threads that have a task.
  std::uint32_t working_ = 0;
  /// Whether a thread had no task in the last round.
  bool hungry_ = true;
  /// Whether a thread holds a ticket, or a task that arrived while it waited to publish.
  bool waiting_ = false;
  std::uint32_t unfinished_report_ = 0;
  std::uint32_t seen_finished_ = 0;
  // Different in each thread:
  bool holds_ticket_ = false;
  std::uint32_t ticket_ = 0;
  std::uint32_t task_ = no_task;
  /// A task taken from the ring while waiting to publish.
  std::uint32_t arrived_ = no_task;
  /// Result of `ask_for_successors`.
  row_of<Graph> row_{};
  /// All successors of the task.
  successor_list list_{};
  /// The first successors.
  std::uint32_t first_[narrow];
};

}  // namespace gridloom::wavefront
