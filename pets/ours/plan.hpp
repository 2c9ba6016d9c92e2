#pragma once
// A plan: a list scheduler places the tasks of a graph on the workers of a device before the run.
// Each worker gets a list of its tasks in the order of their starts (plan_executor.hpp).

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gridloom/error.hpp"
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

/// The lists of a schedule. A task starts after its predecessors have ended, so all lists follow
/// the order of starts. Of equal starts, the order of placement decides, which is topological.
[[nodiscard]] inline task_groups lists_of(schedule const& made, std::uint32_t workers) {
  task_groups by_start{made.order};
  std::stable_sort(
      by_start.tasks.begin(), by_start.tasks.end(),
      [&](std::uint32_t a, std::uint32_t b) { return made.of[a].start < made.of[b].start; });
  std::vector<std::uint32_t> worker_of;
  for (placement const& one : made.of) worker_of.push_back(one.processor);
  return dealt_to(workers, by_start, worker_of);
}

/// Throws usage_error for more than most_processors workers, for a number of durations that is not
/// the number of tasks, and for the literal policy. Memory: tasks × workers costs. Cost: that of the
/// scheduler.
[[nodiscard]] inline plan make_plan(list_scheduler const& by, csr_graph const& graph,
                                    std::uint32_t workers, plan_times const& times) {
  if (by.how == policy::literal)
    throw usage_error("plan: " + std::string(by.name) +
                      " may start a task before its predecessors end; use insertion or append");
  std::vector<time_value> own = times.tasks;
  if (own.empty()) {
    // A scheduler takes about 1 µs for a task.
    own.assign(graph.tasks(), 1000);
    for (std::size_t task = 0; task < graph.durations.size(); ++task)
      own[task] += graph.durations[task];
  }
  std::vector<time_value> costs;
  costs.reserve(own.size() * workers);
  for (time_value const one : own) costs.insert(costs.end(), workers, one);
  std::vector<time_value> weights(graph.edges(), times.hand_over);
  schedule const made =
      by.run(make_task_graph(graph, std::move(weights), std::move(costs), workers, "plan"), by.how);
  plan result{{lists_of(made, workers)}, made.makespan()};
  result.lists.predicted_ms = static_cast<double>(result.makespan_ns) * 1e-6;
  return result;
}

}  // namespace gridloom::pets
