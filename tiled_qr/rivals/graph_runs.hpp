#pragma once
// Other ways to run the tasks of FR4's graphs, by the same body: one block in a fixed order, and
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

/// Tasks of which none depends on another nor conflicts with it, by levels: level w is
/// tasks[offsets[w]] to tasks[offsets[w + 1] - 1].
struct level_list {
  std::vector<std::uint32_t> offsets;
  std::vector<std::uint32_t> tasks;
};

/// A task comes after the levels of all that it depends on, and after those of all earlier tasks
/// that use what it uses. Cost: linear.
[[nodiscard]] level_list levels_of(compiled_graph const& graph);

}  // namespace gridloom::tiled_qr::general
