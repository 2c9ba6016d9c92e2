#pragma once
// Triangular solve in order: no barrier between levels, no counter, no flag. Warps take rounds of
// rows level by level, with one or more lanes per row. They poll the x of a row's predecessors
// until all have arrived. The idea is that of ours/in_order.hpp. A number of 64 bits leaves no room
// for the number of the run, so the word itself says whether it has been written (value_word.hpp).
//
// Passing x from one multiprocessor to another takes longer than solving a row. So one block solves
// a sequence of narrow levels, called a pack. The block writes each x into the words for all
// blocks, and into a ring in its shared memory. A counter beside the ring holds the number of pack
// rounds that the block has finished. A level waits until the rounds of all earlier levels are
// counted.
//
// While a warp waits, it loads what its next rounds need: entries and b one round ahead, row
// numbers two rounds ahead, and the round itself three rounds ahead. In a pack it also loads the x
// that are not in the ring before its level begins.
//
// Rules of order, cited where they are served:
// IS.R1. A word is a number or empty, and is read or written in one access. The warp that solves a
//     row writes its word, once per run. Nothing else is read after a word, so no fence is needed,
//     and all accesses are relaxed.
// IS.R2. Two arrays of words are used in alternate runs. The warp that writes a row's word in one
//     array empties the row's word in the other. So a run finds its array empty: the previous run
//     emptied it, and its launch has ended.
// IS.R3. A round of a pack begins when its block has finished the rounds of all earlier levels, in
//     this pack and in earlier ones. Each round adds 1 to the block's count when its x are in the
//     ring. So everything that a level reads from the ring has been written. A level reads no slot
//     that it writes itself (`deal` ensures this), so no warp overwrites what another still reads.
//     The count only rises, from 0 in each run.
// IS.R4. Progress. Let p be the smallest position without x, r its round, w the warp of r.
//     a. w takes its rounds in rising order, and all warps are resident. Rounds of w before r hold
//        smaller positions, so they are done, and w is at r.
//     b. The pack rounds that r waits for hold smaller positions, too. So they have been counted.
//     c. r's gate is a position below p, so the word of the gate has been written.
//     d. All rows of a round have the same level. Their predecessors have earlier levels, at
//        positions below p. So all words that w waits for have been written, and p gets its x.
// IS.R5. End: a warp leaves after its last round, or when the watchdog stops the run.

#include <type_traits>

#include "apps/sptrsv/round_body.hpp"
#include "gridloom/atomic.hpp"
#include "gridloom/watchdog.hpp"
#include "level_counter.hpp"
#include "value_word.hpp"

namespace gridloom::wavefront::sptrsv {

/// The data that all warps share.
struct in_order_ref {
  system_ref of;
  round_info const* rounds;
  /// Array of number of warps + 1 entries: the first round of each warp.
  std::uint32_t const* offsets;
  /// Arrays of one word per position: for this run, and for the runs before and after it.
  value_word* words;
  value_word* others;
  /// Number of slots of each block's ring. One more slot after them holds 0.
  std::uint32_t near_slots = sptrsv::near_slots;
};

// The count orders accesses to the ring (IS.R3), so plain accesses suffice. Under a memory model in
// tests, `Memory` makes these accesses.
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

/// One warp of the solver. `Packs`: whether the warp may have rounds of packs. All threads of the
/// warp call the members together.
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
  /// The round with this number. After the last one, an empty round.
  GRIDLOOM_FN round_info round_at(std::uint32_t at, std::uint32_t end) const {
    return at < end ? shared_.rounds[at] : round_info{};
  }
  /// A lane's batch in a round of a pack.
  struct packed_batch {
    /// The slot of x in the ring. If x is not in the ring, the extra slot, which holds 0.
    value_word const* near[batch_steps];
    /// x if it is not in the ring, else 0. So a bitwise or of `*near` and `seen` gives x.
    value_word seen[batch_steps];
  };

  /// Runs a round of a pack. Later levels wait while the round waits for earlier levels, adds up,
  /// and counts itself. So this part is short, and all other work comes before or after it.
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
  /// Waits for the rounds of earlier levels (IS.R3). Returns false if the watchdog stopped the run.
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
  /// Adds up all batches except the first. Returns false if the watchdog stopped the run.
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
  /// Prepares a batch before its level begins: waits for the x that are not in the ring. Returns
  /// false if the watchdog stopped the run.
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
  /// The step of the first empty word; batch_steps if no word is empty.
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

  /// Adds up the last batch, and writes each row as soon as all its lanes are ready. After the last
  /// missing word arrives, the row's word is written without any other load.
  GRIDLOOM_FN void solve_last(round_info const& round, lane_round const& mine,
                              lane_batch const& batch, double sum) {
    std::uint32_t const row_lanes = 1U << round.log2_lanes;
    // A bit is set for the first lane of each row that has not been written.
    std::uint32_t open = row_lanes == 32 ? 1U : ~0U / ((1U << row_lanes) - 1U);
    if (warp_.num_threads() < 32) open &= (1U << warp_.num_threads()) - 1U;
    own_places const own = own_of(position_of(warp_, round));
    std::uint32_t found = 0;
    // Whether a look may find further words.
    bool looks = true;
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

  /// Loads all missing words once. Adds the found ones up in the order of the entries.
  GRIDLOOM_FN void look(lane_batch const& batch, std::uint32_t& found, double& sum) {
    // All loads are issued before the first result is used.
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

  /// Waits until the first missing word of some lane has arrived. Every lane whose word has arrived
  /// adds it. Returns false if the watchdog stopped the run. The loop is short, so that a spinning
  /// warp leaves most issue slots to the other warps of its block.
  GRIDLOOM_FN bool wait(lane_batch const& batch, std::uint32_t& found, double& sum) {
    value_word const* lacking = nullptr;
    double factor = 0;
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch_steps; ++j) {
      if (j == found && batch.from[j] != nothing) lacking = shared_.words + batch.from[j];
      if (j == found) factor = batch.factor[j];
    }
    // A host worker yields after each look.
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

  /// Where to write the x of a lane's row. Computed before the row waits, so that the row's word is
  /// written at once after the last missing word has arrived.
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
  /// Whether the watchdog stopped the run. If so, the first waiting lane notes its position.
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

/// Shared memory of a block.
struct near_ring {
  /// The slots of the ring, and an extra slot that holds 0.
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
