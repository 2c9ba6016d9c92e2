#pragma once
// What the durations drawn for a graph's tasks add up to: below these no schedule can be.

#include <cstdint>

#include "support/graph_store.hpp"
#include "support/task_durations.hpp"

namespace gridloom::wavefront {

/// In means of the durations.
struct drawn_work {
  /// Of all tasks.
  double total = 0;
  /// The most along one path.
  double path = 0;
};

/// Cost: none for durations that are constant, else one pass over all edges.
[[nodiscard]] drawn_work work_of(graph_store& graph, task_durations kind, std::uint32_t seed);

}  // namespace gridloom::wavefront
