#pragma once
// Other ways to run the tasks of FR4's graphs with the same body: one block in a fixed order, or
// one launch per level. The scheduler of FR4 is measured against them.

#include <cstdint>
#include <vector>

#include "tiled_qr/general/executor.hpp"
#include "tiled_qr/general/task_graph.hpp"

namespace gridloom::tiled_qr::general {

enum class execution {
  /// The scheduler of dispatch.hpp: resident workers.
  scheduled,
  /// One block, in one order that keeps the dependences.
  in_order,
  /// One launch per level; on a GPU one block per task.
  waves,
  /// The same launches recorded once and replayed: a CUDA graph.
  waves_graph
};

/// Tasks by levels; tasks of one level neither depend on each other nor conflict. Level w is
/// tasks[offsets[w]] to tasks[offsets[w + 1] - 1].
struct level_list {
  std::vector<std::uint32_t> offsets;
  std::vector<std::uint32_t> tasks;
};

/// Makes the levels. A task's level is after those of all tasks that it depends on, and of all
/// earlier tasks that use one of its resources. Cost: linear.
[[nodiscard]] level_list levels_of(compiled_graph const& graph);

}  // namespace gridloom::tiled_qr::general
