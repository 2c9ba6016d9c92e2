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
// - A hop is a trip to memory and the instructions between the last word that a task lacks and the
//   task's own. So a task knows beforehand where its words and its own word are. What else a warp
//   does in a turn, it does while the words are on their way.
// - Where a task needs one of its own warp, the other lane hands the result on in registers. Long
//   paths have many such hops, and each saves the trip to memory.
// - Warps that are ahead wait for what others still do, and their looks cost these time. Few warps
//   are better than all that fit (in_order_threads in apps/wavefront/plan.cpp).
// - By turns, a warp knows its next round. While it waits it reads that one's edges, two trips to
//   memory, one after the other. So warps need not be far ahead.
// - A host worker is a warp of one thread, which holds a round's 32 tasks itself.
//
// Rules of order, cited where they are served:
// IO.R1. A word holds a result and the number of the run in one slot (tagged.hpp). Each task's word is
//     written once a run, by who ran the task. A task on a lane reads nothing else behind a word, so
//     no fence is needed; a word may be as wide as a result has to be (RW.R1 and RW.R2 of result_word.hpp). A
//     lane of the same warp that ran the task has the result, too.
// IO.R2. No run has the number of a run before: words of those count as not written. The launches of
//     two runs do not overlap.
//
// IO.R3. Progress. Let p be the smallest position whose task is not done.
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
// IO.R4. End: a warp leaves when the rounds are over, or when the watchdog says so. It counts its turns
//     and asks once in `cheap_turns` of them; and in each turn in which tasks ran that take long.
// IO.R5. A task on a block leaves its results in memory. The block meets, and its first thread puts a
//     fence before the word; that of the successor's block puts one behind the last of the words,
//     and the block meets. For IO.R3 such a block is a warp of one lane.

#include <concepts>
#include <type_traits>
#include <utility>

#include "gridloom/group.hpp"
#include "gridloom/sparse/synthetic_task.hpp"
#include "gridloom/watchdog.hpp"
#include "ours/result_word.hpp"
#include "ours/task_order.hpp"
#include "support/task_body.hpp"

namespace gridloom::wavefront {

/// What all workers share. `Value` is the type of a task's result.
template <task_order Order, class Value = std::uint32_t>
struct in_order_ref {
  Order order;
  /// One a position. Tag: the run.
  result_word<Value>* words;
  /// Of this run; no word has it before.
  std::uint32_t run;
  /// The next round, 0 at the start of a run; null: by turns.
  std::uint32_t* next_round;
  /// By turns: whether a warp that waits asks for the edges of its next round.
  bool looks_ahead;
};

/// Leaves a note of a warp that is stopped: by its first thread that `waits`, of the task at position
/// `from`; or else by the first one, which has run so many tasks. Called by all threads.
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

/// Tasks that a thread holds at once: a warp's round has 32, or one a lane where it has fewer lanes
/// on a GPU.
template <class Warp>
inline constexpr int tasks_of_lane = std::same_as<Warp, thread_of_one> ? 32 : 1;

/// One warp. Members are collective. `Result` gathers what a task makes of its predecessors' results,
/// as `recurrence` does: made from the task's number, `add(value)` of each predecessor in the order of
/// the graph, `value()`.
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

  /// Runs this warp's tasks. `finish(task, result)` is what is left to do of a task once its
  /// predecessors' results are known; it returns the task's own. `keep(task, own)` comes after the
  /// task's word: what no other task waits for. `take_long`: the watchdog is asked after tasks, too.
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
          // While the words are on their way:
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

  /// The next task of a group of one thread, when its predecessors are done; `none` when there are
  /// no more, or the watchdog says so.
  GRIDLOOM_FN std::uint32_t next() {
    held& task = held_[0];
    round_ = begun_ ? next_round(round_) : first_round();
    begun_ = true;
    if (round_ >= shared_.order.tasks() || leaves_) return none;
    take(round_);
    for (unsigned attempt = 0;; ++attempt) {
      ask(task);
      // While the words are on their way:
      look_ahead();
      if (turn_is_due() && stopped()) return none;  // IO.R4
      if (answered(task)) {
        probe_.batch_fence();  // IO.R5
        probe_.begin(task.at.task);
        return task.at.task;
      }
      give_way(attempt);
    }
  }
  /// Says that it is done, after the threads that ran it have met.
  GRIDLOOM_FN void done() {
    probe_.end(held_[0].at.task);
    probe_.batch_fence();  // IO.R5
    publish(held_[0], {});
    leaves_ = patience_.due() && stopped();  // IO.R4
  }

  /// Tasks that this thread ran.
  GRIDLOOM_FN std::uint32_t executed() const { return executed_; }

 private:
  static constexpr std::uint32_t batch = Order::batch;
  static constexpr std::uint32_t most_ahead = 2;
  using place = decltype(std::declval<Order const&>().at(0));
  using row = decltype(std::declval<Order const&>().row_at(0));

  /// A task that a thread has taken.
  struct held {
    /// 0 while it waits; 1: it is done, or there is none.
    std::uint32_t idle = 1;
    place at{};
    /// Its own word.
    result_word<value_type>* word = nullptr;
    /// Predecessors before this one are in the result; so many from there on make a batch.
    std::uint32_t next = 0;
    std::uint32_t n = 0;
    Result result{0};
    // Of the batch: the words, and what was seen of them. Where there is none the tag is the run's.
    result_word<value_type> const* from[batch] = {};
    std::uint32_t tag[batch] = {};
    value_type value[batch] = {};
    /// Of those in the same round: the lane + 1, a byte each.
    std::uint32_t near = 0;
    /// Its own result, when it is done.
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
      ahead_ = 0;  // of the task after it
    }
    hands_on_ = TasksOfLane == 1 && warp_.any(held_[0].near != 0);
    may_ask_ = TasksOfLane == 1 && shared_.looks_ahead ? most_ahead : 0;
    next_.position = first + static_cast<std::uint32_t>(warp_.count() * warp_.num_threads()) +
                     static_cast<std::uint32_t>(warp_.thread_rank());
  }
  /// Whose words a task needs, from a predecessor on.
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
  /// Which predecessors of a first batch are of the warp's round.
  GRIDLOOM_FN void find_near(held& task, std::uint32_t round_begin,
                             std::uint32_t const (&from)[batch]) const {
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch; ++j) {
      std::uint32_t const lane = from[j] - round_begin;
      if (j < task.n && lane < static_cast<std::uint32_t>(warp_.num_threads()))
        task.near |= (lane + 1) << 8 * j;
    }
  }
  /// What lanes of this warp have done, without a trip to memory. Called by all of them.
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
  /// One trip to memory for the tasks of the next round, where a thread will have one only: for the
  /// rows first, then for the edges.
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
  /// Asks for the words of a batch that have not been seen.
  GRIDLOOM_FN void ask(held& task) {
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch; ++j) {
      if (task.tag[j] != run_)
        task.tag[j] = look_at(probe_, task.from[j], run_, task.value[j]);  // IO.R1, IO.R2
    }
  }
  /// Whether the last word of a task that waits is there; if it was the last of a batch, the next
  /// batch begins.
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

  /// Counts a turn; the same in all threads.
  GRIDLOOM_FN bool turn_is_due() { return (++turns_ & (cheap_turns - 1)) == 0; }
  GRIDLOOM_FN bool stopped() {
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
  /// That of `shared`, which no ballot of all threads changes. But a compiler does not know, and keeps
  /// the number in a register; else it would read it from the kernel's arguments in every turn.
  std::uint32_t run_;
  held held_[TasksOfLane];
  /// The task of the next round, as far as it is known.
  struct {
    std::uint32_t position = 0;
    row what{};
    std::uint32_t from[batch] = {};
  } next_;
  /// Trips made for it: of all threads, whether they have one or not. And how many may be made.
  std::uint32_t ahead_ = 0;
  std::uint32_t may_ask_ = 0;
  /// Whether a lane of this warp needs another's result.
  bool hands_on_ = false;
  std::uint32_t turns_ = 0;
  // Of a group of one thread:
  std::uint32_t round_ = 0;
  bool begun_ = false;
  bool leaves_ = false;
  std::uint32_t executed_ = 0;
};

}  // namespace gridloom::wavefront
