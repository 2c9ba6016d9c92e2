#pragma once
// Triangular solve level by level, as a user who knows the levels would write it. The rounds are
// those of in_order_solve.hpp. The barrier between two levels is the end of a kernel, or a barrier
// of the grid or of a cluster.
//
// Rules of order, cited where they are served:
// WS.R1. A row's predecessors have earlier levels. The barrier orders their x before the row.
// WS.R2. All blocks leave at the same barrier: SR.R1 to SR.R3 of rivals/stop_rule.hpp.
// WS.R3. Before a level begins, a warp reads L and b of its first round. No launch writes these.

#include "apps/sptrsv/round_body.hpp"
#include "gridloom/taskgraph/rivals/barriers.hpp"
#include "gridloom/taskgraph/rivals/next_launch.hpp"
#include "gridloom/taskgraph/rivals/stop_rule.hpp"
#include "gridloom/watchdog.hpp"

namespace gridloom::wavefront::sptrsv {

struct wave_ref {
  system_ref of;
  round_info const* rounds;
  /// The x of each position.
  double* values;
};

/// The data of a warp's first round in a level that may be read before the level begins (WS.R3).
struct first_of_level {
  std::uint32_t at = 0;
  std::uint32_t end = 0;
  round_info round;
  lane_round mine;
};

template <thread_group Block>
GRIDLOOM_FN first_of_level read_first(Block const& block, wave_ref const& shared,
                                      std::uint32_t begin, std::uint32_t end) {
  auto const warp = block.warp();
  first_of_level first;
  first.at = begin + static_cast<std::uint32_t>(warp.index());
  first.end = end;
  if (first.at >= end) return first;
  first.round = shared.rounds[first.at];
  read_round(warp, shared.of, first.round, read_number(warp, shared.of, first.round), first.mine);
  return first;
}

/// Solves the rounds of one level, spread over the grid.
template <thread_group Block>
GRIDLOOM_FN void solve_level(Block const& block, wave_ref const& shared,
                             first_of_level const& first) {
  auto const warp = block.warp();
  round_info round = first.round;
  lane_round mine = first.mine;
  for (std::uint32_t r = first.at; r < first.end; r += static_cast<std::uint32_t>(warp.count())) {
    if (r != first.at) {
      round = shared.rounds[r];
      read_round(warp, shared.of, round, read_number(warp, shared.of, round), mine);
    }
    double sum = 0;
    lane_batch batch = mine.first;
    for (std::uint32_t step = 0; step < round.steps; step += batch_steps) {
      GRIDLOOM_UNROLL
      for (std::uint32_t j = 0; j < batch_steps; ++j) {
        if (batch.from[j] != nothing)
          sum += batch.factor[j] * shared.values[batch.from[j]];  // WS.R1
      }
      read_batch(warp, shared.of, round, step + batch_steps, batch);
    }
    double const total = sum_of_row(warp, round, sum);
    if (!leads_row(warp, round)) continue;
    double const value = mine.right_side * mine.inverse - total;
    shared.values[position_of(warp, round)] = value;
    shared.of.x[mine.number] = value;
  }
}

/// One launch per level.
template <bool Overlap>
struct wave_kernel {
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = Overlap;
  static constexpr int max_threads = most_planned_threads;
  using scratch = no_scratch;

  wave_ref shared;
  std::uint32_t begin;
  std::uint32_t end;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    if constexpr (Overlap) let_next_launch_begin();
    first_of_level const first = read_first(block, shared, begin, end);  // WS.R3
    if constexpr (Overlap) block.wait_for_previous_launch();             // WS.R1
    solve_level(block, shared, first);
  }
};

/// All levels in one persistent kernel, with a barrier after each.
template <class Barrier>
struct waves_kernel {
  static constexpr bool persistent = true;
  static constexpr int max_threads = most_planned_threads;
  /// Number of levels between two looks at the word of WS.R2.
  static constexpr std::uint32_t levels_a_look = 16;
  using scratch = no_scratch;

  wave_ref shared;
  std::uint32_t levels;
  /// Array of number of levels + 1 entries: the first round of each level.
  std::uint32_t const* level_rounds;
  /// The level before which all blocks stop; `nothing` at first.
  std::uint32_t* stop_level;
  watchdog_ref dog;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    direct_memory memory;
    watch patience(dog, block.index());
    bool const asks = is_first_of_grid(block);
    wave_stop stop(levels_a_look);
    first_of_level first = read_first(block, shared, level_rounds[0], level_rounds[1]);
    for (std::uint32_t level = 0; level < levels; ++level) {
      stop.look(memory, stop_level, level);  // WS.R2
      solve_level(block, shared, first);
      if (level + 1 < levels)
        first =
            read_first(block, shared, level_rounds[level + 1], level_rounds[level + 2]);  // WS.R3
      stop.ask(memory, stop_level, asks, patience, level, levels);                        // WS.R2
      Barrier::meet(block);           // WS.R1, WS.R2
      if (stop.leaves(level)) break;  // WS.R2
    }
  }
};

}  // namespace gridloom::wavefront::sptrsv
