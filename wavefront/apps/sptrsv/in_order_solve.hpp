#pragma once
// Triangular solve in order: no barrier between levels, no counter, no flag. Warps take rounds of rows
// level by level, a lane or several a row, and look at the x of a row's predecessors until they are
// there. The idea is that of ours/in_order.hpp; a number of 64 bits has no room for the run's, so
// its word says whether it is there (value_word.hpp).
//
// A trip from one multiprocessor to another costs more than a row. So a run of narrow levels, a pack,
// is one block's: beside the words that all can see it writes x into a ring in memory of its own. A
// count in that memory says how many rounds of packs the block has ended; a level waits for those of
// the levels before.
//
// While a warp waits it has asked for what it needs of its next round: for its entries and its b a
// round ahead, for the numbers of its rows two, for the round itself three; and in a pack, before its
// level begins, for x that is not in the ring.
//
// Rules of order, cited where they are served:
// IS.R1. A word is a number or empty, in one access. Each is written once a run, by who solved the row.
//     Nothing else is read behind a word, so no fence is needed, and all accesses are relaxed.
// IS.R2. Two arrays of words take turns. Who writes a row's word in one empties the row's word in the
//     other: a run finds its array empty, because the run before emptied it and its launch has ended.
// IS.R3. A round of a pack begins when its block has ended those of all levels before, of this pack and of
//     packs before it: each round adds 1 to the block's count when its x are in the ring. So what a
//     level reads of the ring has been written; and what it writes there nobody reads any more: a level
//     reads no slot that it writes itself (deal). The count only rises, and from 0 in each run.
// IS.R4. Progress. Let p be the smallest position without x, r its round, w its warp.
//     a. w takes its rounds in rising order, and all warps are resident. Rounds of w before r hold
//        smaller positions, so they are done, and w is at r.
//     b. Rounds that r's count stands for hold smaller positions, too, and have been counted.
//     c. r's gate is a position below p, so its word is there.
//     d. Rows of a round are of one level, and all that they look at is of levels before it, at
//        positions below p. So it is there, whatever lane waits for it, and p gets its x.
// IS.R5. End: a warp leaves when its rounds are over, or when the watchdog says so.

#include <type_traits>

#include "gridloom/atomic.hpp"
#include "gridloom/watchdog.hpp"
#include "level_counter.hpp"
#include "round_body.hpp"
#include "value_word.hpp"

namespace gridloom::wavefront::sptrsv {

/// What all warps share.
struct in_order_ref {
  system_ref of;
  round_info const* rounds;
  /// Warps + 1.
  std::uint32_t const* offsets;
  /// By position: this run's, and those of the run before and after it.
  value_word* words;
  value_word* others;
  /// Of each block's ring; behind it is one more, which has 0.
  std::uint32_t near_slots = sptrsv::near_slots;
};

// The count orders the ring (IS.R3), so plain accesses do; those of a model are its own.
template <class Memory>
GRIDLOOM_FN value_word load_near(Memory& memory, value_word const* slot) {
  return memory.load_relaxed(slot);
}
GRIDLOOM_FN inline value_word load_near(direct_memory&, value_word const* slot) { return *slot; }
template <class Memory>
GRIDLOOM_FN void store_near(Memory& memory, value_word* slot, value_word word) {
  memory.store_relaxed(slot, word);
}
GRIDLOOM_FN inline void store_near(direct_memory&, value_word* slot, value_word word) {
  *slot = word;
}

/// One warp; Packs: whether it may have rounds of packs. Members are collective.
template <bool Packs, warp_group Warp, class Memory = direct_memory, class Counter = level_counter>
class in_order_solver {
 public:
  GRIDLOOM_FN in_order_solver(in_order_ref const& shared, Warp warp, value_word* near,
                              Counter const& ended, watch& patience, Memory memory = {})
      : shared_(shared),
        warp_(warp),
        near_(near),
        ended_(ended),
        patience_(patience),
        memory_(memory) {}

  GRIDLOOM_FN void run() {
    std::uint32_t const end = shared_.offsets[warp_.index() + 1];
    std::uint32_t at = shared_.offsets[warp_.index()];
    if (at == end) return;
    round_info now = shared_.rounds[at];
    round_info then = round_at(at + 1, end);
    round_info after = round_at(at + 2, end);
    std::uint32_t number = read_number(warp_, shared_.of, then);
    lane_round mine;
    read_round(warp_, shared_.of, now, read_number(warp_, shared_.of, now), mine);
    for (;;) {
      round_info const last = round_at(at + 3, end);
      std::uint32_t const next_number = read_number(warp_, shared_.of, after);
      lane_round next;
      read_round(warp_, shared_.of, then, number, next);
      if (Packs && now.near_first != nothing)
        solve_packed(now, mine);
      else
        solve(now, mine);
      if (++at == end || stopped_) return;  // IS.R5
      now = then;
      then = after;
      after = last;
      number = next_number;
      mine = next;
    }
  }

 private:
  /// An empty one behind the last.
  GRIDLOOM_FN round_info round_at(std::uint32_t at, std::uint32_t end) const {
    return at < end ? shared_.rounds[at] : round_info{};
  }
  /// A lane's batch in a pack.
  struct packed_batch {
    /// Where x is in the ring; where it is not, the slot behind the ring, which has 0.
    value_word const* near[batch_steps];
    /// x where it is not in the ring, else 0: one of the two is x, and so are the bits of both.
    value_word seen[batch_steps];
  };

  /// A round of a pack. Between what its level waits for and what the next one waits for is as little as
  /// can be: all else comes before or behind.
  GRIDLOOM_FN void solve_packed(round_info const& round, lane_round const& mine) {
    double const start = mine.right_side * mine.inverse;
    std::uint32_t const position = position_of(warp_, round);
    bool const leads = leads_row(warp_, round);
    std::uint32_t const slot = round.near_first + (position - round.first);
    value_word* const own = near_ + (slot < shared_.near_slots ? slot : slot - shared_.near_slots);
    lane_batch second;
    read_batch(warp_, shared_.of, round, batch_steps, second);
    packed_batch first;
    if (!pass_gate(round.gate) || !prepare(mine.first, first) || !await(round)) return;
    double sum = 0;
    add_batch(mine.first, first, sum);
    if (!add_others(round, second, sum)) return;
    value_word const word = word_of(start - sum_of_row(warp_, round, sum));
    if (leads) store_near(memory_, own, word);  // IS.R1, IS.R3
    warp_.sync();
    if (warp_.thread_rank() == 0) ended_.add();  // IS.R3
    if (leads) publish(own_of(position), mine.number, word);
  }
  /// IS.R3; false if stopped by the watchdog.
  GRIDLOOM_FN bool await(round_info const& round) {
    unsigned const looks = warp_.num_threads() == 1 ? 1 : 16;
    for (;;) {
      for (unsigned look = 0; look < looks; ++look) {
        if (!warp_.any(!ended_.reached(round.after))) return true;
      }
      if (patience_.due() && out_of_time()) {
        if (warp_.thread_rank() == 0) patience_.note(wait_kind::task, round.first, 0, 1);
        return false;
      }
      if (warp_.num_threads() == 1) warp_.pause(0);
    }
  }
  /// All batches but the first; false if stopped by the watchdog.
  GRIDLOOM_FN bool add_others(round_info const& round, lane_batch batch, double& sum) {
    for (std::uint32_t step = batch_steps; step < round.steps; step += batch_steps) {
      lane_batch next;
      read_batch(warp_, shared_.of, round, step + batch_steps, next);
      packed_batch further;
      if (!prepare(batch, further)) return false;
      add_batch(batch, further, sum);
      batch = next;
    }
    return true;
  }
  GRIDLOOM_FN void add_batch(lane_batch const& batch, packed_batch const& of, double& sum) {
    value_word x[batch_steps];
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch_steps; ++j)
      x[j] = load_near(memory_, of.near[j]) | of.seen[j];  // IS.R3
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch_steps; ++j) sum += batch.factor[j] * value_of(x[j]);
  }

  GRIDLOOM_FN static bool is_far(std::uint32_t from) { return (from & near_bit) == 0; }
  /// What can be done for a batch before its level begins. Waits for x that are not in the ring; false
  /// if stopped by the watchdog.
  GRIDLOOM_FN bool prepare(lane_batch const& batch, packed_batch& of) {
    bool far = false;
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch_steps; ++j) {
      std::uint32_t const from = batch.from[j];
      bool const in_ring = !is_far(from) && from != nothing;
      of.near[j] = near_ + (in_ring ? from ^ near_bit : shared_.near_slots);
      of.seen[j] = is_far(from) ? empty_word : 0;
      far = far || is_far(from);
    }
    if (!warp_.any(far)) return true;
    for (unsigned attempt = 0;; ++attempt) {
      GRIDLOOM_UNROLL
      for (std::uint32_t j = 0; j < batch_steps; ++j) {
        if (of.seen[j] == empty_word)
          of.seen[j] = memory_.load_relaxed(shared_.words + batch.from[j]);  // IS.R1
      }
      std::uint32_t const found = first_empty(of.seen);
      if (!warp_.any(found != batch_steps)) return true;
      if (stop(batch, found)) return false;
      warp_.pause(attempt);
    }
  }
  /// Which word is not there; batch_steps: all are.
  GRIDLOOM_FN static std::uint32_t first_empty(value_word const (&seen)[batch_steps]) {
    std::uint32_t first = batch_steps;
    GRIDLOOM_UNROLL
    for (std::uint32_t j = batch_steps; j-- > 0;) {
      if (seen[j] == empty_word) first = j;
    }
    return first;
  }

  GRIDLOOM_FN void solve(round_info const& round, lane_round const& mine) {
    if (!pass_gate(round.gate)) return;
    double sum = 0;
    lane_batch batch = mine.first;
    for (std::uint32_t step = 0; step + batch_steps < round.steps; step += batch_steps) {
      lane_batch next;
      read_batch(warp_, shared_.of, round, step + batch_steps, next);
      std::uint32_t found = 0;
      for (;;) {
        look(batch, found, sum);
        if (!warp_.any(found < batch_steps)) break;
        if (!wait(batch, found, sum)) return;
        if (!warp_.any(found < batch_steps)) break;
      }
      batch = next;
    }
    solve_last(round, mine, batch, sum);
  }

  /// The last batch: as soon as all lanes of a row are ready, the row is written. A word that was
  /// waited for is not read again, and nothing else is read between it and the row's own.
  GRIDLOOM_FN void solve_last(round_info const& round, lane_round const& mine,
                              lane_batch const& batch, double sum) {
    std::uint32_t const row_lanes = 1U << round.log2_lanes;
    // A bit for each row's first lane.
    std::uint32_t open = row_lanes == 32 ? 1U : ~0U / ((1U << row_lanes) - 1U);
    if (warp_.num_threads() < 32) open &= (1U << warp_.num_threads()) - 1U;
    own_places const own = own_of(position_of(warp_, round));
    std::uint32_t found = 0;
    bool looks = true;  // whether the words after the last one found may be there
    for (;;) {
      if (warp_.any(looks)) {
        if (looks) look(batch, found, sum);
        looks = false;
      } else {
        std::uint32_t const before = found;
        if (!wait(batch, found, sum)) return;
        looks = found != before && found != batch_steps;
      }
      std::uint32_t ready = warp_.ballot(found == batch_steps);
      for (std::uint32_t width = 1; width < row_lanes; width *= 2) ready &= ready >> width;
      std::uint32_t const new_rows = ready & open;
      if (new_rows != 0) {
        double const total = sum_of_row(warp_, round, sum);
        if (leads_row(warp_, round) && (new_rows >> warp_.thread_rank() & 1U) != 0)
          publish(own, mine.number, word_of(mine.right_side * mine.inverse - total));
        open &= ~new_rows;
        if (open == 0) return;
      }
    }
  }

  /// One look at what is not there yet. Adds up in the order of entries, whatever comes first.
  GRIDLOOM_FN void look(lane_batch const& batch, std::uint32_t& found, double& sum) {
    // All words are asked for before any answer is looked at.
    value_word seen[batch_steps];
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch_steps; ++j) {
      seen[j] = 0;
      if (j >= found && batch.from[j] != nothing)
        seen[j] = memory_.load_relaxed(shared_.words + batch.from[j]);  // IS.R1
    }
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch_steps; ++j) {
      if (j != found || seen[j] == empty_word) continue;
      if (batch.from[j] != nothing) sum += batch.factor[j] * value_of(seen[j]);
      ++found;
    }
  }

  /// Returns when the first word that a lane lacks is there, for some lane, and adds it up for those
  /// lanes; false if stopped by the watchdog. A warp that spins leaves the block's others most of the
  /// instructions.
  GRIDLOOM_FN bool wait(lane_batch const& batch, std::uint32_t& found, double& sum) {
    value_word const* lacking = nullptr;
    double factor = 0;
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch_steps; ++j) {
      if (j == found && batch.from[j] != nothing) lacking = shared_.words + batch.from[j];
      if (j == found) factor = batch.factor[j];
    }
    // A host worker gives way after each look.
    unsigned const turns = warp_.num_threads() == 1 ? 1 : 64;
    for (unsigned attempt = 0;; ++attempt) {
      for (unsigned turn = 0; turn < turns; ++turn) {
        value_word seen = empty_word;
        if (lacking != nullptr) seen = memory_.load_relaxed(lacking);  // IS.R1
        if (!warp_.any(seen != empty_word)) continue;
        if (seen == empty_word) return true;
        sum += factor * value_of(seen);
        ++found;
        return true;
      }
      if (stop(batch, found)) return false;
      give_way(attempt);
    }
  }

  /// Where the x of a lane's row goes. Found before the row waits, so that nothing is between the last
  /// word that it lacks and its own.
  struct own_places {
    value_word* word;
    value_word* other;
  };
  GRIDLOOM_FN own_places own_of(std::uint32_t position) const {
    return {shared_.words + position, shared_.others + position};
  }
  GRIDLOOM_FN void publish(own_places const& own, std::uint32_t number, value_word word) {
    memory_.store_relaxed(own.word, word);         // IS.R1
    memory_.store_relaxed(own.other, empty_word);  // IS.R2
    shared_.of.x[number] = value_of(word);
  }

  GRIDLOOM_FN bool pass_gate(std::uint32_t gate) {
    if (gate == nothing) return true;
    bool const first = warp_.thread_rank() == 0;
    for (unsigned attempt = 0;
         !warp_.any(first && memory_.load_relaxed(shared_.words + gate) != empty_word); ++attempt) {
      if (patience_.due() && out_of_time()) {
        if (first) patience_.note(wait_kind::task, gate, 0, 1);
        return false;
      }
      warp_.pause(attempt);
    }
    return true;
  }

  GRIDLOOM_FN bool out_of_time() {
    stopped_ = warp_.any(warp_.thread_rank() == 0 && patience_.out_of_time(memory_));
    return stopped_;
  }
  /// Whether to look no more; the first lane that waits says for which position.
  GRIDLOOM_FN bool stop(lane_batch const& batch, std::uint32_t found) {
    if (!patience_.due() || !out_of_time()) return false;
    std::uint32_t from = nothing;
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch_steps; ++j) {
      if (j == found) from = batch.from[j];
    }
    std::uint32_t const waiting = warp_.ballot(from != nothing);
    if (waiting != 0 && warp_.thread_rank() == first_lane(waiting))
      patience_.note(wait_kind::task, from, 0, 1);
    return true;
  }

  in_order_ref const& shared_;
  Warp warp_;
  value_word* near_;
  Counter ended_;
  watch& patience_;
  Memory memory_;
  bool stopped_ = false;
};

/// A block's memory.
struct near_ring {
  /// The last one is behind the ring and has 0.
  value_word slots[near_slots + 1];
  std::uint32_t ended;
};

template <bool Packs>
struct in_order_kernel {
  static constexpr bool persistent = true;
  static constexpr int max_threads = most_planned_threads;
  using scratch = std::conditional_t<Packs, near_ring, no_scratch>;

  in_order_ref shared;
  watchdog_ref dog;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& local) const {
    if constexpr (Packs) {
      if (block.thread_rank() == 0) local.ended = 0, local.slots[near_slots] = 0;
      block.sync();
      solve(block, local.slots, &local.ended);
    } else {
      solve(block, nullptr, nullptr);
    }
  }

 private:
  template <thread_group Block>
  GRIDLOOM_FN void solve(Block const& block, value_word* near, std::uint32_t* ended) const {
    auto const warp = block.warp();
    watch patience(dog, warp.index());
    in_order_solver<Packs, decltype(block.warp())>(shared, warp, near, level_counter(ended),
                                                   patience)
        .run();
  }
};

}  // namespace gridloom::wavefront::sptrsv
