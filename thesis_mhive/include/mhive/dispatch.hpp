#pragma once
// How the units of a block get work: through words in shared memory. One idle unit at a time, the
// poller, looks at the queues in global memory and claims a range of tickets for the whole block;
// the others take from the range. With every unit polling for itself, sixteen thousand warps would
// queue up at the few words that all of them read (an L2 slice answers about one of them a cycle),
// and a change of phase would take tens of microseconds.

#include <cstdint>
#include <utility>

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
}  // namespace range

/// What a unit took from its block's range.
struct taken {
  int type = -1;  // -1: nothing
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// The words of a block.
template <class Queue>
struct dispatch_words {
  std::uint64_t range;
  std::uint32_t polling;                         // 1 while a unit polls
  std::uint32_t ended;                           // 1: the run is over
  std::int32_t busy;                             // units that execute
  std::int32_t finished[Queue::num_phases + 1];  // tasks not yet lowered; the first: phaseless
};

/// One unit's side of its block's dispatch. All threads of the unit make the same calls.
template <class Run, class Unit>
class dispatcher {
  using queue_type = typename Run::queue_type;
  using words_type = dispatch_words<queue_type>;
  static constexpr int num_types = queue_type::num_types;
  /// Ranges of more than this many tasks a unit would keep work from other blocks.
  static constexpr std::int32_t most_rounds = 4;

 public:
  GRIDLOOM_FN dispatcher(Run const& run, Unit const& unit, unit_worker<Run, Unit>& worker,
                         words_type& words, int units, int blocks)
      : run_(run), unit_(unit), worker_(worker), words_(words), units_(units), blocks_(blocks) {}

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
    std::int32_t* const finished = words_.finished + queue_type::phase_of(type) + 1;
    memory_.fetch_add_acq_rel(finished, static_cast<std::int32_t>(n));
    memory_.fetch_sub_relaxed(&words_.busy, 1);
  }

  [[nodiscard]] GRIDLOOM_FN bool ended() {
    bool over = false;
    if (unit_.thread_rank() == 0) over = memory_.load_acquire(&words_.ended) != 0;
    return unit_.any(over);
  }

  /// Ends the run when the time is up. For a unit that waits without polling.
  GRIDLOOM_FN void check_time(watch& clock) {
    if (stopped(clock) && unit_.thread_rank() == 0) memory_.store_release(&words_.ended, 1U);
  }

  /// Looks for work in global memory if no other unit of the block does.
  GRIDLOOM_FN void poll(watch& clock) {
    bool mine = false;
    if (unit_.thread_rank() == 0) {
      mine = memory_.load_relaxed(&words_.polling) == 0 &&
             memory_.compare_exchange_acquire(&words_.polling, 0U, 1U);
    }
    if (!unit_.any(mine)) return;
    bool empty = false;
    if (unit_.thread_rank() == 0) empty = range::count(memory_.load_relaxed(&words_.range)) == 0;
    // The last poller may have just left a range.
    if (unit_.any(empty)) poll_as_only_one(clock);
    unit_.sync();
    if (unit_.thread_rank() == 0) memory_.store_release(&words_.polling, 0U);
  }

 private:
  GRIDLOOM_FN std::uint64_t take_from_range() {
    for (;;) {
      std::uint64_t const held = memory_.load_acquire(&words_.range);
      std::uint32_t const there = range::count(held);
      if (there == 0) return 0;
      int const type = range::type(held);
      std::uint32_t const wanted = workers_of(type);
      std::uint32_t const n = there < wanted ? there : wanted;
      std::uint64_t const rest = range::word(type, there - n, range::first(held) + n);
      if (memory_.compare_exchange_relaxed(&words_.range, held, rest)) {
        memory_.fetch_add_relaxed(&words_.busy, 1);
        return range::word(type, n, range::first(held));
      }
    }
  }

  // Workers of the task type in a unit, from its index.
  GRIDLOOM_FN std::uint32_t workers_of(int type) const {
    return workers_of(type, std::make_integer_sequence<int, num_types>{});
  }
  template <int... Types>
  GRIDLOOM_FN std::uint32_t workers_of(int type, std::integer_sequence<int, Types...>) const {
    int size = 1;
    ((type == Types
          ? void(size = threads_in_unit<std::tuple_element_t<Types, typename queue_type::types>>)
          : void()),
     ...);
    int const workers = unit_.num_threads() / size;
    return static_cast<std::uint32_t>(workers > 0 ? workers : 1);
  }

  GRIDLOOM_FN void poll_as_only_one(watch& clock) {
    if (unit_.thread_rank() == 0) settle();
    std::uint64_t gate_word = 0;
    bool stop = false;
    if (unit_.thread_rank() == 0) {
      gate_word = run_.control.look(memory_);
      stop = memory_.load_relaxed(run_.dog.stop) != 0;
    }
    stop = unit_.any(stop) || stopped(clock);
    gate_word = unit_.shuffle(gate_word, 0);
    if (stop || gate::state(gate_word) == gate::stopped) {
      if (unit_.thread_rank() == 0) memory_.store_release(&words_.ended, 1U);
      return;
    }
    if (gate::state(gate_word) != gate::open) return;
    std::int32_t waiting = 0;
    int const type = choose(gate::phase(gate_word), waiting);
    if (unit_.thread_rank() != 0) return;
    if (type >= 0) {
      claim(type, waiting, std::make_integer_sequence<int, num_types>{});
    } else {
      run_.control.advance(memory_);
    }
  }

  // The block's finished tasks into the global counts.
  GRIDLOOM_FN void settle() {
    for (int p = 0; p <= queue_type::num_phases; ++p) {
      std::int32_t const n = memory_.load_relaxed(words_.finished + p);
      if (n == 0) continue;
      memory_.fetch_sub_acq_rel(words_.finished + p, n);
      run_.control.lower(memory_, p - 1, n);
    }
  }

  GRIDLOOM_FN bool stopped(watch& clock) {
    if (!clock.due()) return false;
    if (!unit_.any(clock.out_of_time(memory_))) return false;
    if (unit_.thread_rank() == 0) {
      auto const left = memory_.load_relaxed(&run_.control.words->total);
      clock.note(wait_kind::queue, 0, static_cast<std::uint64_t>(left), 0);
    }
    return true;
  }

  // A task type that may run and has items, and how many; blocks begin their search at different
  // ones. Each thread looks at one queue, so a search costs one load however many there are.
  GRIDLOOM_FN int choose(int phase, std::int32_t& waiting) {
    ++turn_;
    for (int begin = 0; begin < num_types; begin += unit_.num_threads()) {
      int const i = begin + unit_.thread_rank();
      int const type =
          static_cast<int>((turn_ + static_cast<std::uint32_t>(unit_.index() + i)) % num_types);
      std::int32_t count = 0;
      if (i < num_types && runs_in(type, phase)) {
        count = memory_.load_relaxed(&run_.words[type].count);
      }
      std::uint32_t const found = unit_.ballot(count > 0);
      if (found == 0) continue;
      waiting = unit_.shuffle(count, first_lane(found));
      return unit_.shuffle(type, first_lane(found));
    }
    return -1;
  }
  GRIDLOOM_FN static bool runs_in(int type, int phase) {
    int const own = queue_type::phase_of(type);
    return own < 0 || own == phase;
  }

  template <int... Types>
  GRIDLOOM_FN void claim(int type, std::int32_t waiting, std::integer_sequence<int, Types...>) {
    ((type == Types ? claim_type<std::tuple_element_t<Types, typename queue_type::types>>(waiting)
                    : void()),
     ...);
  }
  template <class Type>
  GRIDLOOM_FN void claim_type(std::int32_t waiting) {
    constexpr int index = queue_type::template index_of<Type>();
    constexpr int team = units_of<Type, Unit>;
    auto const workers = static_cast<std::int32_t>(workers_of(index));
    // What the idle units can execute at once, or the block's share of a long queue.
    std::int32_t const idle = units_ - memory_.load_relaxed(&words_.busy);
    std::int32_t const at_once = (idle < 1 ? 1 : idle) * workers / team;
    std::int32_t const fair = waiting / (2 * blocks_);
    std::int32_t const most = most_rounds * units_ * workers / team;
    std::int32_t wanted = fair < most ? fair : most;
    if (wanted < at_once) wanted = at_once;
    if (wanted < 1) wanted = 1;
    std::uint32_t first = 0;
    auto const& queue = run_.template queue_of<Type>();
    std::int32_t const granted = queue.claim(memory_, wanted, first);
    if (granted == 0) return;
    if (!run_.control.may_run(memory_, queue_type::phase_of(index))) {
      worker_.template put_back<Type>(first, granted);
      return;
    }
    memory_.store_release(&words_.range,
                          range::word(index, static_cast<std::uint32_t>(granted), first));
  }

  Run const& run_;
  Unit const& unit_;
  unit_worker<Run, Unit>& worker_;
  words_type& words_;
  int units_;
  int blocks_;
  std::uint32_t turn_ = 0;
  direct_memory memory_;
};

}  // namespace gridloom::mhive
