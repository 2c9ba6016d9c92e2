#pragma once
// The depth and the widths of a task graph.

#include <algorithm>
#include <cstdint>

#include "gridloom/taskgraph/orders.hpp"

namespace gridloom {

struct graph_shape {
  /// Tasks on the longest path, which is the number of levels.
  std::int64_t depth = 0;
  /// The largest and smallest number of tasks of one level, which run between two barriers.
  std::int64_t widest_level = 0;
  std::int64_t narrowest_level = 0;
};

/// The shape of a graph with these levels. Cost: linear in levels.
[[nodiscard]] inline graph_shape shape_of(task_groups const& levels) {
  graph_shape shape{.depth = levels.groups()};
  for (std::uint32_t level = 0; level < levels.groups(); ++level) {
    std::int64_t const size = levels.size(level);
    shape.widest_level = std::max(shape.widest_level, size);
    shape.narrowest_level = level == 0 ? size : std::min(shape.narrowest_level, size);
  }
  return shape;
}

/// The same for a graph in compressed rows, which must be valid. Cost: linear in tasks and edges.
[[nodiscard]] inline graph_shape shape_of(csr_graph const& successors) {
  return shape_of(levels_of(successors));
}

}  // namespace gridloom
