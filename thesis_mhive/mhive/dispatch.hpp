#pragma once
// Dispatch of work to the units of a megakernel's block, through words in shared memory (chapter
// 3.3). One idle unit at a time, the poller, reads the queues in global memory and claims a range
// of tickets for the whole block. The other units take tickets from the range. If every unit
// polled, all warps of the device would contend for the same few words. An L2 slice answers only
// about one access to a word per cycle.

#include <cstdint>

#include "gridloom/block_memory.hpp"
#include "mhive/type_dispatch.hpp"
#include "mhive/unit.hpp"

namespace gridloom::mhive {

/// The state of a block, in one word. It holds the tickets that the block claimed and no unit has
/// yet (task type, number, first), and the number of busy units. Both are in one word, so that a
/// unit does not count as idle between taking tickets and becoming busy.
namespace range {
inline constexpr std::uint64_t one_busy = std::uint64_t{1} << 32U;
inline constexpr std::uint64_t busy_bits = std::uint64_t{0xfff} << 32U;

GRIDLOOM_FN inline std::uint64_t word(int type, std::uint32_t n, std::uint32_t first) {
  return static_cast<std::uint64_t>(type) << 56U | std::uint64_t{n} << 44U | first;
}
GRIDLOOM_FN inline int type(std::uint64_t word) { return static_cast<int>(word >> 56U); }
GRIDLOOM_FN inline std::uint32_t count(std::uint64_t word) {
  return static_cast<std::uint32_t>(word >> 44U) & 0xfffU;
}
GRIDLOOM_FN inline int busy(std::uint64_t word) {
  return static_cast<int>((word & busy_bits) >> 32U);
}
GRIDLOOM_FN inline std::uint32_t first(std::uint64_t word) {
  return static_cast<std::uint32_t>(word);
}
/// Stands in place of the type when the run is over.
inline constexpr int over = 0xff;
}  // namespace range

/// The words of a block.
struct dispatch_words {
  std::uint64_t range;
  /// 1 while a unit polls, otherwise 0.
  std::uint32_t polling;
  /// Number of finished tasks that were not yet subtracted from the global counts: phaseless tasks,
  /// then others.
  std::int32_t finished[2];
  /// The gate's word under which tasks of a phase were claimed last. With a single phase it is
  /// always 0. Only for the poller.
  std::uint64_t gate;
};

/// One unit's access to its block's dispatch. All threads of the unit make the same calls.
template <class Run, class Unit>
class dispatcher {
  using queue_type = typename Run::queue_type;
  using control_type = control_ref<queue_type>;
  static constexpr int num_types = queue_type::num_types;
  static constexpr int num_phases = queue_type::num_phases;
  static constexpr int num_phaseless = queue_type::num_phaseless;
  static_assert(num_types < range::over, "a phase_queue has less than 255 task types");
  /// If a queue has at most this many items, they are claimed by compare-and-swap.
  static constexpr std::int32_t few_items = 16;
  /// Number of polls without work after which a block checks for the end of the phase itself.
  static constexpr std::uint32_t polls_before_advance = 64;
  /// Number of queues that one thread of the unit reads.
  static constexpr int queues_per_thread = std::is_same_v<Unit, thread_of_one>
                                               ? num_types
                                               : (num_types + unit_threads - 1) / unit_threads;

 public:
  GRIDLOOM_FN dispatcher(Run const& run, Unit const& unit, dispatch_words& words, int units,
                         int blocks)
      : run_(run), unit_(unit), words_(words), units_(units), blocks_(blocks) {}

  /// Takes work from the block's range.
  [[nodiscard]] GRIDLOOM_FN taken take() {
    std::uint64_t got = 0;
    if (unit_.thread_rank() == 0) got = take_from_range();
    got = unit_.shuffle(got, 0);
    unit_.sync();
    others_work_ = range::busy(got) != 0;
    return taken_from(got);
  }
  /// Whether units of the block executed tasks when `take` found none.
  [[nodiscard]] GRIDLOOM_FN bool others_work() const { return others_work_; }
  /// Records that `n` tasks of the type were executed. The unit is idle afterwards.
  GRIDLOOM_FN void done(int type, std::uint32_t n) {
    unit_.sync();
    if (unit_.thread_rank() != 0) return;
    std::int32_t* const finished = words_.finished + (queue_type::phase_of(type) < 0 ? 0 : 1);
    shared_.fetch_add_release(finished, static_cast<std::int32_t>(n));
    shared_.fetch_sub_relaxed(&words_.range, range::one_busy);
  }

  /// Makes a member of a team busy, without a task from the range.
  GRIDLOOM_FN void enter_team() {
    if (unit_.thread_rank() == 0) shared_.fetch_add_relaxed(&words_.range, range::one_busy);
  }
  GRIDLOOM_FN void leave_team() {
    if (unit_.thread_rank() == 0) shared_.fetch_sub_relaxed(&words_.range, range::one_busy);
  }

  /// Ends the run after its time limit. Called in each turn of a unit that waits for its team.
  GRIDLOOM_FN void check_time_sometimes(watch& clock) {
    if (clock.due()) check_time(clock);
  }
  /// The same, by a unit that has executed tasks for a long time.
  GRIDLOOM_FN void check_time(watch& clock) {
    if (unit_.any(clock.out_of_time(memory_)) && unit_.thread_rank() == 0) end();
  }

  /// Looks for work in global memory, unless another unit of the block does so. Returns whether
  /// this unit polled. `got` becomes the unit's own part of the work. Tasks for teams are handed to
  /// the units of the block.
  template <class Handed>
  GRIDLOOM_FN bool poll(watch& clock, Handed& handed, taken& got) {
    bool mine = false;
    bool empty = false;
    if (unit_.thread_rank() == 0) {
      mine = shared_.exchange_acquire(&words_.polling, 1U) == 0;
      // The previous poller may have claimed a range meanwhile.
      empty = mine && range::count(shared_.load_acquire(&words_.range)) == 0;
    }
    if (unit_.any(empty)) got = poll_as_only_one(clock, handed);
    unit_.sync();
    if (mine) shared_.store_release(&words_.polling, 0U);
    return unit_.any(mine);
  }

 private:
  GRIDLOOM_FN static taken taken_from(std::uint64_t word) {
    if (range::count(word) == 0) return {};
    return {range::type(word), range::first(word), range::count(word)};
  }

  // Drops the block's remaining range.
  GRIDLOOM_FN void end() { set_range(range::word(range::over, 1, 0), 0); }

  // Replaces an empty range and adds busy units. A range that says `over` stays.
  GRIDLOOM_FN void set_range(std::uint64_t word, std::uint64_t busy) {
    std::uint64_t held = shared_.load_acquire(&words_.range);
    for (;;) {
      bool const over = range::type(held) == range::over;
      std::uint64_t const wanted = (over ? held : word | (held & range::busy_bits)) + busy;
      std::uint64_t const before = shared_.exchange_if_release(&words_.range, held, wanted);
      if (before == held) return;
      held = before;
    }
  }

  GRIDLOOM_FN std::uint64_t take_from_range() {
    std::uint64_t held = shared_.load_acquire(&words_.range);
    for (;;) {
      std::uint32_t const there = range::count(held);
      int const type = range::type(held);
      if (there == 0 || type == range::over) return held;
      std::uint32_t const wanted = workers_of(type);
      std::uint32_t const n = there < wanted ? there : wanted;
      std::uint64_t const rest =
          there == n ? 0 : range::word(type, there - n, range::first(held) + n);
      std::uint64_t const busy = (held & range::busy_bits) + range::one_busy;
      std::uint64_t const before = shared_.exchange_if_acquire(&words_.range, held, rest | busy);
      if (before == held) return range::word(type, n, range::first(held));
      held = before;
    }
  }

  // Returns how many workers of the task type fit into a unit.
  GRIDLOOM_FN std::uint32_t workers_of(int type) const {
    int size = 1;
    with_type<queue_type>(type,
                          [&](auto tag) { size = threads_in_unit<typename decltype(tag)::type>; });
    int const workers = unit_.num_threads() / size;
    return static_cast<std::uint32_t>(workers > 0 ? workers : 1);
  }

  template <class Handed>
  GRIDLOOM_FN taken poll_as_only_one(watch& clock, Handed& handed) {
    bool const leads = unit_.thread_rank() == 0;
    std::uint64_t seen = 0;
    // The gate's new word.
    std::uint64_t to = 0;
    bool stop = false;
    std::uint64_t words[queues_per_thread];
    read_queues(words);
    unit_.sync();  // CT.R4
    finished_tasks ended;
    if (leads) ended = collect(seen);
    // Accesses to global memory that do not depend on each other are issued together.
    if (leads) {
      stop = memory_.load_relaxed(run_.dog.stop) != 0;
      if (!settled_) seen = run_.control.glance(memory_);
      to = settled_ ? run_.control.finish(memory_, seen, ended.phaseless, ended.phased) : seen;
      if (stop) to = gate::word(0, 0, gate::ended);
    }
    to = unit_.shuffle(to, 0);
    if (gate::state(to) != gate::open) {
      if (leads && (stop || gate::state(run_.control.move(memory_, seen, to)) == gate::ended)) {
        end();
      }
      return {};
    }
    std::uint64_t ready_word = 0;
    int const type = choose(gate::phase(to), words, ready_word);
    // The unit that finishes the last task of a phase moves the gate. In two cases no unit can do
    // so: phaseless tasks interfere, or a phase gets its tasks later. Then units without work move
    // it.
    if (leads && type < 0 && to == seen && (settled_ || has_polled_enough())) {
      to = run_.control.advance(memory_, seen);
    }
    gate_change change{run_.control, memory_, seen, to, control_type::is_sure(seen, to)};
    if (leads && change.needed() && (type < 0 || !change.runs)) {
      change.runs = run_.control.move(memory_, seen, to) == to;
      change.seen = to;
    }
    if (type < 0) {
      if (out_of_time(clock) && leads) end();
      return {};
    }
    fruitless_ = 0;
    taken got;
    if (is_for_team(type)) {
      hand_out(handed, type, ready_word, change);
    } else {
      got = claim(type, ready_word, leads, change);
    }
    if (leads && change.needed()) change();
    return got;
  }

  // Whether so many polls were in vain that the unit checks for the end of the phase. While others
  // work, units poll rarely, so a poll counts more.
  GRIDLOOM_FN bool has_polled_enough() {
    fruitless_ += others_work_ ? polls_before_advance / 4 : 1;
    if (fruitless_ < polls_before_advance) return false;
    fruitless_ = 0;
    return true;
  }

  // A change of the gate from `seen` to `to` that the poller makes.
  struct gate_change {
    control_type const& control;
    direct_memory& memory;
    std::uint64_t seen;
    std::uint64_t to;
    // Whether items that were queued before the change may run (CT.R4).
    bool runs;

    GRIDLOOM_FN bool needed() const { return to != seen; }
    GRIDLOOM_FN void operator()() {
      control.move(memory, seen, to);
      seen = to;
    }
  };

  struct finished_tasks {
    std::int32_t phaseless = 0;
    std::int32_t phased = 0;
  };
  // Takes the block's finished tasks, in order to subtract them from the global counts. If there
  // are any, sets `seen` to the gate's word. Tasks that have a phase belong to the current phase,
  // because a phase cannot end before its tasks are subtracted.
  GRIDLOOM_FN finished_tasks collect(std::uint64_t& seen) {
    finished_tasks ended;
    if (num_phaseless > 0) ended.phaseless = shared_.exchange_acquire(words_.finished + 0, 0);
    if (num_phases > 0) ended.phased = shared_.exchange_acquire(words_.finished + 1, 0);
    settled_ = ended.phaseless + ended.phased != 0;
    if (settled_) {
      bool const held = ended.phased != 0 || num_phases <= 1;
      seen = held ? words_.gate : run_.control.glance(memory_);
      memory_.batch_fence();  // CT.R1, CT.R7
    }
    return ended;
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

  // Each thread of the unit reads one queue's word, or a few.
  GRIDLOOM_FN void read_queues(std::uint64_t (&words)[queues_per_thread]) {
    for (int k = 0; k < queues_per_thread; ++k) {
      int const type = k * unit_.num_threads() + unit_.thread_rank();
      words[k] = type < num_types ? memory_.load_relaxed(&run_.words->queues[type].ready) : 0;
    }
  }
  // Chooses a task type that may run and has items, and returns its queue's word in `chosen`. The
  // search starts with another type each time, and differs from block to block.
  GRIDLOOM_FN int choose(int phase, std::uint64_t const (&words)[queues_per_thread],
                         std::uint64_t& chosen) {
    ++turn_;
    for (int step = 0; step < queues_per_thread; ++step) {
      int const k = static_cast<int>((turn_ + static_cast<unsigned>(step)) % queues_per_thread);
      int const type = k * unit_.num_threads() + unit_.thread_rank();
      std::uint32_t const found = unit_.ballot(ready::count(words[k]) > 0 && runs_in(type, phase));
      if (found == 0) continue;
      std::uint32_t const later = found & ~lanes_below(static_cast<int>((turn_ + index_) % 32));
      int const lane = first_lane(later != 0 ? later : found);
      chosen = unit_.shuffle(words[k], lane);
      return k * unit_.num_threads() + lane;
    }
    return -1;
  }
  GRIDLOOM_FN static bool runs_in(int type, int phase) {
    int const own = queue_type::phase_of(type);
    return own < 0 || own == phase;
  }

  // If there are more than four blocks per waiting task, only some blocks try to claim. A failed
  // claim lowers the count for a moment, which hides new tasks from others. A block that executes
  // tasks or has just finished some always tries, because it may have made these tasks.
  GRIDLOOM_FN bool may_claim(std::int32_t waiting) {
    if (waiting >= blocks_ || 4 * waiting >= blocks_ || settled_) return true;
    if (range::busy(shared_.load_acquire(&words_.range)) != 0) return true;
    std::uint32_t const draw = detail::spread(turn_ * 2654435761U + index_);
    return draw % static_cast<std::uint32_t>(blocks_) < static_cast<std::uint32_t>(4 * waiting);
  }

  // Claims items for the block, and takes the first of them for the unit. Makes the change of the
  // gate if that is still to do. One code for all types, because code of its own for each type would
  // not stay in the instruction cache.
  GRIDLOOM_FN taken claim(int type, std::uint64_t ready_word, bool leads, gate_change& change) {
    std::uint64_t mine = 0;
    if (leads && may_claim(ready::count(ready_word))) {
      // The block claims only what its idle units can execute at once. More tasks would wait in the
      // block and occupy slots of the ring. Producers, even the block's own, may wait for these
      // slots.
      std::int32_t const idle = units_ - range::busy(shared_.load_acquire(&words_.range));
      std::int32_t const at_once =
          (idle < 1 ? 1 : idle) * static_cast<std::int32_t>(workers_of(type));
      claimed_tickets const all = claim_for_block(type, ready_word, at_once, change);
      if (all.n > 0) {
        auto const n = static_cast<std::uint32_t>(all.n);
        std::uint32_t const workers = workers_of(type);
        std::uint32_t const own = n < workers ? n : workers;
        mine = range::word(type, own, all.first);
        if (n == own) {
          shared_.fetch_add_relaxed(&words_.range, range::one_busy);
        } else {
          set_range(range::word(type, n - own, all.first + own), range::one_busy);
        }
      }
    }
    return taken_from(unit_.shuffle(mine, 0));
  }

  // Claims tasks for the teams of the block, one for each unit without one. Each thread of the
  // caller serves one unit: it reads the item of that unit's task and frees its slot (TB.R5).
  template <class Handed>
  GRIDLOOM_FN void hand_out(Handed& handed, int type, std::uint64_t ready_word,
                            gate_change& change) {
    int const unit = unit_.thread_rank();
    if (!unit_.any(unit == 0 && may_claim(ready::count(ready_word)))) return;
    bool const reserved = unit < units_ && handed.change(shared_, unit, Handed::reserved);  // TB.R7
    std::uint32_t const places = unit_.ballot(reserved);
    claimed_tickets all;
    if (unit == 0 && places != 0) {
      all = claim_for_block(type, ready_word, count_lanes(places), change);
      shared_.fetch_add_relaxed(&words_.range, static_cast<std::uint64_t>(all.n) * range::one_busy);
    }
    std::int32_t const n = unit_.shuffle(all.n, 0);
    // The caller's own unit comes first, because it is awake.
    int const own = static_cast<int>(index_ % static_cast<std::uint32_t>(units_));
    std::int32_t rank =
        count_lanes(places & lanes_below(unit)) - count_lanes(places & lanes_below(own));
    if (rank < 0) rank += count_lanes(places);
    std::uint32_t const ticket = unit_.shuffle(all.first, 0) + static_cast<std::uint32_t>(rank);
    unit_.sync();  // CT.R8: what the claiming thread acquired, and its change of the gate
    if (reserved && rank >= n) handed.clear(shared_, unit);
    if (reserved && rank < n) {
      with_type<queue_type>(
          type, [&](auto tag) { read_for<typename decltype(tag)::type>(handed, unit, ticket); });
    }
    unit_.sync();
  }
  template <class Type, class Handed>
  GRIDLOOM_FN void read_for(Handed& handed, int unit, std::uint32_t ticket) {
    typename Type::work_item item;
    item_place const place = await<Type>(run_, unit_, ticket, item);
    // The run was stopped. The item stays in its place, where the run's report counts it.
    if (place == item_place::nowhere) {
      shared_.fetch_sub_relaxed(&words_.range, range::one_busy);
      handed.clear(shared_, unit);
      return;
    }
    handed.template item_of<Type>(unit) = item;
    leave<Type>(run_, ticket, item, place);
    handed.fill(shared_, unit, queue_type::template index_of<Type>(), ticket);
  }

  // Claims up to `most` tasks. A block takes its share of a short queue. Tasks begin soonest if
  // they are spread over all blocks.
  GRIDLOOM_FN claimed_tickets claim_for_block(int type, std::uint64_t ready_word, std::int32_t most,
                                              gate_change& change) {
    int const phase = queue_type::phase_of(type);
    std::int32_t const waiting = ready::count(ready_word);
    std::int32_t const share = (waiting + blocks_ - 1) / blocks_;
    std::int32_t const wanted = share < most ? share : most;
    claimed_tickets const got = claim_tickets(run_.words->queues[type], memory_, ready_word, wanted,
                                              waiting > few_items, change);
    if (got.n == 0) return {};
    std::uint64_t to = change.to;
    bool runs = change.runs && got.first == ready::head(ready_word);  // CT.R4
    if (!runs) {
      run_.control.fence_after_claim(memory_, phase);
      runs = run_.control.may_run(memory_, phase, to);
    }
    if (!runs) {
      with_type<queue_type>(
          type, [&](auto tag) { put_back<typename decltype(tag)::type>(run_, unit_, got); });
      return {};
    }
    if (num_phases > 1 && phase >= 0) words_.gate = to;  // CT.R7
    return got;
  }
  GRIDLOOM_FN static bool is_for_team(int type) {
    bool team = false;
    with_type<queue_type>(
        type, [&](auto tag) { team = units_of<typename decltype(tag)::type, Unit> > 1; });
    return team;
  }

  // Puts back claimed items whose phase ended between the claim and the check of the gate. They
  // wait until it is their phase's turn again. Static, because a member that is not inlined would
  // keep the dispatcher in local memory.
  template <class Type>
  GRIDLOOM_FN GRIDLOOM_NOINLINE static void put_back(Run const& run, Unit unit,
                                                     claimed_tickets from) {
    direct_memory memory;
    auto const& queue = run.template queue_of<Type>();
    for (std::int32_t i = 0; i < from.n; ++i) {
      std::uint32_t const ticket = from.first + static_cast<std::uint32_t>(i);
      typename Type::work_item item;
      item_place const place = await<Type>(run, unit, ticket, item);
      if (place == item_place::nowhere) return;
      leave<Type>(run, ticket, item, place);
      memory.fetch_add_relaxed(&queue.words->put_back, 1U);
      run.template put<Type>(memory, queue.reserve(memory, 1), item);
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
  /// Whether this poll subtracted finished tasks.
  bool settled_ = false;
  bool others_work_ = false;
  direct_memory memory_;
  block_memory shared_;
};

}  // namespace gridloom::mhive
