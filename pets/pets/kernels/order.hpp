#pragma once
// Sort keys for the order of PETS (4.3.3): level ascending, rank descending, sum of costs
// ascending. The sort is stable, so tasks with equal keys stay in the order of their numbers.
// Departure: keys are packed words; the thesis compares vectors of three numbers.

#include "gridloom/atomic.hpp"
#include "gridloom/device.hpp"
#include "gridloom/each.hpp"
#include "gridloom/sort/bitonic.hpp"
#include "pets/support/task_graph.hpp"

namespace gridloom::pets {

/// The values by which tasks are sorted, in a device's memory.
struct metrics_ref {
  std::uint32_t num_tasks;
  /// Sum of each task's costs: ACC times the number of processors.
  time_value const* cost_sums;
  time_value const* ranks;
  std::uint32_t const* levels;
};

/// Largest values, which determine how many bits a key needs.
struct largest_values {
  time_value rank;
  time_value cost_sum;
  std::uint64_t level;
};

struct largest_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;

  metrics_ref by;
  /// Must hold zeros before the launch.
  largest_values* result;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    largest_values mine{0, 0, 0};
    for_each(block, by.num_tasks, [&](std::uint32_t task) {
      if (by.ranks[task] > mine.rank) mine.rank = by.ranks[task];
      if (by.cost_sums[task] > mine.cost_sum) mine.cost_sum = by.cost_sums[task];
      if (by.levels[task] > mine.level) mine.level = by.levels[task];
    });
    auto const warp = block.warp();
    mine.rank = over_warp(warp, mine.rank);
    mine.cost_sum = over_warp(warp, mine.cost_sum);
    mine.level = over_warp(warp, mine.level);
    if (warp.thread_rank() != 0) return;
    direct_memory memory;
    memory.fetch_max_relaxed(&result->rank, mine.rank);
    memory.fetch_max_relaxed(&result->cost_sum, mine.cost_sum);
    memory.fetch_max_relaxed(&result->level, mine.level);
  }

 private:
  template <class Warp>
  GRIDLOOM_FN static std::uint64_t over_warp(Warp const& warp, std::uint64_t value) {
    int const n = warp.num_threads();
    for (int stride = 1; stride < n; stride *= 2) {
      int const from = warp.thread_rank() ^ stride;
      std::uint64_t const other = warp.shuffle(value, from < n ? from : warp.thread_rank());
      if (other > value) value = other;
    }
    return value;
  }
};

/// The parts of a key, highest bits first, and the bits where they begin.
struct key_parts {
  bool level = false;
  bool rank = false;
  /// Whether the key contains the sum of costs, from bit 0 on.
  bool cost_sum = false;
  int level_shift = 0;
  int rank_shift = 0;
  /// Number of bits of the whole key.
  int bits = 0;
};

/// Writes the keys of tasks in a given order, and their places in that order: 0, 1, 2, ...
struct make_keys {
  metrics_ref by;
  key_parts parts;
  time_value largest_rank;
  /// Null means the order of task numbers.
  std::uint32_t const* order;
  std::uint64_t* keys;
  std::uint32_t* places;

  GRIDLOOM_FN void operator()(std::uint32_t i) const {
    std::uint32_t const task = order == nullptr ? i : order[i];
    std::uint64_t key = 0;
    if (parts.level) key |= std::uint64_t{by.levels[task]} << parts.level_shift;
    if (parts.rank) key |= (largest_rank - by.ranks[task]) << parts.rank_shift;
    if (parts.cost_sum) key |= by.cost_sums[task];
    keys[i] = key;
    places[i] = i;
  }
};

/// Applies a permutation: `places` are places in `order`.
struct reorder {
  std::uint32_t const* order;
  std::uint32_t const* places;
  std::uint32_t* reordered;

  GRIDLOOM_FN void operator()(std::uint32_t i) const { reordered[i] = order[places[i]]; }
};

/// One step of the bitonic sort over all pairs. As in the thesis, the host launches each step.
struct bitonic_kernel {
  using scratch = bitonic_scratch<std::uint64_t, std::uint32_t>;
  static constexpr bool persistent = false;

  bitonic_step step;
  std::uint32_t num_pairs;
  std::uint64_t* keys;
  std::uint32_t* values;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    std::uint64_t const parts = step.num_parts(num_pairs);
    for (auto part = static_cast<std::uint64_t>(block.index()); part < parts;
         part += static_cast<std::uint64_t>(block.count())) {
      run_bitonic_step(block, step, keys, values, num_pairs, part, shared);
      block.sync();
    }
  }
};

}  // namespace gridloom::pets
