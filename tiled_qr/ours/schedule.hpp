#pragma once
// Simulates list scheduling on the host before a run. The result is a list of tasks per worker, in
// order.

#include <cstdint>
#include <vector>

#include "tiled_qr/levels.hpp"
#include "tiled_qr/ready_tasks.hpp"

namespace gridloom::tiled_qr {

/// The result of list scheduling, where a free worker takes the next ready task.
struct simulated_schedule {
  /// One list per worker, in the order in which it executes the tasks.
  task_groups of_worker;
  /// All tasks in the order in which they begin, which is a topological order.
  std::vector<std::uint32_t> by_begin;
  /// Time at which the last task ends, in units of a single task.
  double end = 0;
};

/// Simulates `workers` workers; a task on two tiles takes as long as `double_weight` single tasks.
/// Throws as require_numbers does. Cost: one heap operation per task.
[[nodiscard]] simulated_schedule simulate(tiling const& cut, int workers, priority order,
                                          double double_weight);

}  // namespace gridloom::tiled_qr
