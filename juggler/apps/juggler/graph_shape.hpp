#pragma once
// The depth and the widths of a task graph.

#include <cstdint>
#include <string>

#include "juggler/dag.hpp"

namespace gridloom::juggler {

struct graph_shape {
  std::int64_t longest_path = 0;
  /// The largest and smallest number of tasks of one depth, which run between two barriers.
  std::int64_t widest_wave = 0;
  std::int64_t narrowest_wave = 0;
};

/// "1 to 196", or "900" if all waves have the same size.
[[nodiscard]] std::string at_once_text(graph_shape const& shape);

/// The shape of a graph. Cost: linear in tasks and edges.
[[nodiscard]] graph_shape shape_of(task_dag const& dag);

}  // namespace gridloom::juggler
