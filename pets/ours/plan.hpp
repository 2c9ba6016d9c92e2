#pragma once
// A plan: a list scheduler places the tasks of a graph on the workers of a device before the run.
// Each worker gets a list of its tasks in the order of their starts (plan_executor.hpp).

#include <cstdint>
#include <vector>

#include "gridloom/taskgraph/rivals/ordered_state.hpp"
#include "pets/rivals/list_scheduler.hpp"

namespace gridloom::pets {

/// What a plan assumes, in nanoseconds. It is the same for all workers.
struct plan_times {
  /// One duration per task. If empty, each task takes 1 µs and its duration in the graph.
  std::vector<time_value> tasks{};
  /// From the end of a task to the start of a successor on another worker.
  time_value hand_over = 1000;
};

struct plan {
  worker_lists lists;
  /// The predicted time of a run.
  time_value makespan_ns = 0;
};

/// Throws usage_error for more than most_processors workers, for a number of durations that is not
/// the number of tasks, and for the literal policy. Memory: tasks × workers costs. Cost: that of the scheduler.
[[nodiscard]] plan make_plan(list_scheduler const& by, csr_graph const& graph,
                             std::uint32_t workers, plan_times const& times);

/// The lists of a schedule. A task starts after its predecessors have ended, so all lists follow
/// the order of starts. Of equal starts, the order of placement decides, which is topological.
[[nodiscard]] task_groups lists_of(schedule const& made, std::uint32_t workers);

}  // namespace gridloom::pets
