#pragma once
// A schedule (where and when each task runs), its check, and its measures of quality.

#include <cstdint>
#include <string>
#include <vector>

#include "pets/support/task_graph.hpp"

namespace gridloom::pets {

struct placement {
  std::uint32_t processor = 0;
  time_value start = 0;
  time_value finish = 0;

  friend bool operator==(placement const&, placement const&) = default;
};

struct schedule {
  std::vector<placement> of;
  /// Tasks in the order in which they were placed.
  std::vector<std::uint32_t> order;

  [[nodiscard]] time_value makespan() const;
};

/// Checks a schedule. Returns a line that names a wrong task, or "". Every task must run once and
/// take its cost. No two tasks may overlap on a processor. No task may start before its
/// predecessors' data has arrived; a transfer on one processor takes no time. The check shares only
/// the graph with the schedulers.
[[nodiscard]] std::string check_schedule(task_graph const& graph, schedule const& made);

/// Lower bound of all makespans: the larger of two times. One is the critical path with smallest
/// costs and no communication. The other is the sum of smallest costs divided by the number of
/// processors.
[[nodiscard]] time_value lower_bound(task_graph const& graph);

/// Measures of chapter 5 of Topcuoglu et al. (2002).
struct quality {
  time_value makespan = 0;
  /// Makespan / critical path with smallest costs and no communication.
  double slr = 0;
  /// Shortest time of all tasks on one processor, divided by the makespan.
  double speedup = 0;
  /// Speedup / processors.
  double efficiency = 0;
};
[[nodiscard]] quality quality_of(task_graph const& graph, schedule const& made);

}  // namespace gridloom::pets
