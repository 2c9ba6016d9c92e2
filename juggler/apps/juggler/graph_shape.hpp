#pragma once
// How long and how wide a graph is.

#include <cstdint>

#include "juggler/dag.hpp"

namespace gridloom::juggler {

struct graph_shape {
  /// Tasks on the longest path.
  std::int64_t longest_path = 0;
  /// Most tasks that have longest paths of one length from the start: what runs between two barriers.
  std::int64_t widest_wave = 0;
};

/// Linear in tasks and edges.
[[nodiscard]] graph_shape shape_of(task_dag const& dag);

}  // namespace gridloom::juggler
