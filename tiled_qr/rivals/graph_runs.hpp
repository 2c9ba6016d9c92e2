#pragma once
// Ways to run the tasks of FR4's graphs without its scheduler: one block in a fixed order, or one
// launch per level. The tasks' bodies are the same. FR4's scheduler is measured against them.

#include <algorithm>

#include "gridloom/taskgraph/executor.hpp"
#include "gridloom/taskgraph/orders.hpp"
#include "tiled_qr/general/task_graph.hpp"

namespace gridloom::tiled_qr::general {

enum class execution {
  /// The scheduler of dispatch.hpp: resident workers.
  scheduled,
  /// One block executes all tasks in one order that keeps the dependences.
  in_order,
  /// One launch per level, with one block per task on a GPU.
  waves,
  /// The launches of `waves`, recorded once as a CUDA graph and replayed.
  waves_graph
};

/// The levels, with ascending task numbers. Tasks of one level neither depend on each other nor
/// conflict: a task comes after all tasks that it depends on, and after all earlier tasks that use
/// one of its resources. Cost: linear.
[[nodiscard]] inline task_groups levels_of(compiled_graph const& graph) {
  std::vector<std::uint32_t> level(graph.tasks(), 0);
  std::vector<std::uint32_t> free_from(graph.resources, 0);
  for (std::uint32_t const task : graph.order) {
    for (std::uint64_t u = graph.use_offsets[task]; u < graph.use_offsets[task + 1]; ++u)
      level[task] = std::max(level[task], free_from[graph.uses[u]]);
    std::uint32_t const next = level[task] + 1;
    for (std::uint64_t u = graph.use_offsets[task]; u < graph.use_offsets[task + 1]; ++u)
      free_from[graph.uses[u]] = next;
    for (std::uint32_t const after : graph.successors.of(task))
      level[after] = std::max(level[after], next);
  }
  return by_number(level);
}

}  // namespace gridloom::tiled_qr::general
