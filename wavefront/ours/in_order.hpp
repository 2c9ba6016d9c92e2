#pragma once
// Tasks in order: our static scheduler for any task graph. It has no queue, no dependency counters,
// and no reset between runs.
//
// The tasks have an order in which each task comes after its predecessors (task_order.hpp). Warps
// take them in rounds from the beginning, one task per lane. `in_order` assigns the rounds to the
// warps in turn. In `in_order_ticket`, a warp draws its next round by an atomic addition. A lane
// polls the words of its task's predecessors until all have been written, runs the task, and writes
// the task's word. The warp continues when its lanes are done. The words carry the results.
//
// - A lane never waits alone. In each turn the warp looks once for the predecessors of each of its
//   tasks. So tasks of one warp may depend on each other.
// - A hop leads from one task's word to the next. It costs a trip to memory, plus the instructions
//   between the last missing word and the task's own word. So the addresses of these words are
//   computed in advance. The other work of a turn is done while the loads are under way.
// - If a task needs a result from another lane of its warp, that lane passes it on in registers.
//   Long paths have many such hops, and each saves the trip to memory.
// - Warps that are ahead poll for results that others still compute, and their loads slow the
//   others down. So a few warps are better than as many as fit (in_order_threads in
//   apps/wavefront/arms.cpp).
// - A warp of `in_order` knows its next round. While it waits, it reads the edges of that round,
//   which takes two successive trips to memory. So warps need not be far ahead.
// - A host worker is a warp of one thread, which holds all 32 tasks of a round itself.
//
// Rules of order, cited where they are served:
// IO.R1. A word holds a result and the number of the run in one slot (tagged.hpp). The lane that
//     runs a task writes its word, once per run. A task on a lane reads nothing else from its
//     predecessors, so no fence is needed. A word may be as wide as a result needs (RW.R1 and RW.R2
//     of result_word.hpp). Lanes of the same warp also get the result in registers.
// IO.R2. No two runs have the same number, so words of earlier runs count as not written. The
//     launches of two runs do not overlap.
//
// IO.R3. Progress. Let p be the smallest position whose task is not done.
//     a. All predecessors of p have smaller positions. So they are done and their words written.
//     b. Each warp takes its rounds in rising order. It begins the next round only when all tasks
//        of the current round are done. A round holds consecutive positions.
//     c. If warps take rounds in turn, p's round belongs to a resident warp, as all warps are
//        resident. The warp's earlier rounds hold only positions below p, so the warp is at p.
//     d. If warps draw rounds and p's round has been drawn, its warp is at that round, as in c. If
//        it has not been drawn, all drawn rounds hold only positions below p. They are done, so
//        their warps draw again, until one draws p's round.
//     e. In a turn, a warp looks once for each of its tasks, at a batch of words. Then it runs the
//        tasks that have all their words. It waits for nothing in between. So the warp at p sees
//        p's predecessors after a few turns, and runs p.
// IO.R4. End: a warp leaves after its last round, or when the watchdog stops the run. It asks the
//     watchdog once in `cheap_turns` turns, and after each turn in which long tasks ran.

#include <concepts>
#include <type_traits>
#include <utility>

#include "gridloom/group.hpp"
#include "gridloom/taskgraph/synthetic_task.hpp"
#include "gridloom/taskgraph/task_body.hpp"
#include "gridloom/watchdog.hpp"
#include "wavefront/ours/result_word.hpp"
#include "wavefront/ours/task_order.hpp"

namespace gridloom::wavefront {

/// The data that all workers share. `Value` is the type of a task's result.
template <task_order Order, class Value = std::uint32_t>
struct in_order_ref {
  Order order;
  /// Array of one word per position. A word's tag is the number of the run that wrote it.
  result_word<Value>* words;
  /// Number of this run. Before the run, no word has this tag.
  std::uint32_t run;
  /// Number of the next round, 0 at the start of a run. Null if warps take rounds in turn.
  std::uint32_t* next_round;
  /// If warps take rounds in turn: whether a waiting warp reads the edges of its next round.
  bool looks_ahead;
};

/// Leaves the watchdog's note of a stopped warp. The first thread that `waits` notes the task at
/// position `from`. If no thread waits, the first thread notes how many tasks it has executed.
/// Called by all threads.
template <warp_group Warp, task_order Order>
GRIDLOOM_FN void note_wait(Warp const& warp, watch& patience, Order const& order, bool waits,
                           std::uint32_t from, std::uint32_t executed) {
  std::uint32_t const threads = warp.ballot(waits);
  if (threads == 0) {
    if (warp.thread_rank() == 0) patience.note(wait_kind::own_work, 0, executed, executed + 1);
  } else if (warp.thread_rank() == first_lane(threads)) {
    patience.note(wait_kind::task, order.at(from).task, 0, 1);
  }
}

/// Tasks that a thread holds at once. A group of one thread holds all 32 tasks of a round.
template <class Warp>
inline constexpr int tasks_of_lane = std::same_as<Warp, thread_of_one> ? 32 : 1;

/// One warp of the scheduler. All threads of the warp call its members together. `Result` combines
/// the results of a task's predecessors, as `recurrence` does. It is constructed from the task's
/// number, gets `add(value)` for each predecessor in the order of the graph, and gives `value()`.
template <task_order Order, class Probe, warp_group Warp, int TasksOfLane = tasks_of_lane<Warp>,
          class Result = recurrence>
class in_order_worker {
 public:
  using value_type = value_gathered<Result>;
  using shared_words = in_order_ref<Order, value_type>;

  GRIDLOOM_FN in_order_worker(shared_words const& shared, Warp warp, Probe& probe, watch& patience)
      : shared_(shared),
        warp_(warp),
        probe_(probe),
        patience_(patience),
        run_(shared.run + (warp.ballot(true) == 0 ? 1 : 0)) {}

  /// Runs this warp's tasks. `finish(task, result)` runs a task once its predecessors' results are
  /// known, and returns the task's own result. `keep(task, own)` is called after the task's word is
  /// written, for work that no other task waits for. If `take_long`, also asks the watchdog after
  /// each turn in which tasks ran.
  template <class Finish, class Keep>
  GRIDLOOM_FN void run(bool take_long, Finish const& finish, Keep const& keep) {
    auto const size = static_cast<std::uint32_t>(warp_.num_threads() * TasksOfLane);
    std::uint32_t const rounds = (shared_.order.tasks() + size - 1) / size;
    for (std::uint32_t round = first_round(); round < rounds; round = next_round(round)) {  // IO.R3
      take(round * size);
      unsigned attempt = 0;
      for (bool open = true; open;) {
        bool ran = false;
        for (int k = 0; k < TasksOfLane; ++k) {
          held& task = held_[k];
          ask(task);
          // The rest of the turn runs while the loads are under way.
          if (k == 0) {
            open = warp_.any(waits());
            if (!open) break;
            look_ahead();
          }
          if (turn_is_due() && stopped()) return;  // IO.R4
          for (bool runs = true; runs;) {
            runs = answered(task);
            if (runs) {
              probe_.begin(task.at.task);
              value_type const own = finish(task.at.task, task.result);
              probe_.end(task.at.task);
              publish(task, own);
              keep(task.at.task, own);
              ran = true;
            }
            runs = hands_on_ && warp_.any(runs);
            if (runs) take_over(task);
          }
          if (take_long && warp_.any(ran) && patience_.due() && stopped()) return;  // IO.R4
        }
        attempt = ran ? 0 : attempt + 1;
        if (open) give_way(attempt);
      }
    }
  }

  /// Number of tasks that this thread ran.
  GRIDLOOM_FN std::uint32_t executed() const { return executed_; }

 private:
  static constexpr std::uint32_t batch = Order::batch;
  static constexpr std::uint32_t most_ahead = 2;
  using place = decltype(std::declval<Order const&>().at(0));
  using row = decltype(std::declval<Order const&>().row_at(0));

  /// A task that a thread has taken.
  struct held {
    /// 0 while the task waits; 1 if the task is done or if there is no task.
    std::uint32_t idle = 1;
    place at{};
    /// The task's word.
    result_word<value_type>* word = nullptr;
    /// The current batch: predecessors `next` to `next` + `n` - 1. `result` includes all earlier
    /// ones.
    std::uint32_t next = 0;
    std::uint32_t n = 0;
    Result result{0};
    // The words of the batch's predecessors, and the tags and values that the thread last loaded
    // from them. Unused entries have the run's tag.
    result_word<value_type> const* from[batch] = {};
    std::uint32_t tag[batch] = {};
    value_type value[batch] = {};
    /// One byte per predecessor of the batch: lane + 1 if it is in the same round, else 0.
    std::uint32_t near = 0;
    /// The task's result, when it is done.
    value_type own{};
  };
  static_assert(batch <= 4);

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
      task.idle = position < shared_.order.tasks() ? 0 : 1;
      if (task.idle == 0) {
        if (ahead_ == 0) next_.what = shared_.order.row_at(position);
        task.at = shared_.order.at(position, next_.what);
        if (ahead_ != most_ahead) fetch(task.at, 0, next_.from);
        task.word = shared_.words + position;
        task.result = Result(task.at.task);
      }
      begin_batch(task, 0, next_.from);
      if (TasksOfLane == 1) find_near(task, first, next_.from);
      position += static_cast<std::uint32_t>(warp_.num_threads());
      ahead_ = 0;
    }
    hands_on_ = TasksOfLane == 1 && warp_.any(held_[0].near != 0);
    may_ask_ = TasksOfLane == 1 && shared_.looks_ahead ? most_ahead : 0;
    next_.position = first + static_cast<std::uint32_t>(warp_.count() * warp_.num_threads()) +
                     static_cast<std::uint32_t>(warp_.thread_rank());
  }
  /// Positions of a batch of a task's predecessors, beginning with number `first`.
  GRIDLOOM_FN static void fetch(place const& at, std::uint32_t first,
                                std::uint32_t (&from)[batch]) {
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch; ++j) {
      if (first + j < at.from.size()) from[j] = at.from[first + j];
    }
  }
  GRIDLOOM_FN void begin_batch(held& task, std::uint32_t first,
                               std::uint32_t const (&from)[batch]) const {
    std::uint32_t const left = task.idle == 0 ? task.at.from.size() - first : 0;
    task.next = first;
    task.n = left < batch ? left : batch;
    task.near = 0;
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch; ++j) {
      task.tag[j] = j < task.n ? ~run_ : run_;
      task.from[j] = shared_.words + from[j];
    }
  }
  /// Finds the predecessors in a task's first batch that are in the warp's own round.
  GRIDLOOM_FN void find_near(held& task, std::uint32_t round_begin,
                             std::uint32_t const (&from)[batch]) const {
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch; ++j) {
      std::uint32_t const lane = from[j] - round_begin;
      if (j < task.n && lane < static_cast<std::uint32_t>(warp_.num_threads()))
        task.near |= (lane + 1) << 8 * j;
    }
  }
  /// Takes results of other lanes of this warp, without a trip to memory. Called by all lanes.
  GRIDLOOM_FN void take_over(held& task) {
    std::uint32_t const done = warp_.ballot(task.idle != 0);
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch; ++j) {
      std::uint32_t const near = task.near >> 8 * j & 0xffU;
      std::uint32_t const lane = near == 0 ? 0 : near - 1;
      value_type const value = value_of_lane(warp_, task.own, static_cast<int>(lane));
      if (near == 0 || (done >> lane & 1U) == 0) continue;
      task.value[j] = value;  // IO.R1
      task.tag[j] = run_;
    }
  }
  /// Makes one trip to memory for the thread's task of the next round: first for the task's row, in
  /// the next call for its edges. Called only if a thread holds one task.
  GRIDLOOM_FN void look_ahead() {
    if (ahead_ == may_ask_) return;
    if (next_.position < shared_.order.tasks()) {
      if (ahead_ == 0) {
        next_.what = shared_.order.row_at(next_.position);
      } else {
        fetch(shared_.order.at(next_.position, next_.what), 0, next_.from);
      }
    }
    ++ahead_;
  }

  GRIDLOOM_FN bool waits() const {
    bool result = false;
    for (held const& task : held_) result |= task.idle == 0;
    return result;
  }
  /// Loads the words of the batch that are still missing.
  GRIDLOOM_FN void ask(held& task) {
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch; ++j) {
      if (task.tag[j] != run_)
        task.tag[j] = look_at(probe_, task.from[j], run_, task.value[j]);  // IO.R1, IO.R2
    }
  }
  /// Returns whether a waiting task has the words of all its predecessors. If only those of the
  /// current batch have arrived, begins the next batch.
  GRIDLOOM_FN bool answered(held& task) {
    std::uint32_t lacking = task.idle;
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch; ++j) lacking |= task.tag[j] ^ run_;
    if (lacking != 0) return false;
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch; ++j) {
      if (j < task.n) task.result.add(task.value[j]);
    }
    std::uint32_t const first = task.next + task.n;
    if (first == task.at.from.size()) return true;
    std::uint32_t from[batch] = {};
    fetch(task.at, first, from);
    begin_batch(task, first, from);
    return false;
  }

  GRIDLOOM_FN void publish(held& task, value_type const& own) {
    put_result(probe_, task.word, run_, own);  // IO.R1
    task.own = own;
    task.idle = 1;
    ++executed_;
  }

  /// Counts a turn, and returns whether to ask the watchdog in it. Equal in all threads.
  GRIDLOOM_FN bool turn_is_due() { return (++turns_ & (cheap_turns - 1)) == 0; }
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
        if (waits || task.idle != 0 || task.tag[j] == run_) continue;
        from = static_cast<std::uint32_t>(task.from[j] - shared_.words);
        waits = true;
      }
    }
    note_wait(warp_, patience_, shared_.order, waits, from, executed_);
  }

  shared_words const& shared_;
  Warp warp_;
  Probe& probe_;
  watch& patience_;
  /// A copy of `shared.run`. The ballot in the constructor never changes it, but the compiler does
  /// not know that, and keeps the number in a register. Otherwise it would read the number from the
  /// kernel's arguments in every turn.
  std::uint32_t run_;
  held held_[TasksOfLane];
  /// The thread's task of the next round, as far as it is known.
  struct {
    std::uint32_t position = 0;
    row what{};
    std::uint32_t from[batch] = {};
  } next_;
  /// Number of trips to memory made for `next_` (equal in all threads), and the allowed number.
  std::uint32_t ahead_ = 0;
  std::uint32_t may_ask_ = 0;
  /// Whether a lane of this warp needs another lane's result.
  bool hands_on_ = false;
  std::uint32_t turns_ = 0;
  std::uint32_t executed_ = 0;
};

}  // namespace gridloom::wavefront
