#pragma once
// Orders of tasks that the host makes before a run, for workers that make no decisions in the run.

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
