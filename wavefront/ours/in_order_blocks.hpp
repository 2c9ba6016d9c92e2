#pragma once
// One task per block, in order. Tasks are dealt to the blocks in turn, or drawn one by one. The
// first warp of a block polls the words of a task's predecessors, one lane per word. Then all
// threads run the task, and one thread writes the task's word. So a hop takes one store and one
// load. A block of one warp needs no barrier of the block.
//
// - If tasks are dealt in turn, the lanes hold the next tasks of the block, up to 16. The rows and
//   edges of the following ones are read while the words are polled.
// - If all words of a task are there at the first look, the block is behind. Then it looks at the
//   words of its next task before it runs this one. Other blocks do not, because each load delays
//   the results that others wait for.
// - A block that waits runs a short loop, and its other instructions leave the nearest cache. So
//   little code stands between the last missing word and the task's own word.
//
// Rules of order, cited where they are served:
// BK.R1. Results travel in the words as in IO.R1 and IO.R2 of in_order.hpp. Shuffles bring them
//     from the polling lanes to the others, and shared memory before a barrier to the other warps.
// BK.R2. Bodies with `results_in_memory` leave their results in memory instead. When all threads of
//     the block have met, one of them issues a fence and writes the word. It is in the last warp,
//     so that the first warp need not wait for the fence. In the successor's block, the polling
//     lanes acquire the words. Then the block meets. A fence of the lanes would take twice as long.
// BK.R3. Progress is as in IO.R3, with a block as a warp of one lane. A block runs its tasks in
//     rising order, and waits only for predecessors of its first task that is not done.
// BK.R4. End: a block leaves after its last task, or when the watchdog stops the run. Its first
//     warp asks the watchdog once in `cheap_turns` looks at a task, and after a task if some tens
//     of microseconds have passed. Asking takes a trip to memory, which is long next to many tasks.

#include <bit>
#include <cstring>
#include <type_traits>

#include "wavefront/ours/in_order.hpp"

namespace gridloom::wavefront {

/// Stands for the results of a task's predecessors, if the task needs none.
struct no_results {
  GRIDLOOM_FN explicit no_results(std::uint32_t /*task*/) {}
  GRIDLOOM_FN static std::uint32_t value() { return 0; }
};
/// The same for tasks whose results are in memory (BK.R2).
struct results_in_memory : no_results {
  using no_results::no_results;
};

/// The task that the first warp of a block tells the others, in shared memory.
template <class Result>
struct told_task {
  std::uint32_t task;
  std::uint32_t position;
  unsigned char result[sizeof(Result)];
};

/// One block of the scheduler, of at most `MostThreads` threads. `Warp` is the block's first warp,
/// and `Result` is as in in_order_worker.
template <task_order Order, class Probe, warp_group Warp, class Result, int MostThreads = 1024>
class block_worker {
  static constexpr bool has_values = !std::is_base_of_v<no_results, Result>;
  static constexpr bool in_memory = std::same_as<Result, results_in_memory>;

 public:
  using value_type = value_gathered<Result>;
  using shared_words = in_order_ref<Order, value_type>;

  template <thread_group Block>
  GRIDLOOM_FN block_worker(shared_words const& shared, Block const& block, Probe& probe,
                           watch& patience)
      : shared_(shared),
        warp_(block.warp()),
        probe_(probe),
        patience_(patience),
        run_(shared.run + (warp_.ballot(true) == 0 ? 1 : 0)),
        blocks_(static_cast<std::uint32_t>(block.count())),
        rank_(static_cast<std::uint32_t>(warp_.thread_rank())),
        lanes_(static_cast<std::uint32_t>(warp_.num_threads())),
        share_(lanes_ < most_share ? 1 : most_share),
        slots_(shared.looks_ahead ? lanes_ / share_ : 1),
        slot_(slots_),
        coming_(static_cast<std::uint32_t>(block.index())),
        asked_(ticks()) {}

  /// Runs this block's tasks; called by all threads of the block. They all call
  /// `finish(task, result)`. The first thread's value is the task's result. It calls
  /// `keep(task, own)` after it has written the task's word.
  template <thread_group Block, class Finish, class Keep>
  GRIDLOOM_FN void run(Block const& block, told_task<Result>& local, Finish const& finish,
                       Keep const& keep) {
    // Bodies for one warp are compiled once.
    if (MostThreads <= 32 || block.num_threads() == warp_.num_threads()) {
      run_all<true>(block, local, finish, keep);
    } else {
      run_all<false>(block, local, finish, keep);
    }
  }

  /// Number of tasks that the block ran.
  GRIDLOOM_FN std::uint32_t executed() const { return executed_; }

 private:
  /// Lanes that hold the edges of one task: one per predecessor in lattices, and for most tasks of
  /// other graphs.
  static constexpr std::uint32_t most_share = Order::batch < 4 ? std::bit_ceil(Order::batch) : 8;
  static constexpr std::uint32_t trips = 2;
  using place = decltype(std::declval<Order const&>().at(0));
  using row = decltype(std::declval<Order const&>().row_at(0));

  template <bool OneWarp, class Block, class Finish, class Keep>
  GRIDLOOM_FN void run_all(Block const& block, told_task<Result>& local, Finish const& finish,
                           Keep const& keep) {
    bool const first = block.thread_rank() == 0;
    bool const polls = OneWarp || block.thread_rank() < warp_.num_threads();
    bool const in_last_warp =
        block.thread_rank() - warp_.thread_rank() + warp_.num_threads() == block.num_threads();
    bool const writes = in_memory ? rank_ == 0 && in_last_warp : first;
    for (;;) {
      std::uint32_t task = no_task;
      Result result(0);
      if (polls) task = next(result);
      if constexpr (OneWarp) {
        warp_.sync();  // BK.R1, BK.R2
      } else {
        if (first) {
          local.task = task;
          if constexpr (in_memory) local.position = position_;
          memcpy(local.result, &result, sizeof(result));
        }
        block.sync();  // BK.R1, BK.R2
        task = local.task;
        if constexpr (in_memory) own_ = shared_.words + local.position;
        memcpy(static_cast<void*>(&result), local.result, sizeof(result));
      }
      if (task == no_task) return;
      if (first) probe_.begin(task);
      value_type const own = finish(task, result);
      if constexpr (OneWarp)
        warp_.sync();  // BK.R2
      else
        block.sync();  // BK.R2
      if (first) probe_.end(task);
      if (writes) {
        if constexpr (in_memory) probe_.batch_fence();  // BK.R2
        put_result(probe_, own_, run_, own);            // BK.R1
        keep(task, own);
      }
      ++executed_;
      if (polls) stopped(false, time_passed());  // BK.R4
    }
  }

  /// Waits for the predecessors of the next task and returns it. Returns `no_task` after the last
  /// one, or if the watchdog stops the run.
  GRIDLOOM_FN std::uint32_t next(Result& result) {
    if (leaves_) [[unlikely]]
      return no_task;
    if (++slot_ < slots_) {
      position_ += blocks_;
      own_ += blocks_;
    } else if (shared_.next_round != nullptr) {
      if (rank_ == 0) coming_ = probe_.fetch_add_relaxed(shared_.next_round, 1U);
      coming_ = warp_.shuffle(coming_, 0);
    }
    do {
      look_ahead();
    } while (slot_ >= slots_ && ahead_ < trips);
    if (slot_ >= slots_) take();
    if (position_ >= shared_.order.tasks()) [[unlikely]]
      return no_task;
    auto const lane = static_cast<int>(slot_ * share_);
    std::uint32_t const task = warp_.shuffle(task_, lane);
    std::uint32_t const n = warp_.shuffle(n_, lane);
    place at{};
    if (n > share_) [[unlikely]]
      at = shared_.order.at(position_);
    if (!is_asked_) choose(slot_, n);
    bool const is_behind = wait();
    result = Result(task);
    add(result, n < share_ ? n : share_);
    if (n > share_) [[unlikely]]
      add_rest(result, at, n);
    is_asked_ = is_behind && slot_ + 1 < slots_;
    if (is_asked_) {
      choose(slot_ + 1, warp_.shuffle(n_, lane + static_cast<int>(share_)));
      if (tag_ != run_) look();
    }
    return leaves_ ? no_task : task;
  }

  /// Makes one trip to memory for the lane's task of the coming round: first for the task's row,
  /// then for its edge.
  GRIDLOOM_FN void look_ahead() {
    if (ahead_ == trips) return;
    std::uint32_t const position = coming_ + rank_ / share_ * blocks_;
    if (rank_ / share_ < slots_ && position < shared_.order.tasks()) {
      if (ahead_ == 0) {
        next_.what = shared_.order.row_at(position);
      } else {
        place const at = shared_.order.at(position, next_.what);
        if (rank_ % share_ < at.from.size()) next_.from = at.from[rank_ % share_];
      }
    }
    ++ahead_;
  }
  /// Begins the round for which look_ahead() has made all trips.
  GRIDLOOM_FN void take() {
    position_ = coming_;
    own_ = shared_.words + position_;
    coming_ += slots_ * blocks_;
    slot_ = 0;
    ahead_ = 0;
    from_ = next_.from;
    std::uint32_t const position = position_ + rank_ / share_ * blocks_;
    if (rank_ / share_ >= slots_ || position >= shared_.order.tasks()) return;
    place const at = shared_.order.at(position, next_.what);
    task_ = at.task;
    n_ = at.from.size();
  }

  /// Chooses the words of the first predecessors of a task in this round. The other lanes look at
  /// the same words, so that no lane needs a test.
  GRIDLOOM_FN void choose(std::uint32_t slot, std::uint32_t n) {
    std::uint32_t const j = rank_ % share_;
    std::uint32_t const from =
        warp_.shuffle(from_, static_cast<int>(slot * share_ + (j < n ? j : 0)));
    word_ = shared_.words + (n == 0 ? 0 : from);
    tag_ = n == 0 ? run_ : ~run_;
  }
  /// Looks once at the lane's word.
  GRIDLOOM_FN void look() {
    if constexpr (in_memory) {
      tag_ = probe_.get_tagged(word_, run_, value_) ? run_ : ~run_;  // BK.R2
    } else {
      tag_ = look_at(probe_, word_, run_, value_);  // BK.R1
    }
  }
  /// Waits until all lanes have their words. Returns whether they came at once.
  GRIDLOOM_FN bool wait() {
    std::uint32_t looks = 0;
    while (warp_.any(tag_ != run_)) {
      look();
      if ((++looks & (cheap_turns - 1)) == 0 && stopped(true, true)) [[unlikely]]
        return false;
      give_way(looks);
    }
    return looks <= 1;
  }
  /// Adds the results that the first `n` lanes hold.
  GRIDLOOM_FN void add(Result& result, std::uint32_t n) {
    if constexpr (has_values) {
      GRIDLOOM_UNROLL
      for (std::uint32_t j = 0; j < most_share; ++j) {
        value_type const value = value_of_lane(warp_, value_, static_cast<int>(j < share_ ? j : 0));
        if (j < n) result.add(value);
      }
    }
  }
  /// Waits for the predecessors of a task from number `share_` on, and adds their results.
  GRIDLOOM_FN void add_rest(Result& result, place const& at, std::uint32_t n) {
    for (std::uint32_t first = share_; first < n && !leaves_; first += share_) {
      std::uint32_t const left = n - first < share_ ? n - first : share_;
      std::uint32_t const j = rank_ % share_;
      word_ = shared_.words + at.from[first + (j < left ? j : 0)];
      tag_ = ~run_;
      wait();
      add(result, left);
    }
  }
  GRIDLOOM_FN static std::uint32_t ticks() { return static_cast<std::uint32_t>(now_ticks()); }
  /// Whether some tens of microseconds have passed since this last returned true.
  GRIDLOOM_FN bool time_passed() {
    std::uint32_t const now = ticks();
    if (now - asked_ < 1U << 16U) return false;
    asked_ = now;
    return true;
  }
  /// Asks the watchdog, if the first lane `asks`. If it stops the run, notes a word that a lane
  /// waits for.
  GRIDLOOM_FN bool stopped(bool waits, bool asks) {
    if (!warp_.any(rank_ == 0 && asks && patience_.out_of_time(probe_))) [[likely]]
      return false;
    note_wait(warp_, patience_, shared_.order, waits && tag_ != run_,
              static_cast<std::uint32_t>(word_ - shared_.words), executed_);
    return leaves_ = true;
  }

  shared_words const& shared_;
  Warp warp_;
  Probe& probe_;
  watch& patience_;
  /// A copy of `shared.run` in a register, as in in_order_worker.
  std::uint32_t run_;
  std::uint32_t blocks_;
  std::uint32_t rank_;
  std::uint32_t lanes_;
  /// Lanes per task, and tasks per round. The current task is number `slot_` of the round.
  std::uint32_t share_;
  std::uint32_t slots_;
  std::uint32_t slot_;
  /// Position and word of the current task.
  std::uint32_t position_ = 0;
  result_word<value_type>* own_ = nullptr;
  /// Position of the first task of the coming round, and trips to memory made for it.
  std::uint32_t coming_;
  std::uint32_t ahead_ = 0;
  /// The lane's task in this round, the number of its predecessors, and the position of one.
  std::uint32_t task_ = no_task;
  std::uint32_t n_ = 0;
  std::uint32_t from_ = 0;
  /// The same for the coming round.
  struct {
    row what{};
    std::uint32_t from = 0;
  } next_;
  /// The word that the lane polls, and what it last saw there.
  result_word<value_type> const* word_ = nullptr;
  std::uint32_t tag_ = 0;
  value_type value_{};
  /// Whether word_ belongs to the next task.
  bool is_asked_ = false;
  bool leaves_ = false;
  std::uint32_t executed_ = 0;
  /// When the watchdog was last asked after a task.
  std::uint32_t asked_;
};

}  // namespace gridloom::wavefront
