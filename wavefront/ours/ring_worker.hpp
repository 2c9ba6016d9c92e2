#pragma once
// A worker of in_order_cluster. As in in_order.hpp (IO.R1 to IO.R3), a warp takes a round of tasks,
// one per lane, and continues when all are done. But lanes look for results in the block's ring
// (RR.R1 and RR.R2 of result_ring.hpp). Shared memory holds the data of coming rounds
// (coming_rounds.hpp).
//
// - A hop is the time from the arrival of a result in the ring to the store of the next result. It
//   should be short. So a look is a few loads of shared memory and a comparison. A lane that sees
//   its last missing result runs its task at once. Votes, counts and accesses to memory come after
//   a look, or once per turn of several looks.
// - Lanes of one warp also find each other's results in the ring. This is as fast as a shuffle, in
//   which all lanes would have to take part.
// - The loop is short, so that its instructions stay in the instruction cache.

#include <cstdint>
#include <utility>

#include "gridloom/atomic.hpp"
#include "gridloom/group.hpp"
#include "gridloom/taskgraph/synthetic_task.hpp"
#include "gridloom/watchdog.hpp"
#include "wavefront/ours/coming_rounds.hpp"
#include "wavefront/ours/in_order.hpp"
#include "wavefront/ours/result_ring.hpp"

namespace gridloom::wavefront {

/// One warp of the scheduler. All threads of the warp call its members together.
template <task_order Order, class Probe, warp_group Warp, class Ring,
          int TasksOfLane = tasks_of_lane<Warp>>
class ring_worker {
 public:
  using coming = coming_rounds<Order, Warp, TasksOfLane>;

  /// `copies` belongs to this warp.
  GRIDLOOM_FN ring_worker(in_order_ref<Order> const& shared, Warp warp, Probe& probe,
                          watch& patience, Ring const& ring, copies_of<Order>& copies)
      : shared_(shared),
        warp_(warp),
        probe_(probe),
        patience_(patience),
        ring_(ring),
        coming_(shared.order, warp, copies,
                {static_cast<std::uint32_t>(warp.thread_rank()),
                 static_cast<std::uint32_t>(warp.num_threads()), round_size(warp),
                 round_size(warp) * static_cast<std::uint32_t>(warp.count())}) {}

  /// Runs this warp's tasks. For `finish`, `keep` and `take_long` see in_order_worker::run.
  template <class Finish, class Keep>
  GRIDLOOM_FN void run(bool take_long, Finish const& finish, Keep const& keep) {
    std::uint32_t const size = round_size(warp_);
    std::uint32_t const step = size * static_cast<std::uint32_t>(warp_.count());
    std::uint32_t first = size * static_cast<std::uint32_t>(warp_.index());
    coming_.start(first);
    for (; first < shared_.order.tasks(); first += step) {  // IO.R3
      take(first);
      unsigned attempt = 0;
      // The first turn is one look. After it, the copies of coming rounds are requested.
      bool has_asked = false;
      unsigned looks = 1;
      for (bool open = true; open; looks = take_long ? 1 : looks_per_turn) {
        bool ran = false;
        GRIDLOOM_NO_UNROLL
        for (unsigned k = 0; k < looks && open; ++k) {
          for (held& task : held_) ran |= look(task, finish, keep);
          open = warp_.any(waits());
        }
        if (!has_asked) coming_.ask_on(first);
        has_asked = true;
        ++turns_;
        if (turns_ % watched_turns == 0 && stopped()) return;                     // IO.R4
        if (take_long && warp_.any(ran) && patience_.due() && stopped()) return;  // IO.R4
        if (!open) break;
        for (held& task : held_) look_in_memory(task);
        attempt = ran ? 0 : attempt + 1;
        give_way(attempt);
      }
    }
  }

  /// Number of tasks that this thread ran.
  GRIDLOOM_FN std::uint32_t executed() const { return executed_; }

 private:
  static constexpr std::uint32_t batch = Order::batch;
  /// Number of looks in one turn.
  static constexpr unsigned looks_per_turn = 16;
  /// The watchdog is asked once in this many turns, a power of two. Asking takes a trip to memory.
  static constexpr std::uint32_t watched_turns = 4 * cheap_turns;

  /// A task that a thread has taken.
  struct held {
    /// 0 while the task waits; 1 if the task is done or if there is no task.
    std::uint32_t idle = 1;
    std::uint32_t position = 0;
    known_task<typename coming::place> at{};
    /// The current batch: predecessors `next` to `next` + `n` - 1. `result` includes all earlier
    /// ones.
    std::uint32_t next = 0;
    std::uint32_t n = 0;
    recurrence result{0};
    // For each predecessor of the batch: the place in the ring, the tag to wait for, and the tag
    // and value that were seen. Unused entries have `wanted` and `tag` 0.
    own_word looked_at[batch] = {};
    std::uint32_t wanted[batch] = {};
    std::uint32_t tag[batch] = {};
    std::uint32_t value[batch] = {};
  };

  GRIDLOOM_FN static std::uint32_t round_size(Warp const& warp) {
    return static_cast<std::uint32_t>(warp.num_threads() * TasksOfLane);
  }

  GRIDLOOM_FN void take(std::uint32_t first) {
    coming_.arrive(first);
    auto position = first + static_cast<std::uint32_t>(warp_.thread_rank());
    for (held& task : held_) {
      std::uint32_t from[batch] = {};
      task.idle = position < shared_.order.tasks() ? 0 : 1;
      if (task.idle == 0) {
        task.at = coming_.at(position);
        coming_.fetch(task.at, 0, from);
        task.position = position;
        task.result = recurrence(task.at.task);
      }
      begin_batch(task, 0, from);
      position += static_cast<std::uint32_t>(warp_.num_threads());
    }
  }
  GRIDLOOM_FN void begin_batch(held& task, std::uint32_t first,
                               std::uint32_t const (&from)[batch]) const {
    std::uint32_t const left = task.idle == 0 ? task.at.from.size() - first : 0;
    task.next = first;
    task.n = left < batch ? left : batch;
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch; ++j) {
      task.looked_at[j] = ring_.place_of(from[j]);
      task.wanted[j] = j < task.n ? Ring::tag_of(from[j]) : 0;
      task.tag[j] = 0;
    }
  }

  /// Looks once for the results that a task waits for, and runs the task if all have arrived.
  /// Returns whether the task ran.
  template <class Finish, class Keep>
  GRIDLOOM_FN bool look(held& task, Finish const& finish, Keep const& keep) {
    std::uint32_t lacking = task.idle;
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch; ++j) {
      if (task.tag[j] != task.wanted[j])
        task.tag[j] = Ring::look(probe_, task.looked_at[j], task.value[j]);
    }
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch; ++j) lacking |= task.tag[j] ^ task.wanted[j];
    if (lacking != 0) return false;
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch; ++j) {
      if (j < task.n) task.result.add(task.value[j]);
    }
    if (task.next + task.n == task.at.from.size()) {
      probe_.begin(task.at.task);
      std::uint32_t const own = finish(task.at.task, task.result);
      probe_.end(task.at.task);
      ring_.put(probe_, task.position, own);
      probe_.put_tagged(shared_.words + task.position, shared_.run, own);  // IO.R1
      keep(task.at.task, own);
      task.idle = 1;
      ++executed_;
      return true;
    }
    begin_next_batch(task);
    return false;
  }
  GRIDLOOM_FN void begin_next_batch(held& task) const {
    std::uint32_t const first = task.next + task.n;
    std::uint32_t from[batch] = {};
    coming_.fetch(task.at, first, from);
    begin_batch(task, first, from);
  }
  /// Looks in memory for the results that the ring may have lost (RR.R2). The next look uses them.
  GRIDLOOM_FN void look_in_memory(held& task) {
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch; ++j) {
      if (task.tag[j] == task.wanted[j] || !Ring::doubts(turns_, task.tag[j], task.wanted[j]))
        continue;
      auto const* const word = shared_.words + Ring::position_of(task.wanted[j]);
      if (probe_.get_tagged_alone(word, shared_.run, task.value[j]))
        task.tag[j] = task.wanted[j];  // IO.R1, IO.R2
    }
  }

  GRIDLOOM_FN bool waits() const {
    bool result = false;
    for (held const& task : held_) result |= task.idle == 0;
    return result;
  }
  GRIDLOOM_FN bool stopped() {
    if (!warp_.any(warp_.thread_rank() == 0 && patience_.out_of_time(probe_))) return false;
    leave_note();
    return true;
  }
  /// The first waiting thread notes its first waiting task.
  GRIDLOOM_FN void leave_note() const {
    bool waits = false;
    std::uint32_t from = 0;
    for (held const& task : held_) {
      GRIDLOOM_UNROLL
      for (std::uint32_t j = 0; j < batch; ++j) {
        if (waits || task.idle != 0 || task.tag[j] == task.wanted[j]) continue;
        from = Ring::position_of(task.wanted[j]);
        waits = true;
      }
    }
    note_wait(warp_, patience_, shared_.order, waits, from, executed_);
  }

  in_order_ref<Order> const& shared_;
  Warp warp_;
  Probe& probe_;
  watch& patience_;
  Ring ring_;
  coming coming_;
  held held_[TasksOfLane];
  std::uint32_t turns_ = 0;
  std::uint32_t executed_ = 0;
};

}  // namespace gridloom::wavefront
