#pragma once
// Ways to run the tasks of FR4's graphs without its scheduler: one block in a fixed order, or one
// launch per level. The tasks' bodies are the same. FR4's scheduler is measured against them.

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
[[nodiscard]] task_groups levels_of(compiled_graph const& graph);

}  // namespace gridloom::tiled_qr::general
