#pragma once
// The published ordering with narrow levels merged: one task orders narrow levels one after the
// other, in its shared memory. The six task types of the thesis change phase five times per level,
// which costs more than the work of a narrow level. Wide levels pass through the published types.
//
// A level's children are not sorted. They are counted for each parent, a prefix sum gives each
// family its place, and siblings are compared with each other (as in level_order.hpp).

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>

#include "gridloom/block_memory.hpp"
#include "published/order_tasks.hpp"
#include "thesis_mhive/ours/rcm/block_scan.hpp"

namespace gridloom::mhive::rcm {

/// Largest number of parents and of children of a narrow level, whose arrays fit the scratch.
inline constexpr std::uint32_t most_narrow = 1664;
/// A level with a vertex of higher valency is not narrow, because its row would take too long.
inline constexpr std::uint32_t highest_narrow_valency = 4096;
/// A task ends after this many levels, so that the scheduler can check the time limit.
inline constexpr std::uint32_t most_levels_per_task = 1024;

template <std::unsigned_integral Key>
struct order_narrow_levels {
  using work_item = std::uint32_t;
  static constexpr int worker_size = 512;
  static constexpr std::string_view name = "order_narrow_levels";
  using marks = key_marks<Key>;

  struct scratch {
    /// The parents, and the children in the order in which they are found. The next level's parents
    /// take the place of the children.
    std::uint32_t vertices[2][most_narrow];
    /// Number of children of each parent; 0 between levels.
    std::uint32_t counts[most_narrow];
    std::uint32_t begins[most_narrow + 1];
    /// The children by parent: valency and vertex.
    std::uint64_t siblings[most_narrow];
    levels::scan_scratch sums;
    std::uint32_t num_children;
    /// Not 0 if a vertex of the level has more than highest_narrow_valency neighbours.
    std::uint32_t has_long_row;
  };

  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t /*item*/) {
    auto const& data = context.data();
    auto const& worker = context.worker();
    scratch& shared = context.scratch();
    bool const first = worker.thread_rank() == 0;
    level_words level = *data.words;
    begin(context, level);
    reason why = reason::limit;
    for (std::uint32_t n = 0; n < most_levels_per_task; ++n) {
      why = reason::limit;
      if (shared.has_long_row != 0) {
        why = reason::long_row;
        break;
      }
      find_children(context, level, shared.vertices[n % 2], shared.vertices[(n + 1) % 2]);
      worker.sync();
      std::uint32_t const found = shared.num_children;
      why = found == 0 ? reason::no_children : reason::many_children;
      if (found == 0 || found > most_narrow) break;
      order_children(context, level, found, shared.vertices[n % 2], shared.vertices[(n + 1) % 2]);
      level.begin = level.end;
      level.end += found;
      ++level.num_levels;
      why = reason::all_ordered;
      if (level.end == data.graph.num_rows) break;
      why = reason::limit;
    }
    level.by_rows = 0;
    if (first) *data.words = level;
    worker.sync();
    go_on(context, level, why);
  }

 private:
  enum class reason { limit, long_row, no_children, many_children, all_ordered };

  template <class Context>
  GRIDLOOM_FN static void begin(Context& context, level_words const& level) {
    auto const& data = context.data();
    auto const& worker = context.worker();
    scratch& shared = context.scratch();
    auto const rank = static_cast<std::uint32_t>(worker.thread_rank());
    auto const threads = static_cast<std::uint32_t>(worker.num_threads());
    if (rank == 0) {
      shared.num_children = 0;
      shared.has_long_row = 0;
    }
    for (std::uint32_t i = rank; i < most_narrow; i += threads) shared.counts[i] = 0;
    worker.sync();
    for (std::uint32_t i = rank; i < level.end - level.begin; i += threads) {
      std::uint32_t const vertex = data.order[level.begin + i];
      shared.vertices[0][i] = vertex;
      note_row(shared, data.valencies[vertex]);
    }
    worker.sync();
  }
  GRIDLOOM_FN static void note_row(scratch& shared, std::uint32_t valency) {
    if (valency > highest_narrow_valency) {
      block_memory{}.fetch_add_relaxed(&shared.has_long_row, 1U);
    }
  }

  // Makes keys as create_sort_data does, with a few lanes per parent. The thread that makes a
  // vertex's first key also lists the vertex, unless the list is full.
  template <class Context>
  GRIDLOOM_FN static void find_children(Context& context, level_words const& level,
                                        std::uint32_t const* parents, std::uint32_t* children) {
    constexpr int entries = 4;  // per lane at once
    auto const& data = context.data();
    auto const& worker = context.worker();
    scratch& shared = context.scratch();
    auto const warp = worker.warp();
    auto const in_warp = static_cast<std::uint32_t>(warp.num_threads());
    std::uint32_t const lanes = data.lanes_per_row < in_warp ? data.lanes_per_row : in_warp;
    auto const lane = static_cast<std::uint32_t>(warp.thread_rank());
    std::uint32_t const rows = static_cast<std::uint32_t>(worker.num_threads()) / lanes;
    std::uint32_t const width = level.end - level.begin;
    direct_memory memory;
    // All threads of a warp go through the same number of steps, because they vote.
    std::uint32_t const warp_begin =
        (static_cast<std::uint32_t>(worker.thread_rank()) - lane) / lanes;
    for (std::uint32_t first = warp_begin; first < width; first += rows) {
      std::uint32_t const i = first + lane / lanes;
      std::uint32_t const parent = parents[i < width ? i : 0];
      std::uint64_t const row_end = i < width ? data.graph.row_end(parent) : 0;
      std::uint64_t e = i < width ? data.graph.row_begin(parent) + lane % lanes : 0;
      std::uint32_t const place = level.begin + i;
      Key const least = make_key<Key>(place, 0, data.valency_bits);
      for (; warp.any(e < row_end); e += std::uint64_t{entries} * lanes) {
        std::uint32_t child[entries];
        Key key[entries];
        bool is_new[entries];
        GRIDLOOM_UNROLL
        for (int k = 0; k < entries; ++k) {
          std::uint64_t const at = e + static_cast<std::uint64_t>(k) * lanes;
          // The parent itself has a place already.
          child[k] = at < row_end ? data.graph.columns[at] : parent;
        }
        GRIDLOOM_UNROLL
        for (int k = 0; k < entries; ++k) key[k] = memory.load_relaxed(data.keys + child[k]);
        GRIDLOOM_UNROLL
        for (int k = 0; k < entries; ++k) {
          is_new[k] = key[k] > least && memory.fetch_min_relaxed(
                                            data.keys + child[k],
                                            make_key<Key>(place, data.valencies[child[k]],
                                                          data.valency_bits)) == marks::untouched;
        }
        std::uint32_t slots[entries];
        reserve_slots(warp, is_new, slots, [&](std::uint32_t n) {
          return block_memory{}.fetch_add_relaxed(&shared.num_children, n);
        });
        GRIDLOOM_UNROLL
        for (int k = 0; k < entries; ++k) {
          if (is_new[k] && slots[k] < most_narrow) children[slots[k]] = child[k];
        }
      }
    }
  }

  // Gives the children their places. `parents` is overwritten, and `children` ends in the order.
  template <class Context>
  GRIDLOOM_FN static void order_children(Context& context, level_words const& level,
                                         std::uint32_t n, std::uint32_t* parents,
                                         std::uint32_t* children) {
    auto const& data = context.data();
    auto const& worker = context.worker();
    scratch& shared = context.scratch();
    auto const rank = static_cast<std::uint32_t>(worker.thread_rank());
    auto const threads = static_cast<std::uint32_t>(worker.num_threads());
    std::uint32_t const width = level.end - level.begin;
    direct_memory memory;
    // For each child, its parent in the level, and its number among the siblings.
    std::uint32_t* const families = parents;
    for (std::uint32_t i = rank; i < n; i += threads) {
      Key const key = memory.load_relaxed(data.keys + children[i]);
      memory.store_relaxed(data.keys + children[i], Key{marks::placed});
      std::uint32_t const parent =
          static_cast<std::uint32_t>(key >> data.valency_bits) - level.begin;
      families[i] = parent << 16U | block_memory{}.fetch_add_relaxed(shared.counts + parent, 1U);
    }
    worker.sync();
    levels::exclusive_scan(worker, shared.sums, width, shared.counts, shared.begins);
    if (rank == 0) shared.num_children = 0;
    worker.sync();
    for (std::uint32_t i = rank; i < width; i += threads) shared.counts[i] = 0;
    for (std::uint32_t i = rank; i < n; i += threads) {
      std::uint32_t const vertex = children[i];
      shared.siblings[shared.begins[families[i] >> 16U] + (families[i] & 0xffffU)] =
          std::uint64_t{data.valencies[vertex]} << 32U | vertex;
    }
    worker.sync();
    for (std::uint32_t i = rank; i < n; i += threads) {
      std::uint32_t const parent = families[i] >> 16U;
      std::uint32_t const begin = shared.begins[parent];
      std::uint32_t const end = shared.begins[parent + 1];
      std::uint64_t const own = shared.siblings[begin + (families[i] & 0xffffU)];
      std::uint32_t place = begin;
      for (std::uint32_t k = begin; k < end; ++k) place += shared.siblings[k] < own ? 1U : 0U;
      auto const vertex = static_cast<std::uint32_t>(own);
      children[place] = vertex;
      data.order[level.end + place] = vertex;
      note_row(shared, static_cast<std::uint32_t>(own >> 32U));
    }
    worker.sync();
  }

  // Enqueues what comes after these levels.
  template <class Context>
  GRIDLOOM_FN static void go_on(Context& context, level_words const& level, reason why) {
    bool const first = context.worker().thread_rank() == 0;
    if (why == reason::long_row) {
      begin_published_level<Key>(context, level);
    } else if (why == reason::many_children) {
      // The children have their keys already.
      collect_published_level<Key>(context, level);
    } else if (first && why == reason::limit) {
      context.template enqueue<order_narrow_levels>(0);
    } else if (first && why == reason::no_children) {
      context.template enqueue<sort_delegate<Key>>(0);
    }
  }
};

/// The data of this ordering, which decide how a level begins.
template <std::unsigned_integral Key>
struct narrow_order_data : order_data<Key> {
  /// Lanes of a warp that read a row together; a power of two.
  std::uint32_t lanes_per_row;

  template <class Context>
  GRIDLOOM_FN static void begin_level(Context& context, level_words const& level) {
    if (level.end - level.begin > most_narrow) {
      begin_published_level<Key>(context, level);
    } else if (context.worker().thread_rank() == 0) {
      context.template enqueue<order_narrow_levels<Key>>(0);
    }
  }
};

/// The published tasks with narrow levels merged, for width_ordering.
template <std::unsigned_integral Key>
struct narrow_levels_merged {
  using queue = order_queue<Key, phase<order_narrow_levels<Key>>>;

  /// `graph` is in host memory. A lane reads two entries of an average row.
  static narrow_order_data<Key> data_for(order_data<Key> const& data, graph_ref graph) {
    std::uint64_t const pairs = graph.num_entries() / (std::uint64_t{2} * graph.num_rows);
    constexpr std::uint64_t most_lanes = 32;
    return {data, static_cast<std::uint32_t>(
                      std::bit_ceil(std::clamp<std::uint64_t>(pairs, 1, most_lanes)))};
  }
};

}  // namespace gridloom::mhive::rcm
