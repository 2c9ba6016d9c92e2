#pragma once
// Orders of tasks that the host makes before a run, for workers that make no decisions in the run.

#include <cstdint>
#include <vector>

#include "gridloom/taskgraph/orders.hpp"
#include "juggler/dag.hpp"

namespace gridloom::juggler {

/// One group per depth, with ascending task numbers. Tasks of one group are independent, and a
/// task's parents are in earlier groups. Cost: linear.
[[nodiscard]] task_groups waves_of(task_dag const& dag);

/// One list per worker: the tasks of all waves, distributed in turns. Each wave begins with the
/// worker after the last one of the wave before. Cost: linear.
[[nodiscard]] task_groups dealt_to(std::uint32_t workers, task_groups const& waves);

/// The same, but `worker_of` gives the worker of each task.
[[nodiscard]] task_groups dealt_to(std::uint32_t workers, task_groups const& waves,
                                   std::vector<std::uint32_t> const& worker_of);

}  // namespace gridloom::juggler
