#pragma once
// Many small graphs at once, one graph per warp, in one launch. The steps are entry discovery,
// levels and ranks, the order (4.3.1 to 4.3.3), and selection of processors by append (4.3.4). All
// data that steps exchange is in the warp's part of shared memory, so no block waits for another.
//
// Levels are found front by front. The tasks of a front pass their ranks to their successors. A
// task joins the next front when its last predecessor has passed its rank. The order within a front
// varies, but the result does not. Maxima do not depend on it, and a task's place is the number of
// tasks that sort before it.

#include <concepts>
#include <type_traits>

#include "gridloom/atomic.hpp"
#include "gridloom/block_memory.hpp"
#include "gridloom/group.hpp"
#include "pets/ours/kernels/bid.hpp"
#include "pets/support/device_graph.hpp"

namespace gridloom::pets {

/// All graphs of a batch, joined into one. Their costs and weights are words of the scratch.
template <class Word>
struct batch_ref {
  graph_ref<Word> graphs;
  std::uint32_t num_graphs;
  /// First task of each graph; num_graphs + 1 entries.
  std::uint32_t const* begins;
};

/// One entry per task of all graphs, except for the makespans.
struct batch_results_ref {
  std::uint32_t* levels;
  time_value* ranks;
  /// Tasks of each graph in the order in which they are placed.
  std::uint32_t* order;
  time_value* finishes;
  std::uint32_t* processors;
  /// One entry per graph.
  time_value* makespans;
};

/// Limit for the sum of a graph's costs and weights. Up to this limit, a time and a processor's
/// number fit into 32 bits, and the bits are never all set.
inline constexpr time_value most_narrow_total = (time_value{1} << (32U - batch_processor_bits)) - 2;

/// A warp's data for its graph. Tasks and edges are numbered from 0.
template <std::uint32_t MostTasks, std::unsigned_integral Word>
struct batch_scratch {
  static_assert(MostTasks >= most_batch_processors && MostTasks <= 1024);
  using word = Word;
  using number = std::conditional_t<(MostTasks < 256), std::uint8_t, std::uint16_t>;
  using edge =
      std::conditional_t<(MostTasks * (MostTasks - 1) / 2 < 65536), std::uint16_t, std::uint32_t>;
  /// Number of edges whose targets are kept in this scratch. Other targets are read from the graph.
  static constexpr std::uint32_t most_kept = MostTasks < 512 ? 4 * MostTasks : 2 * MostTasks;

  /// Rank of each task. Before the task is visited, the part without its predecessors' largest
  /// rank.
  Word rank[MostTasks];
  union {
    Word cost_sum[MostTasks];
    /// After sort(): the end of the last task on each processor that has no thread of its own.
    Word free[MostTasks];
  };
  union {
    /// Until find_levels() is done: largest rank of each task's predecessors so far.
    Word above[MostTasks];
    /// After find_levels(): finish of each task.
    Word finish[MostTasks];
  };
  union {
    /// Until find_levels() is done: number of each task's predecessors that have no level yet.
    std::uint32_t missing[MostTasks];
    /// After find_levels(): processor of each task.
    std::uint32_t processor[MostTasks];
  };
  /// End of the queue.
  std::uint32_t tail;
  edge row_begin[MostTasks + 1];
  number child[most_kept];
  /// Tasks by level.
  number queue[MostTasks];
  number order[MostTasks];
  number level[MostTasks];
  /// Beginning of each level in `queue` and `order`.
  number level_begin[MostTasks + 1];
};

/// A warp's work on one graph. All threads call the steps in the order of their declaration.
template <class Scratch, warp_group Warp>
class batch_graph {
 public:
  using word = typename Scratch::word;
  using number = typename Scratch::number;

  GRIDLOOM_FN batch_graph(batch_ref<word> const& batch, std::uint32_t graph, Warp const& own_warp,
                          Scratch& scratch)
      : all(batch.graphs),
        warp(own_warp),
        own(scratch),
        rank(static_cast<std::uint32_t>(own_warp.thread_rank())),
        threads(static_cast<std::uint32_t>(own_warp.num_threads())),
        first(batch.begins[graph]),
        num_tasks(batch.begins[graph + 1] - first),
        first_edge_(all.successors.offsets[first]) {}

  /// Computes sums of costs, and the part of each rank that depends only on the task itself.
  GRIDLOOM_FN void read(std::uint32_t threads_per_row) {
    std::uint32_t const edges = all.successors.offsets[first + num_tasks] - first_edge_;
    if constexpr (Scratch::most_kept != 0) {
      keep_children(edges < Scratch::most_kept ? edges : Scratch::most_kept);
    }
    // If groups of that size do not fit the warp, each thread adds up a row.
    add_costs(threads % threads_per_row == 0 ? threads_per_row : 1);
    warp.sync();
    for (std::uint32_t task = rank; task < num_tasks; task += threads) {
      std::uint32_t const begin = all.successors.offsets[first + task];
      std::uint32_t const end = all.successors.offsets[first + task + 1];
      std::uint32_t const parents =
          all.predecessors.offsets[first + task + 1] - all.predecessors.offsets[first + task];
      word data = 0;
      for (std::uint32_t e = begin; e < end; ++e) data += all.successors.weights[e];
      own.row_begin[task] = static_cast<typename Scratch::edge>(begin - first_edge_);
      own.rank[task] = rounded(own.cost_sum[task]) + data;
      own.above[task] = 0;
      own.missing[task] = parents;
    }
    if (rank == 0) own.row_begin[num_tasks] = static_cast<typename Scratch::edge>(edges);
    warp.sync();
  }

  /// Makes the first front: tasks without predecessors, ascending.
  GRIDLOOM_FN void find_entries() {
    std::uint32_t found = 0;
    for (std::uint32_t base = 0; base < num_tasks; base += threads) {
      std::uint32_t const task = base + rank;
      bool const entry = task < num_tasks && own.missing[task] == 0;
      std::uint32_t const votes = warp.ballot(entry);
      if (entry) {
        auto const before = votes & lanes_below(static_cast<int>(rank));
        own.queue[found + static_cast<std::uint32_t>(count_lanes(before))] =
            static_cast<number>(task);
      }
      found += static_cast<std::uint32_t>(count_lanes(votes));
    }
    if (rank == 0) own.tail = found;
    warp.sync();
  }

  GRIDLOOM_FN void find_levels() {
    std::uint32_t begin = 0;
    std::uint32_t end = own.tail;
    num_levels = widest_ = 0;
    // All threads must have read the old tail before it moves.
    warp.sync();
    while (begin < end) {
      if (rank == 0) own.level_begin[num_levels] = static_cast<number>(begin);
      for (std::uint32_t i = begin + rank; i < end; i += threads) hand_over(own.queue[i]);
      warp.sync();
      ++num_levels;
      widest_ = end - begin > widest_ ? end - begin : widest_;
      begin = end;
      end = own.tail;
      warp.sync();
    }
    if (rank == 0) own.level_begin[num_levels] = static_cast<number>(begin);
    warp.sync();
  }

  GRIDLOOM_FN void sort() {
    for (std::uint32_t i = rank; i < num_tasks; i += threads) {
      std::uint32_t const task = own.queue[i];
      std::uint32_t const begin = own.level_begin[own.level[task]];
      std::uint32_t const end = own.level_begin[own.level[task] + 1];
      std::uint32_t place = i;
      if (end - begin <= most_counted_) {
        place = begin;
        word const own_rank = own.rank[task];
        for (std::uint32_t j = begin; j < end; ++j) {
          std::uint32_t const other = own.queue[j];
          word const its_rank = own.rank[other];
          place += its_rank > own_rank ? 1 : 0;
          if (its_rank == own_rank && other != task) place += cheaper(other, task) ? 1 : 0;
        }
      }
      own.order[place] = static_cast<number>(task);
    }
    warp.sync();
    if (widest_ <= most_counted_) return;
    for (std::uint32_t level = 0; level < num_levels; ++level) {
      std::uint32_t const begin = own.level_begin[level];
      std::uint32_t const count = own.level_begin[level + 1] - begin;
      if (count > most_counted_) sort_wide(own.order + begin, count);
    }
  }

  GRIDLOOM_FN void store(batch_results_ref const& to) const {
    for (std::uint32_t i = rank; i < num_tasks; i += threads) {
      to.levels[first + i] = own.level[i];
      to.ranks[first + i] = own.rank[i];
      to.order[first + i] = first + own.order[i];
    }
  }

  graph_ref<word> const& all;
  Warp const& warp;
  Scratch& own;
  std::uint32_t const rank;
  std::uint32_t const threads;
  std::uint32_t const first;
  std::uint32_t const num_tasks;
  std::uint32_t num_levels = 0;

 private:
  // Number of loads in flight at a time.
  static constexpr std::uint32_t ahead = 4;

  GRIDLOOM_FN void keep_children(std::uint32_t kept) {
    std::uint32_t const* const tasks = all.successors.tasks + first_edge_;
    for (std::uint32_t base = rank; base < kept; base += ahead * threads) {
      std::uint32_t child[ahead];
      GRIDLOOM_UNROLL
      for (std::uint32_t k = 0; k < ahead; ++k) {
        std::uint32_t const e = base + k * threads;
        child[k] = e < kept ? tasks[e] - first : 0;
      }
      GRIDLOOM_UNROLL
      for (std::uint32_t k = 0; k < ahead; ++k) {
        std::uint32_t const e = base + k * threads;
        if (e < kept) own.child[e] = static_cast<number>(child[k]);
      }
    }
  }

  // Adds up each row with `width` threads, a power of two that divides the number of threads.
  GRIDLOOM_FN void add_costs(std::uint32_t width) {
    std::uint32_t const processors = all.num_processors;
    std::uint32_t const p = rank % width;
    std::uint32_t const rows = threads / width;
    word const* const costs = all.costs + std::size_t{first} * processors;
    for (std::uint32_t base = rank / width; base - rank / width < num_tasks; base += ahead * rows) {
      word sum[ahead];
      GRIDLOOM_UNROLL
      for (std::uint32_t k = 0; k < ahead; ++k) {
        std::uint32_t const task = base + k * rows;
        bool const is_there = task < num_tasks && p < processors;
        sum[k] = is_there ? costs[task * processors + p] : 0;
      }
      GRIDLOOM_UNROLL
      for (std::uint32_t k = 0; k < ahead; ++k) {
        std::uint32_t const task = base + k * rows;
        for (std::uint32_t q = p + width; task < num_tasks && q < processors; q += width) {
          sum[k] += costs[task * processors + q];
        }
      }
      for (std::uint32_t stride = 1; stride < width; stride *= 2) {
        GRIDLOOM_UNROLL
        for (std::uint32_t k = 0; k < ahead; ++k) {
          sum[k] += warp.shuffle(sum[k], static_cast<int>(rank ^ stride));
        }
      }
      GRIDLOOM_UNROLL
      for (std::uint32_t k = 0; k < ahead; ++k) {
        if (p == 0 && base + k * rows < num_tasks) own.cost_sum[base + k * rows] = sum[k];
      }
    }
  }

  GRIDLOOM_FN std::uint32_t child_of(std::uint32_t e) const {
    if constexpr (Scratch::most_kept != 0) {
      if (e < Scratch::most_kept) return own.child[e];
    }
    return all.successors.tasks[first_edge_ + e] - first;
  }

  // Computes rounded_mean with words of the scratch.
  GRIDLOOM_FN word rounded(word sum) const {
    word const mean = sum / all.num_processors;
    word const left = sum - mean * all.num_processors;
    return mean + (2 * left >= all.num_processors ? 1 : 0);
  }

  GRIDLOOM_FN void hand_over(std::uint32_t task) {
    block_memory memory;
    word const done = own.rank[task] + own.above[task];
    own.rank[task] = done;
    own.level[task] = static_cast<number>(num_levels);
    std::uint32_t const end = own.row_begin[task + 1];
    for (std::uint32_t e = own.row_begin[task]; e < end; ++e) {
      std::uint32_t const child = child_of(e);
      memory.fetch_max_relaxed(&own.above[child], done);
      if (memory.fetch_add_relaxed(&own.missing[child], ~0U) == 1) {
        own.queue[memory.fetch_add_relaxed(&own.tail, 1U)] = static_cast<number>(child);
      }
    }
  }

  // Compares tasks with equal ranks.
  GRIDLOOM_FN bool cheaper(std::uint32_t a, std::uint32_t b) const {
    word const x = own.cost_sum[a];
    word const y = own.cost_sum[b];
    return x < y || (x == y && a < b);
  }
  GRIDLOOM_FN bool comes_before(std::uint32_t a, std::uint32_t b) const {
    word const x = own.rank[a];
    word const y = own.rank[b];
    return x > y || (x == y && cheaper(a, b));
  }

  // Sorts with a bitonic network whose merges begin with mirrored places: see
  // gridloom/sort/bitonic.hpp.
  GRIDLOOM_FN void sort_wide(number* tasks, std::uint32_t count) {
    for (std::uint32_t run = 2; run / 2 < count; run *= 2) {
      for (std::uint32_t mask = run - 1; mask != 0; mask = (mask == run - 1 ? run / 2 : mask) / 2) {
        std::uint32_t const distance = mask == run - 1 ? run / 2 : mask;
        for (std::uint32_t pair = rank;; pair += threads) {
          std::uint32_t const within = pair & (distance - 1);
          std::uint32_t const low = 2 * (pair - within) + within;
          if (low >= count) break;
          std::uint32_t const high = low ^ mask;
          if (high >= count || !comes_before(tasks[high], tasks[low])) continue;
          number const later = tasks[low];
          tasks[low] = tasks[high];
          tasks[high] = later;
        }
        warp.sync();
      }
    }
  }

  std::uint32_t first_edge_;
  std::uint32_t widest_ = 0;
  // Largest level that is sorted by counting. A sorting network takes fewer steps for larger
  // levels.
  std::uint32_t most_counted_ = threads < 8 ? 16 : 64;
};

}  // namespace gridloom::pets
