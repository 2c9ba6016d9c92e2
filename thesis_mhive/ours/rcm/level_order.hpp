#pragma once
// Orders the vertices of a searched graph, level by level. Vertices of a level are ranked by the
// rank of their first parents, without a sort. The children of every parent are counted, and a
// prefix sum gives the first rank of each family. Siblings are ranked by degree and number. One
// block ranks narrow levels in its shared memory; a library sorts wide levels with all blocks.

#include <cstdint>

#include "block_scan.hpp"
#include "gridloom/block_memory.hpp"
#include "parents.hpp"

namespace gridloom::mhive::rcm::levels {

/// Largest level that fits the scratch.
inline constexpr std::uint32_t most_ranked = 8192;

/// Ranks the levels `first` to `last` - 1 with one block. These levels and the level before them
/// must have at most most_ranked vertices.
struct rank_levels_kernel {
  struct scratch {
    /// Ranks of the current level and of the next one.
    std::uint32_t ranks[2][most_ranked];
    /// Number of children of each parent.
    std::uint32_t counts[most_ranked];
    std::uint32_t begins[most_ranked + 1];
    /// For each vertex, its first parent, and its place among the siblings in order of arrival.
    std::uint32_t places[most_ranked];
    std::uint64_t siblings[most_ranked];
    scan_scratch sums;
  };
  static constexpr bool persistent = false;

  level_graph_ref graph;
  std::uint32_t first;
  std::uint32_t last;
  /// Array of num_rows words: for each place in the queue, the vertex's rank within its level.
  std::uint32_t* ranks;
  /// Array of num_rows vertices.
  std::uint32_t* order;

  template <class Block>
  GRIDLOOM_FN void operator()(Block const& block, scratch& shared) const {
    auto const rank = static_cast<std::uint32_t>(block.thread_rank());
    auto const threads = static_cast<std::uint32_t>(block.num_threads());
    std::uint32_t upper = graph.level_begin[first - 1];
    std::uint32_t begin = graph.level_begin[first];
    for (std::uint32_t i = upper + rank; i < begin; i += threads) {
      shared.ranks[(first - 1) % 2][i - upper] = ranks[i];
    }
    for (std::uint32_t i = rank; i < most_ranked; i += threads) shared.counts[i] = 0;
    std::uint32_t end = end_of(first);
    std::uint32_t behind = end_of(first + 1);
    loaded own = load(begin + rank, end);
    block.sync();
    for (std::uint32_t level = first; level < last; ++level) {
      // The loads for the next level overlap with the ranking of this one.
      loaded const next = load(end + rank, behind);
      std::uint32_t const later = end_of(level + 2);
      rank_level(block, shared, level, upper, begin, end, own);
      own = next;
      upper = begin;
      begin = end;
      end = behind;
      behind = later;
    }
    std::uint32_t const* const last_ranks = shared.ranks[(last - 1) % 2];
    for (std::uint32_t i = upper + rank; i < begin; i += threads) ranks[i] = last_ranks[i - upper];
  }

 private:
  // What a thread has loaded of its first vertex in a level.
  struct loaded {
    parents_record parents;
    std::uint64_t key;
  };
  [[nodiscard]] GRIDLOOM_FN std::uint32_t end_of(std::uint32_t level) const {
    return graph.level_begin[level < last ? level + 1 : last];
  }
  [[nodiscard]] GRIDLOOM_FN loaded load(std::uint32_t i, std::uint32_t end) const {
    return i < end ? loaded{graph.parents[i], graph.keys[i]} : loaded{};
  }

  template <class Block>
  GRIDLOOM_FN void rank_level(Block const& block, scratch& shared, std::uint32_t level,
                              std::uint32_t upper, std::uint32_t begin, std::uint32_t end,
                              loaded const& own) const {
    auto const rank = static_cast<std::uint32_t>(block.thread_rank());
    auto const threads = static_cast<std::uint32_t>(block.num_threads());
    std::uint32_t const* const upper_ranks = shared.ranks[(level + 1) % 2];
    std::uint32_t* const own_ranks = shared.ranks[level % 2];
    std::uint32_t const width = end - begin;
    // The first vertex of a thread is handled separately. Waiting for the data of later vertices
    // would also wait for the loads in flight.
    auto const find_place = [&](std::uint32_t i, parents_record const& record) {
      std::uint32_t const parent =
          graph.first_parent(record, [&](std::uint32_t k) { return upper_ranks[k]; });
      shared.places[i] =
          parent << 16U | block_memory{}.fetch_add_relaxed(shared.counts + parent, 1U);
    };
    if (rank < width) find_place(rank, own.parents);
    for (std::uint32_t i = rank + threads; i < width; i += threads) {
      find_place(i, graph.parents[begin + i]);
    }
    block.sync();
    exclusive_scan(block, shared.sums, begin - upper, shared.counts, shared.begins);
    block.sync();
    for (std::uint32_t i = rank; i < begin - upper; i += threads) shared.counts[i] = 0;
    auto const gather = [&](std::uint32_t i, std::uint64_t key) {
      std::uint32_t const place = shared.places[i];
      shared.siblings[shared.begins[place >> 16U] + (place & 0xffffU)] = key;
    };
    if (rank < width) gather(rank, own.key);
    for (std::uint32_t i = rank + threads; i < width; i += threads) {
      gather(i, graph.keys[begin + i]);
    }
    block.sync();
    auto const find_rank = [&](std::uint32_t i, std::uint64_t key) {
      std::uint32_t const parent = shared.places[i] >> 16U;
      std::uint32_t const last_sibling = shared.begins[parent + 1];
      std::uint32_t before = shared.begins[parent];
      for (std::uint32_t k = before; k < last_sibling; ++k) {
        before += shared.siblings[k] < key ? 1U : 0U;
      }
      own_ranks[i] = before;
      order[begin + before] = static_cast<std::uint32_t>(key);
    };
    if (rank < width) find_rank(rank, own.key);
    for (std::uint32_t i = rank + threads; i < width; i += threads) {
      find_rank(i, graph.keys[begin + i]);
    }
    block.sync();
  }
};

// Wide levels are sorted by degree and number, and then, stably, by first parent.

/// One level, and the arrays for its sort.
struct wide_level_ref {
  level_graph_ref graph;
  /// Where the previous level begins.
  std::uint32_t upper = 0;
  std::uint32_t begin = 0;
  std::uint32_t vertex_bits = 32;
  std::uint64_t* keys = nullptr;
  /// Indexed by the place within the level.
  std::uint32_t* values = nullptr;
  std::uint32_t* ranks = nullptr;
  std::uint32_t* order = nullptr;
};

struct set_sibling_keys {
  wide_level_ref level;
  GRIDLOOM_FN void operator()(std::uint32_t i) const {
    std::uint64_t const key = level.graph.keys[level.begin + i];
    level.keys[i] = (key >> 32U) << level.vertex_bits | (key & 0xffffffffU);
    level.values[i] = i;
  }
};
/// Makes keys for the sort by first parent. `sorted` has the level's places by degree and number.
struct set_parent_keys {
  wide_level_ref level;
  std::uint32_t const* sorted;
  GRIDLOOM_FN void operator()(std::uint32_t i) const {
    std::uint32_t const* const upper_ranks = level.ranks + level.upper;
    level.keys[i] = level.graph.first_parent(level.graph.parents[level.begin + sorted[i]],
                                             [&](std::uint32_t k) { return upper_ranks[k]; });
  }
};
struct set_ranks {
  wide_level_ref level;
  std::uint32_t const* sorted;
  GRIDLOOM_FN void operator()(std::uint32_t i) const {
    std::uint32_t const at = level.begin + sorted[i];
    level.ranks[at] = i;
    level.order[level.begin + i] = level.graph.queue[at];
  }
};

/// Ranks the first level: the start nodes in their order.
struct rank_starts {
  level_graph_ref graph;
  std::uint32_t* ranks;
  std::uint32_t* order;
  GRIDLOOM_FN void operator()(std::uint32_t i) const {
    ranks[i] = i;
    order[i] = graph.queue[i];
  }
};

/// Makes keys for a stable sort by component. The key of a vertex is the number of its component.
struct set_component_keys {
  std::uint32_t const* component_of;
  std::uint32_t const* order;
  std::uint64_t* keys;
  GRIDLOOM_FN void operator()(std::uint32_t i) const { keys[i] = component_of[order[i]]; }
};

}  // namespace gridloom::mhive::rcm::levels
