#pragma once
// The data that the tasks of the published ordering share, in device memory.

#include <cstdint>

#include "graph.hpp"
#include "gridloom/sort/bitonic.hpp"
#include "published/key_split.hpp"

namespace gridloom::mhive::rcm {

/// The state of the ordering. One task at a time writes it; only the number of children is written
/// by several.
struct level_words {
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// The level's vertices, which are the parents, have the places `begin` to `end` - 1.
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t component_begin = 0;
  std::uint32_t next_start = 0;
  /// Index of a start node that already had a place.
  std::uint32_t bad_start = none;
  /// 1 if children are found along the rows (see compress_sort_data).
  std::uint32_t by_rows = 0;
  std::uint32_t num_levels = 0;
  bitonic_step step{};
  alignas(line_bytes) std::uint32_t num_children = 0;
};

/// Enqueues the tasks of a level. Called by all threads of a worker.
template <std::unsigned_integral Key, class Context>
GRIDLOOM_FN void begin_published_level(Context& context, level_words const& level);

template <std::unsigned_integral Key>
struct order_data {
  graph_ref graph;
  /// Array of one valency per vertex.
  std::uint32_t const* valencies;
  int valency_bits;
  std::uint32_t num_starts;
  std::uint32_t const* starts;
  /// Largest number of tasks of a type at once, which is the size of its queue.
  std::uint32_t most_tasks;
  /// Array of the vertices in their order: the result.
  std::uint32_t* order;
  /// The thesis's d_keys: array of one key per vertex, see key_marks.
  Key* keys;
  /// The thesis's d_sort_keys and d_sort_values: arrays of the level's children.
  Key* sort_keys;
  std::uint32_t* sort_values;
  level_words* words;

  /// Returns the number of tasks for this many pieces of work. Task i does the pieces i, i +
  /// most_tasks, and so on.
  [[nodiscard]] GRIDLOOM_FN int tasks_for(std::uint64_t pieces) const {
    return static_cast<int>(pieces < most_tasks ? pieces : most_tasks);
  }
  /// Begins a level. An ordering that goes beyond the published one replaces this function.
  template <class Context>
  GRIDLOOM_FN static void begin_level(Context& context, level_words const& level) {
    begin_published_level<Key>(context, level);
  }
};

}  // namespace gridloom::mhive::rcm
