#pragma once
// The order of PETS as numbers to be sorted: level ascending, rank descending; ties by ACC come
// from sorting by it before.

#include "gridloom/atomic.hpp"
#include "gridloom/group.hpp"
#include "pets/device_graph.hpp"

namespace gridloom::pets {

/// Largest values, which tell how many bits a key needs.
struct largest_values {
  time_value rank;
  time_value cost_sum;
  std::uint64_t level;
};

struct largest_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;

  std::uint32_t num_tasks;
  time_value const* ranks;
  std::uint32_t const* levels;
  time_value const* cost_sums;
  largest_values* result;  // zeros before

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    auto const each = block.thread();
    auto const step = static_cast<std::uint32_t>(each.count());
    largest_values mine{0, 0, 0};
    for (auto task = static_cast<std::uint32_t>(each.index()); task < num_tasks; task += step) {
      if (ranks[task] > mine.rank) mine.rank = ranks[task];
      if (cost_sums[task] > mine.cost_sum) mine.cost_sum = cost_sums[task];
      if (levels[task] > mine.level) mine.level = levels[task];
    }
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

/// Words of in_order.hpp to arrays.
struct untag_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;

  std::uint32_t num_tasks;
  tagged<time_value> const* found;
  time_value* ranks;
  std::uint32_t* levels;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    auto const each = block.thread();
    auto const step = static_cast<std::uint32_t>(each.count());
    for (auto task = static_cast<std::uint32_t>(each.index()); task < num_tasks; task += step) {
      ranks[task] = found[task].value;
      levels[task] = found[task].tag - 1;
    }
  }
};

/// 0, 1, 2, ... to be sorted by ACC first.
struct numbers_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;

  std::uint32_t num_tasks;
  std::uint32_t* numbers;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    auto const each = block.thread();
    auto const step = static_cast<std::uint32_t>(each.count());
    for (auto i = static_cast<std::uint32_t>(each.index()); i < num_tasks; i += step) {
      numbers[i] = i;
    }
  }
};

/// The level's bits above those of `most - rank`.
struct keys_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;

  std::uint32_t num_tasks;
  std::uint32_t const* tasks;
  time_value const* ranks;
  std::uint32_t const* levels;
  time_value most;
  int rank_bits;
  std::uint64_t* keys;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    auto const each = block.thread();
    auto const step = static_cast<std::uint32_t>(each.count());
    for (auto i = static_cast<std::uint32_t>(each.index()); i < num_tasks; i += step) {
      std::uint32_t const task = tasks[i];
      std::uint64_t const level = rank_bits >= 64 ? 0 : std::uint64_t{levels[task]} << rank_bits;
      keys[i] = level | (most - ranks[task]);
    }
  }
};

/// Levels of tasks in an order, as keys of their own where both do not fit one.
struct level_keys_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;

  std::uint32_t num_tasks;
  std::uint32_t const* tasks;
  std::uint32_t const* levels;
  std::uint64_t* keys;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    auto const each = block.thread();
    auto const step = static_cast<std::uint32_t>(each.count());
    for (auto i = static_cast<std::uint32_t>(each.index()); i < num_tasks; i += step) {
      keys[i] = levels[tasks[i]];
    }
  }
};

}  // namespace gridloom::pets
