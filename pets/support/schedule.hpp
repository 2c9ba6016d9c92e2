#pragma once
// What a list scheduler gives: where and when each task runs, and what is said of it.

#include <cstdint>
#include <string>
#include <vector>

#include "support/task_graph.hpp"

namespace gridloom::pets {

struct placement {
  std::uint32_t processor = 0;
  time_value start = 0;
  time_value finish = 0;

  friend bool operator==(placement const&, placement const&) = default;
};

struct schedule {
  /// One a task.
  std::vector<placement> of;
  /// Tasks as they were placed.
  std::vector<std::uint32_t> order;

  [[nodiscard]] time_value makespan() const;
};

/// Empty when the schedule is right: every task once and for its cost, none beside another on its
/// processor, and none before the data of its predecessors are there (free on one processor). Else
/// one line that names the task. Shares nothing with the schedulers but the graph.
[[nodiscard]] std::string check_schedule(task_graph const& graph, schedule const& made);

/// No schedule is shorter: the critical path with least costs and no communication, or all least
/// costs shared evenly by the processors, whichever is more.
[[nodiscard]] time_value lower_bound(task_graph const& graph);

/// Measures of chapter 5 of Topcuoglu et al. (2002).
struct quality {
  time_value makespan = 0;
  /// Makespan / critical path with least costs and no communication.
  double slr = 0;
  /// Least time of all tasks on one processor / makespan.
  double speedup = 0;
  /// Speedup / processors.
  double efficiency = 0;
};
[[nodiscard]] quality quality_of(task_graph const& graph, schedule const& made);

}  // namespace gridloom::pets
