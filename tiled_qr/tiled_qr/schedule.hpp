#pragma once
// Orders of tasks that the host computes before a run: waves of independent tasks, and the lists that
// a simulation of list scheduling gives to each worker.

#include <cstdint>
#include <vector>

#include "tiled_qr/ready_tasks.hpp"
#include "tiled_qr/task.hpp"

namespace gridloom::tiled_qr {

/// Numbers of tasks in groups that follow each other: group g is from first[g] to first[g + 1] - 1.
struct task_lists {
  std::vector<std::uint32_t> tasks;
  std::vector<std::uint64_t> first;

  [[nodiscard]] std::size_t groups() const { return first.size() - 1; }
  [[nodiscard]] std::size_t size(std::size_t group) const {
    return static_cast<std::size_t>(first[group + 1] - first[group]);
  }
};

/// Tasks on the longest path that ends in each task, by its number.
[[nodiscard]] std::vector<std::uint32_t> depths_of(tiling const& cut);

/// The tasks of each depth, in the order of their numbers: no two of a group depend on each other.
/// Throws unsupported for more tasks than 32 bits number.
[[nodiscard]] task_lists waves_of(tiling const& cut);

/// What a list scheduler does whose workers take the next ready task when they are free.
struct simulated_schedule {
  /// A list a worker, in the order in which it executes them.
  task_lists of_worker;
  /// All tasks in the order in which they begin, which is topological.
  std::vector<std::uint32_t> by_begin;
  /// When the last task ends; a single task takes 1.
  double end = 0;
};

/// Simulates `workers` workers; a task on two tiles takes `double_weight` single ones. Throws as
/// waves_of does. Cost: a step of a heap a task.
[[nodiscard]] simulated_schedule simulate(tiling const& cut, int workers, priority order,
                                          double double_weight);

}  // namespace gridloom::tiled_qr
