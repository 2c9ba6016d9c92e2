#pragma once
// How the units of a megakernel's block get work: through words in shared memory. One idle unit at
// a time, the poller, looks at the queues in global memory and claims a range of tickets for the
// whole block; the others take from the range. With every unit polling for itself, all warps of the
// device would queue up at the few words that they all read: an L2 slice answers about one of them
// a cycle.

#include <cstdint>

#include "mhive/type_dispatch.hpp"
#include "mhive/unit.hpp"

namespace gridloom::mhive {

/// Tickets that a block has claimed and not yet given to a unit, in one word: task type, how many,
/// the first.
namespace range {
GRIDLOOM_FN inline std::uint64_t word(int type, std::uint32_t n, std::uint32_t first) {
  return static_cast<std::uint64_t>(type) << 48U | std::uint64_t{n} << 32U | first;
}
GRIDLOOM_FN inline int type(std::uint64_t word) { return static_cast<int>(word >> 48U); }
GRIDLOOM_FN inline std::uint32_t count(std::uint64_t word) {
  return static_cast<std::uint32_t>(word >> 32U) & 0xffffU;
}
GRIDLOOM_FN inline std::uint32_t first(std::uint64_t word) {
  return static_cast<std::uint32_t>(word);
}
/// In place of a range: the run is over.
inline constexpr int over = 0xffff;
}  // namespace range

/// What a unit took from its block's range.
struct taken {
  int type = -1;  // -1: nothing; range::over: the run is over
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// The words of a block. They are read by updates too: see load_by_update.
struct dispatch_words {
  std::uint64_t range;
  std::uint32_t polling;     // 1 while a unit polls
  std::int32_t busy;         // units that execute
  std::int32_t finished[2];  // tasks not yet lowered: phaseless, others
};

/// One unit's side of its block's dispatch. All threads of the unit make the same calls.
template <class Run, class Unit>
class dispatcher {
  using queue_type = typename Run::queue_type;
  static constexpr int num_types = queue_type::num_types;
  /// Queues that a thread of the unit looks at.
  static constexpr int looks = std::is_same_v<Unit, thread_of_one>
                                   ? num_types
                                   : (num_types + unit_threads - 1) / unit_threads;

 public:
  GRIDLOOM_FN dispatcher(Run const& run, Unit const& unit, dispatch_words& words, int units,
                         int blocks)
      : run_(run), unit_(unit), words_(words), units_(units), blocks_(blocks) {}

  /// Work from the block's range.
  [[nodiscard]] GRIDLOOM_FN taken take() {
    std::uint64_t got = 0;
    if (unit_.thread_rank() == 0) got = take_from_range();
    got = unit_.shuffle(got, 0);
    unit_.sync();
    if (range::count(got) == 0) return {};
    return {range::type(got), range::first(got), range::count(got)};
  }
  /// After the tasks of `taken` have been executed: `n` of them finished, the unit is idle again.
  GRIDLOOM_FN void done(int type, std::uint32_t n) {
    unit_.sync();
    if (unit_.thread_rank() != 0) return;
    std::int32_t* const finished = words_.finished + (queue_type::phase_of(type) < 0 ? 0 : 1);
    memory_.fetch_add_acq_rel(finished, static_cast<std::int32_t>(n));
    memory_.fetch_sub_relaxed(&words_.busy, 1);
  }

  /// While a unit is a member of a team it takes no tasks from the range.
  GRIDLOOM_FN void enter_team() {
    if (unit_.thread_rank() == 0) memory_.fetch_add_acq_rel(&words_.busy, 1);
  }
  GRIDLOOM_FN void leave_team() {
    if (unit_.thread_rank() == 0) memory_.fetch_sub_relaxed(&words_.busy, 1);
  }

  /// Ends the run when the time is up. For a unit that waits without polling.
  GRIDLOOM_FN void check_time(watch& clock) {
    if (out_of_time(clock) && unit_.thread_rank() == 0) end();
  }

  /// Looks for work in global memory if no other unit of the block does; whether none did.
  GRIDLOOM_FN bool poll(watch& clock) {
    bool mine = false;
    if (unit_.thread_rank() == 0) {
      mine = memory_.compare_exchange_acquire(&words_.polling, 0U, 1U);
    }
    if (!unit_.any(mine)) return false;
    bool empty = false;
    if (unit_.thread_rank() == 0) {
      empty = range::count(memory_.load_by_update(&words_.range)) == 0;
    }
    // The last poller may have just left a range.
    if (unit_.any(empty)) poll_as_only_one(clock);
    unit_.sync();
    if (unit_.thread_rank() == 0) memory_.store_by_update(&words_.polling, 0U);
    return true;
  }

 private:
  GRIDLOOM_FN void end() { memory_.store_by_update(&words_.range, range::word(range::over, 1, 0)); }

  GRIDLOOM_FN std::uint64_t take_from_range() {
    for (;;) {
      std::uint64_t const held = memory_.load_by_update(&words_.range);
      std::uint32_t const there = range::count(held);
      if (there == 0 || range::type(held) == range::over) return held;
      int const type = range::type(held);
      std::uint32_t const wanted = workers_of(type);
      std::uint32_t const n = there < wanted ? there : wanted;
      std::uint64_t const rest = range::word(type, there - n, range::first(held) + n);
      // Busy first: a poller that sees the range empty must not take this unit for an idle one.
      memory_.fetch_add_relaxed(&words_.busy, 1);
      if (memory_.compare_exchange_release(&words_.range, held, rest)) {
        return range::word(type, n, range::first(held));
      }
      memory_.fetch_sub_relaxed(&words_.busy, 1);
    }
  }

  // Workers of the task type in a unit.
  GRIDLOOM_FN std::uint32_t workers_of(int type) const {
    int size = 1;
    with_type<queue_type>(type,
                          [&](auto tag) { size = threads_in_unit<typename decltype(tag)::type>; });
    int const workers = unit_.num_threads() / size;
    return static_cast<std::uint32_t>(workers > 0 ? workers : 1);
  }

  GRIDLOOM_FN void poll_as_only_one(watch& clock) {
    // What is needed of global memory is asked for at once, not one after the other.
    std::int32_t counts[looks];
    look_at_queues(counts);
    std::uint64_t word = 0;
    bool stop = false;
    if (unit_.thread_rank() == 0) {
      stop = memory_.load_relaxed(run_.dog.stop) != 0;
      word = settle(run_.control.look(memory_));
    }
    stop = unit_.any(stop) || out_of_time(clock);
    word = unit_.shuffle(word, 0);
    if (stop || gate::state(word) == gate::ended) {
      if (unit_.thread_rank() == 0) end();
      return;
    }
    if (gate::state(word) != gate::open) return;
    std::int32_t waiting = 0;
    int const type = choose(gate::phase(word), counts, waiting);
    if (unit_.thread_rank() != 0) return;
    if (type < 0) {
      // Whoever finishes the last task of a phase moves the gate. Only where phaseless tasks
      // interfere, or a phase got its tasks later, is it up to those who find nothing.
      if (++fruitless_ % 8 == 0) run_.control.advance(memory_, word);
      return;
    }
    fruitless_ = 0;
    if (!comes_forward(waiting)) return;
    with_type<queue_type>(type, [&](auto tag) { claim<typename decltype(tag)::type>(waiting); });
  }

  // The block's finished tasks into the global counts; the gate's word before and after. Tasks that
  // are not lowered keep their phase from ending: those with a phase belong to the current one.
  GRIDLOOM_FN std::uint64_t settle(std::uint64_t seen) {
    std::int32_t const phaseless = memory_.exchange_acq_rel(words_.finished + 0, 0);
    std::int32_t const phased = memory_.exchange_acq_rel(words_.finished + 1, 0);
    settled_ = phaseless + phased != 0;
    if (!settled_) return seen;
    return run_.control.finish(memory_, seen, phaseless, phased);
  }

  GRIDLOOM_FN bool out_of_time(watch& clock) {
    if (!clock.due()) return false;
    if (!unit_.any(clock.out_of_time(memory_))) return false;
    if (unit_.thread_rank() == 0) {
      auto const left = memory_.load_relaxed(&run_.control.words->total);
      clock.note(wait_kind::queue, 0, static_cast<std::uint64_t>(left), 0);
    }
    return true;
  }

  // Each thread of the unit looks at one queue, or at a few.
  GRIDLOOM_FN void look_at_queues(std::int32_t (&counts)[looks]) {
    for (int k = 0; k < looks; ++k) {
      int const type = k * unit_.num_threads() + unit_.thread_rank();
      counts[k] = type < num_types ? memory_.load_relaxed(&run_.words->queues[type].count) : 0;
    }
  }
  // A task type that may run and has items; each time and in each block another one
  // comes first.
  GRIDLOOM_FN int choose(int phase, std::int32_t const (&counts)[looks], std::int32_t& waiting) {
    ++turn_;
    for (int step = 0; step < looks; ++step) {
      int const k = static_cast<int>((turn_ + static_cast<unsigned>(step)) % looks);
      int const type = k * unit_.num_threads() + unit_.thread_rank();
      std::uint32_t const found = unit_.ballot(counts[k] > 0 && runs_in(type, phase));
      if (found == 0) continue;
      std::uint32_t const later = found & ~lanes_below(static_cast<int>((turn_ + index_) % 32));
      int const lane = first_lane(later != 0 ? later : found);
      waiting = unit_.shuffle(counts[k], lane);
      return k * unit_.num_threads() + lane;
    }
    return -1;
  }
  GRIDLOOM_FN static bool runs_in(int type, int phase) {
    int const own = queue_type::phase_of(type);
    return own < 0 || own == phase;
  }

  // Of the blocks that see fewer tasks than there are blocks, some let the others go first: whoever
  // claims in vain lowers the count for a moment, and hides tasks that come meanwhile. Not so a
  // block that executes tasks or has just finished some: they may have made the ones it sees.
  GRIDLOOM_FN bool comes_forward(std::int32_t waiting) {
    if (4 * waiting >= blocks_ || settled_) return true;
    if (memory_.load_by_update(&words_.busy) != 0) return true;
    std::uint32_t const draw = detail::spread(turn_ * 2654435761U + index_);
    return draw % static_cast<std::uint32_t>(blocks_) < static_cast<std::uint32_t>(4 * waiting);
  }

  template <class Type>
  GRIDLOOM_FN void claim(std::int32_t waiting) {
    constexpr int index = queue_type::template index_of<Type>();
    constexpr int phase = queue_type::phase_of(index);
    constexpr int team = units_of<Type, Unit>;
    auto const workers = static_cast<std::int32_t>(workers_of(index));
    // What the idle units can execute at once. More would wait in the block, and its slots in the
    // ring with it, while producers may wait for those.
    std::int32_t const idle = units_ - memory_.load_by_update(&words_.busy);
    std::int32_t const at_once = (idle < 1 ? 1 : idle) * workers / team;
    // The block's share of a short queue: tasks run soonest spread over all blocks.
    std::int32_t const share = (waiting + blocks_ - 1) / blocks_;
    std::int32_t const most = share < at_once ? share : at_once;
    std::int32_t const wanted = most < 1 ? 1 : most;
    auto const& queue = run_.template queue_of<Type>();
    std::int32_t const granted = queue.claim(memory_, wanted);
    if (granted == 0) return;
    run_.control.fence_after_claim(memory_, phase);
    std::uint32_t const first = queue.tickets(memory_, granted);
    if (!run_.control.may_run(memory_, phase)) {
      put_back<Type>(first, granted);
      return;
    }
    memory_.store_by_update(&words_.range,
                            range::word(index, static_cast<std::uint32_t>(granted), first));
  }

  // Claimed items go back when their phase ended between the claim and the look at the gate: they
  // wait for its next turn.
  template <class Type>
  GRIDLOOM_FN void put_back(std::uint32_t first, std::int32_t n) {
    auto const& queue = run_.template queue_of<Type>();
    for (std::int32_t i = 0; i < n; ++i) {
      std::uint32_t const ticket = first + static_cast<std::uint32_t>(i);
      if (!await<Type>(run_, unit_, ticket)) return;
      typename Type::work_item const item = queue.item(ticket);
      queue.free(memory_, ticket);
      run_.template put<Type>(memory_, queue.reserve(memory_, 1), item);
    }
  }

  Run const& run_;
  Unit const& unit_;
  dispatch_words& words_;
  int units_;
  int blocks_;
  std::uint32_t index_ = static_cast<std::uint32_t>(unit_.index());
  std::uint32_t turn_ = 0;
  std::uint32_t fruitless_ = 0;
  bool settled_ = false;  // in this poll
  direct_memory memory_;
};

}  // namespace gridloom::mhive
