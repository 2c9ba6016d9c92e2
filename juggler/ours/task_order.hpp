#pragma once
// Orders of tasks that the host makes before a run, for workers that decide nothing during the run.

#include <cstdint>
#include <vector>

#include "juggler/dag.hpp"

namespace gridloom::juggler {

/// Task numbers in consecutive groups: group g goes from first[g] to first[g + 1] - 1.
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

/// One group per depth, with ascending task numbers. Tasks of one group do not depend on each
/// other, and the parents of a task stand in earlier groups. Cost: linear.
[[nodiscard]] task_groups waves_of(task_dag const& dag);

/// One list per worker: the tasks of all waves, distributed in turns. If a wave gives a worker one
/// task more than another, the next wave begins with the other. Cost: linear.
[[nodiscard]] task_groups dealt_to(std::uint32_t workers, task_groups const& waves);

/// As above, but `worker_of` names the worker of each task.
[[nodiscard]] task_groups dealt_to(std::uint32_t workers, task_groups const& waves,
                                   std::vector<std::uint32_t> const& worker_of);

}  // namespace gridloom::juggler
