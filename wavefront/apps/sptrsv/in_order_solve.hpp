#pragma once
// Triangular solve in order: no barrier between levels, no counter, no flag. Warps take rounds of rows
// level by level, a lane or several a row, and look at the x of a row's predecessors until they are
// there. The idea is that of wavefront/in_order.hpp; a number of 64 bits has no room for the run's, so
// its word says whether it is there (value_word.hpp).
//
// A trip from one multiprocessor to another costs more than a row. So a run of narrow levels, a pack,
// is one block's: beside the words that all can see it writes x into memory of its own, and looks
// there for what its own rows left.
//
// While a warp waits it has asked for what it needs of its next round: for its entries and its b a
// round ahead, for the numbers of its rows two, for the round itself three.
//
// Rules of order, cited where they are served:
// R1. A word is a number or empty, in one access. Each is written once a run, by who solved the row.
//     Nothing else is read behind a word, so no fence is needed, and all accesses are relaxed.
// R2. Two arrays of words take turns. Who writes a row's word in one empties the row's word in the
//     other: a run finds its array empty, because the run before emptied it and its launch has ended.
// R3. A block's near words belong to one pack. All warps of the block meet before they are emptied, so
//     nobody looks at them for the pack before; and meet again after it, so nobody writes earlier.
//
// R4. Progress. Let p be the smallest position without x, r its round, w its warp.
//     a. w takes its rounds in rising order, and all warps are resident. Rounds of w before r hold
//        smaller positions, so they are done, and w is at r or waits to meet its block before it.
//     b. It meets its block: r is w's first round of a pack. Each warp of the block has a round in
//        each of the block's packs, so all meet as often. Rounds of other warps of the block before
//        that pack hold smaller positions, so they are done, and these warps come to meet, too.
//     c. r's gate is a position below p, so its word is there.
//     d. Rows of a round are of one level, and all that they look at is of levels before it, at
//        positions below p. So it is there, whatever lane waits for it, and p gets its x.
// R5. End: a warp leaves when its rounds are over. When the watchdog says so it looks at no more
//     words, and goes on to meet its block until then.

#include "gridloom/atomic.hpp"
#include "gridloom/watchdog.hpp"
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
};

/// One warp. Members are collective.
template <warp_group Warp, class Memory = direct_memory>
class in_order_solver {
 public:
  GRIDLOOM_FN in_order_solver(in_order_ref const& shared, Warp warp, value_word* near,
                              watch& patience, Memory memory = {})
      : shared_(shared), warp_(warp), near_(near), patience_(patience), memory_(memory) {}

  template <thread_group Block>
  GRIDLOOM_FN void run(Block const& block) {
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
      if (now.enters != 0) empty_near(block, now);
      if (!stopped_) solve(now, mine);  // R5
      if (++at == end) return;
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
  /// R3.
  template <thread_group Block>
  GRIDLOOM_FN void empty_near(Block const& block, round_info const& round) {
    block.sync();
    for (auto k = static_cast<std::uint32_t>(block.thread_rank()); k < round.near_rows;
         k += static_cast<std::uint32_t>(block.num_threads()))
      memory_.store_relaxed(near_ + k, empty_word);
    block.sync();
  }

  GRIDLOOM_FN void solve(round_info const& round, lane_round const& mine) {
    if (!pass_gate(round.gate)) return;
    double sum = 0;
    lane_batch batch = mine.first;
    for (std::uint32_t step = 0; step + batch_steps < round.steps; step += batch_steps) {
      lane_batch next;
      read_batch(warp_, shared_.of, round, step + batch_steps, next);
      value_word const* places[batch_steps];
      find(round, batch, places);
      std::uint32_t found = 0;
      for (;;) {
        look(batch, places, found, sum);
        if (!warp_.any(found < batch_steps)) break;
        if (!wait(batch, places, found, sum)) return;
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
    value_word const* places[batch_steps];
    find(round, batch, places);
    own_places const own = own_of(round);
    std::uint32_t found = 0;
    bool looks = true;  // whether the words after the last one found may be there
    for (;;) {
      if (warp_.any(looks)) {
        if (looks) look(batch, places, found, sum);
        looks = false;
      } else {
        std::uint32_t const before = found;
        if (!wait(batch, places, found, sum)) return;
        looks = found != before && found != batch_steps;
      }
      std::uint32_t ready = warp_.ballot(found == batch_steps);
      for (std::uint32_t width = 1; width < row_lanes; width *= 2) ready &= ready >> width;
      std::uint32_t const new_rows = ready & open;
      if (new_rows != 0) {
        double const total = sum_of_row(warp_, round, sum);
        if (leads_row(warp_, round) && (new_rows >> warp_.thread_rank() & 1U) != 0)
          publish(own, mine.number, mine.right_side * mine.inverse - total);
        open &= ~new_rows;
        if (open == 0) return;
      }
    }
  }

  /// Where the x of a batch will be.
  GRIDLOOM_FN void find(round_info const& round, lane_batch const& batch,
                        value_word const* (&places)[batch_steps]) const {
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch_steps; ++j) {
      std::uint32_t const near = batch.from[j] - round.near_first;
      places[j] = near < round.near_rows ? near_ + near : shared_.words + batch.from[j];
    }
  }

  /// One look at what is not there yet. Adds up in the order of entries, whatever comes first.
  GRIDLOOM_FN void look(lane_batch const& batch, value_word const* const (&places)[batch_steps],
                        std::uint32_t& found, double& sum) {
    // All words are asked for before any answer is looked at.
    value_word seen[batch_steps];
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch_steps; ++j) {
      seen[j] = 0;
      if (j >= found && batch.from[j] != nothing) seen[j] = memory_.load_relaxed(places[j]);  // R1
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
  GRIDLOOM_FN bool wait(lane_batch const& batch, value_word const* const (&places)[batch_steps],
                        std::uint32_t& found, double& sum) {
    value_word const* lacking = nullptr;
    double factor = 0;
    GRIDLOOM_UNROLL
    for (std::uint32_t j = 0; j < batch_steps; ++j) {
      if (j == found) lacking = places[j];
      if (j == found) factor = batch.factor[j];
    }
    // A host worker gives way after each look.
    unsigned const turns = warp_.num_threads() == 1 ? 1 : 64;
    for (unsigned attempt = 0;; ++attempt) {
      for (unsigned turn = 0; turn < turns; ++turn) {
        value_word seen = empty_word;
        if (lacking != nullptr) seen = memory_.load_relaxed(lacking);  // R1
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
    /// Null outside packs.
    value_word* near;
    value_word* word;
    value_word* other;
  };
  GRIDLOOM_FN own_places own_of(round_info const& round) const {
    std::uint32_t const position = position_of(warp_, round);
    std::uint32_t const near = position - round.near_first;
    return {near < round.near_rows ? near_ + near : nullptr, shared_.words + position,
            shared_.others + position};
  }
  GRIDLOOM_FN void publish(own_places const& own, std::uint32_t number, double value) {
    value_word const word = word_of(value);
    if (own.near != nullptr) memory_.store_relaxed(own.near, word);  // R1, R3
    memory_.store_relaxed(own.word, word);                           // R1
    memory_.store_relaxed(own.other, empty_word);                    // R2
    shared_.of.x[number] = value;
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
  watch& patience_;
  Memory memory_;
  bool stopped_ = false;
};

struct in_order_kernel {
  static constexpr bool persistent = true;
  static constexpr int max_threads = most_planned_threads;
  struct scratch {
    value_word near[most_near_rows];
  };

  in_order_ref shared;
  watchdog_ref dog;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& local) const {
    auto const warp = block.warp();
    watch patience(dog, warp.index());
    in_order_solver<decltype(block.warp())>(shared, warp, local.near, patience).run(block);
  }
};

}  // namespace gridloom::wavefront::sptrsv
