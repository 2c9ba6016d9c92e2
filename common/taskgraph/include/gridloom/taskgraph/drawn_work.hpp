#pragma once
// Sums of the durations drawn for a graph's tasks. They bound the length of any schedule from
// below.

#include <cstdint>
#include <vector>

#include "gridloom/taskgraph/device_graph.hpp"
#include "gridloom/taskgraph/task_durations.hpp"

namespace gridloom {

/// Sums of durations, as multiples of the mean duration.
struct drawn_work {
  /// Sum over all tasks.
  double total = 0;
  /// Largest sum along a path.
  double path = 0;
};

/// Cost: one pass over all edges, unless durations are constant.
[[nodiscard]] drawn_work work_of(device_graph& graph, task_durations kind, std::uint32_t seed);

/// The same for given durations, one per task. Cost: linear in tasks and edges.
[[nodiscard]] drawn_work work_of(csr_graph const& graph, std::vector<float> const& durations);

}  // namespace gridloom
