#pragma once
// Orders of tasks that the host makes before a run, for workers that decide nothing while it runs.

#include <cstdint>
#include <vector>

#include "juggler/dag.hpp"

namespace gridloom::juggler {

/// Numbers of tasks in groups that follow each other: group g is from first[g] to first[g + 1] - 1.
struct task_groups {
  std::vector<std::uint32_t> tasks;
  std::vector<std::uint32_t> first;

  [[nodiscard]] std::uint32_t groups() const {
    return static_cast<std::uint32_t>(first.size()) - 1;
  }
  [[nodiscard]] std::uint32_t size(std::uint32_t group) const {
    return first[group + 1] - first[group];
  }
};

/// The tasks of each depth, by their numbers: no two of a group depend on each other, and all that a
/// task waits for stands in the groups before. Cost: linear.
[[nodiscard]] task_groups waves_of(task_dag const& dag);

/// Lists for workers: the waves one after the other, dealt in turns. A worker that was dealt a task
/// of one wave more than another begins the next wave later. Cost: linear.
[[nodiscard]] task_groups dealt_to(std::uint32_t workers, task_groups const& waves);

/// The same where `worker_of` says whose each task is, by its number.
[[nodiscard]] task_groups dealt_to(std::uint32_t workers, task_groups const& waves,
                                   std::vector<std::uint32_t> const& worker_of);

}  // namespace gridloom::juggler
