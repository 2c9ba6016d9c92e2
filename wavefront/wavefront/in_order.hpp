#pragma once
// Tasks in order: a scheduler for any task graph without a queue, a counter of dependencies, or a
// reset between runs.
//
// The tasks stand in an order in which each comes after its predecessors (task_order.hpp). Warps take
// them from its beginning in rounds, a task a lane: round after round by turns (`in_order`), or the
// next round by an atomic addition (`in_order_ticket`). A lane looks at the words of its task's
// predecessors until all are there, runs the task, and writes the task's word; a warp goes on when
// its lanes are done. Results travel in the words.
//
// - A lane never waits by itself: the warp goes round all its lanes' tasks, one look each. So the
//   tasks of a warp may depend on each other.
// - Warps that are ahead wait for what others still do, and their looks cost these time. Few warps
//   are better than all that fit (in_order_threads in apps/wavefront/plan.cpp).
// - By turns, a warp knows its next round. While it waits it reads that one's edges, two trips to
//   memory, one after the other. So warps need not be far ahead.
// - A host worker is a warp of one thread, which holds a round's 32 tasks itself.
//
// Rules of order, cited where they are served:
// R1. A word holds a result and the number of the run in one slot (tagged.hpp). Each task's word is
//     written once a run, by who ran the task. A task on a lane reads nothing else behind a word, so
//     no fence is needed.
// R2. No run has the number of a run before: words of those count as not written. The launches of
//     two runs do not overlap.
//
// R3. Progress. Let p be the smallest position whose task is not done.
//     a. All predecessors of p have smaller positions, so they are done, and their words are written.
//     b. Each warp takes its rounds in rising order, and goes to its next one only when all tasks of
//        the one before are done. A round holds a stretch of positions.
//     c. By turns: p's round belongs to a warp, which exists, because all warps are resident. Its
//        rounds before that one hold positions below p only, so it has left them and is at p.
//     d. By tickets: if p's round has been drawn, its warp is at it as in c. If not, all rounds drawn
//        so far hold positions below p only; they are done, so their warps leave them and draw on,
//        until one has p's round.
//     e. A turn of a warp is one look for each of its tasks, at a batch of words; then it runs the
//        tasks that have all of theirs. It waits for nothing in between. So the warp at p has seen
//        p's predecessors after a few turns, and p gets done.
// R4. End: a warp leaves when the rounds are over, or when the watchdog says so; it asks in every
//     turn.
// R5. A task on a block leaves its results in memory. The block meets, and its first thread puts a
//     fence before the word; that of the successor's block puts one behind the last of the words,
//     and the block meets. For R3 such a block is a warp of one lane.

#include <concepts>
#include <utility>

#include "gridloom/group.hpp"
#include "gridloom/sparse/synthetic_task.hpp"
#include "gridloom/watchdog.hpp"
#include "wavefront/task_order.hpp"

namespace gridloom::wavefront {

/// What all workers share.
template <task_order Order>
struct in_order_ref {
  Order order;
  /// One a position. Tag: the run.
  tagged<std::uint32_t>* words;
  /// Of this run; no word has it before.
  std::uint32_t run;
  /// The next round, 0 at the start of a run; null: by turns.
  std::uint32_t* next_round;
  /// By turns: whether a warp that waits asks for the edges of its next round.
  bool looks_ahead;
};

/// Tasks that a thread holds at once: a warp's round has 32, or one a lane where it has fewer lanes
/// on a GPU.
template <class Warp>
inline constexpr int tasks_of_lane = std::same_as<Warp, thread_of_one> ? 32 : 1;

/// One warp. Members are collective.
template <task_order Order, class Probe, warp_group Warp, int TasksOfLane = tasks_of_lane<Warp>>
class in_order_worker {
 public:
  GRIDLOOM_FN in_order_worker(in_order_ref<Order> const& shared, Warp warp, Probe& probe,
                              watch& patience)
      : shared_(shared), warp_(warp), probe_(probe), patience_(patience) {}

  /// Runs this warp's tasks. `finish(task, result)` is what is left to do of a task once its
  /// predecessors' results are known; it returns the task's own.
  template <class Finish>
  GRIDLOOM_FN void run(Finish const& finish) {
    auto const size = static_cast<std::uint32_t>(warp_.num_threads() * TasksOfLane);
    std::uint32_t const rounds = (shared_.order.tasks() + size - 1) / size;
    std::uint32_t round = first_round();
    while (round < rounds) {  // R3, R4
      take(round * size);
      unsigned attempt = 0;
      for (bool open = true; open;) {
        std::uint32_t const before = executed_;
        bool mine = false;
        for (held& task : held_) {
          if (task.waits && look(task)) {
            probe_.begin(task.at.task);
            std::uint32_t const own = finish(task.at.task, task.result);
            probe_.end(task.at.task);
            publish(task, own);
          }
          mine |= task.waits;
          if (stopped()) return;  // R4
        }
        open = warp_.any(mine);
        if (!open) break;
        look_ahead(round * size);
        attempt = executed_ == before ? attempt + 1 : 0;
        give_way(attempt);
      }
      round = next_round(round);
    }
  }

  /// The next task of a group of one thread, when its predecessors are done; `none` when there are
  /// no more, or the watchdog says so.
  GRIDLOOM_FN std::uint32_t next() {
    held& task = held_[0];
    round_ = begun_ ? next_round(round_) : first_round();
    begun_ = true;
    if (round_ >= shared_.order.tasks()) return none;
    take(round_);
    for (unsigned attempt = 0; !stopped(); ++attempt) {  // R4
      if (look(task)) {
        probe_.batch_fence();  // R5
        probe_.begin(task.at.task);
        return task.at.task;
      }
      look_ahead(round_);
      give_way(attempt);
    }
    return none;
  }
  /// Says that it is done, after the threads that ran it have met.
  GRIDLOOM_FN void done() {
    probe_.end(held_[0].at.task);
    probe_.batch_fence();  // R5
    publish(held_[0], 0);
  }

  /// Tasks that this thread ran.
  GRIDLOOM_FN std::uint32_t executed() const { return executed_; }

 private:
  static constexpr std::uint32_t batch = Order::batch;
  using place = decltype(std::declval<Order const&>().at(0));

  /// A task that a thread has taken.
  struct held {
    bool waits = false;
    std::uint32_t position = 0;
    place at{};
    /// Predecessors before this one are in the result.
    std::uint32_t next = 0;
    recurrence result{0};
    // Of the batch that begins there:
    std::uint32_t from[batch] = {};
    std::uint32_t value[batch] = {};
    /// Bits: whose word has been seen.
    std::uint32_t seen = 0;
  };

  /// What a thread knows of its next task.
  enum class known { nothing, place, edges };

  GRIDLOOM_FN std::uint32_t first_round() {
    return shared_.next_round == nullptr ? static_cast<std::uint32_t>(warp_.index()) : draw();
  }
  GRIDLOOM_FN std::uint32_t next_round(std::uint32_t round) {
    return shared_.next_round == nullptr ? round + static_cast<std::uint32_t>(warp_.count())
                                         : draw();
  }
  GRIDLOOM_FN std::uint32_t draw() {
    std::uint32_t round = 0;
    if (warp_.thread_rank() == 0) round = probe_.fetch_add_relaxed(shared_.next_round, 1U);
    return warp_.shuffle(round, 0);
  }

  GRIDLOOM_FN void take(std::uint32_t first) {
    auto position = first + static_cast<std::uint32_t>(warp_.thread_rank());
    for (held& task : held_) {
      task.waits = position < shared_.order.tasks();
      if (task.waits) {
        task.position = position;
        if (known_ == known::nothing) next_.at = shared_.order.at(position);
        if (known_ != known::edges) fetch(next_.at, 0, next_.from);
        task.at = next_.at;
        task.next = task.seen = 0;
        task.result = recurrence(task.at.task);
        GRIDLOOM_UNROLL
        for (std::uint32_t j = 0; j < batch; ++j) task.from[j] = next_.from[j];
      }
      known_ = known::nothing;  // of the task after it
      position += static_cast<std::uint32_t>(warp_.num_threads());
    }
  }
  /// Which words to look at from a predecessor on.
  GRIDLOOM_FN static void fetch(place const& at, std::uint32_t first,
                                std::uint32_t (&from)[batch]) {
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch; ++j) {
      if (first + j < at.from.size()) from[j] = at.from[first + j];
    }
  }
  /// One trip to memory for the task of the next round, where this thread will have one only.
  GRIDLOOM_FN void look_ahead(std::uint32_t first) {
    if (TasksOfLane != 1 || !shared_.looks_ahead || known_ == known::edges) return;
    std::uint32_t const position = first +
                                   static_cast<std::uint32_t>(warp_.count() * warp_.num_threads()) +
                                   static_cast<std::uint32_t>(warp_.thread_rank());
    if (position >= shared_.order.tasks()) return;
    if (known_ == known::nothing) {
      next_.at = shared_.order.at(position);
      known_ = known::place;
    } else {
      fetch(next_.at, 0, next_.from);
      known_ = known::edges;
    }
  }

  /// One look at the words that were not there yet; true after the last one.
  GRIDLOOM_FN bool look(held& task) {
    std::uint32_t const left = task.at.from.size() - task.next;
    std::uint32_t const n = left < batch ? left : batch;
    // All words are asked for before any answer is looked at.
    bool there[batch];
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch; ++j) {
      there[j] = false;
      if (j < n && (task.seen >> j & 1U) == 0) {
        there[j] = probe_.get_tagged_alone(shared_.words + task.from[j], shared_.run,
                                           task.value[j]);  // R1, R2
      }
    }
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch; ++j) {
      if (there[j]) task.seen |= 1U << j;
    }
    if (task.seen != (1U << n) - 1) return false;
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch; ++j) {
      if (j < n) task.result.add(task.value[j]);
    }
    task.next += n;
    if (task.next == task.at.from.size()) return true;
    task.seen = 0;
    fetch(task.at, task.next, task.from);
    return false;
  }

  GRIDLOOM_FN void publish(held& task, std::uint32_t own) {
    probe_.put_tagged(shared_.words + task.position, shared_.run, own);  // R1
    task.waits = false;
    ++executed_;
  }

  GRIDLOOM_FN bool stopped() {
    if (!patience_.due()) return false;
    if (!warp_.any(warp_.thread_rank() == 0 && patience_.out_of_time(probe_))) return false;
    leave_note();
    return true;
  }
  /// By the first thread that waits, of its first task that does.
  GRIDLOOM_FN void leave_note() const {
    bool waits = false;
    std::uint32_t from = 0;
    for (held const& task : held_) {
      GRIDLOOM_UNROLL
      for (std::uint32_t j = 0; j < batch; ++j) {
        if (waits || !task.waits || (task.seen >> j & 1U) != 0) continue;
        from = task.from[j];
        waits = true;
      }
    }
    std::uint32_t const threads = warp_.ballot(waits);
    if (threads == 0) {
      if (warp_.thread_rank() == 0)
        patience_.note(wait_kind::own_work, 0, executed_, executed_ + 1);
    } else if (warp_.thread_rank() == first_lane(threads)) {
      patience_.note(wait_kind::task, shared_.order.at(from).task, 0, 1);
    }
  }

  in_order_ref<Order> const& shared_;
  Warp warp_;
  Probe& probe_;
  watch& patience_;
  held held_[TasksOfLane];
  /// The task of the next round, as far as it is known.
  struct {
    place at{};
    std::uint32_t from[batch] = {};
  } next_;
  known known_ = known::nothing;
  /// Of a group of one thread.
  std::uint32_t round_ = 0;
  bool begun_ = false;
  std::uint32_t executed_ = 0;
};

}  // namespace gridloom::wavefront
