#pragma once
// Sums of the durations drawn for a graph's tasks. They bound the length of any schedule from
// below.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gridloom/taskgraph/device_graph.hpp"
#include "gridloom/taskgraph/task_durations.hpp"

namespace gridloom {

/// Sums of durations, as multiples of the mean duration.
struct drawn_work {
  /// Sum over all tasks.
  double total = 0;
  /// Largest sum along a path.
  double path = 0;
};

/// Cost: one pass over all edges, unless durations are constant.
[[nodiscard]] inline drawn_work work_of(device_graph& graph, task_durations kind,
                                        std::uint32_t seed) {
  if (kind == task_durations::constant)
    return {static_cast<double>(graph.tasks()), static_cast<double>(graph.depth())};
  drawn_work sum;
  std::vector<float> done(graph.tasks());
  auto const pass = [&](auto const& tasks, std::uint32_t task) {
    float begin = 0;
    auto const from = tasks.predecessors(task);
    for (std::uint32_t k = 0; k < from.size(); ++k) begin = std::max(begin, done[from[k]]);
    float const own = duration_of(kind, seed, task);
    done[task] = begin + own;
    sum.total += own;
    sum.path = std::max(sum.path, static_cast<double>(done[task]));
  };
  if (graph.is_lattice()) {
    lattice const tasks = graph.shape();
    // The numbers of a lattice's tasks are a topological order.
    for (std::uint32_t task = 0; task < tasks.tasks(); ++task) pass(tasks, task);
  } else {
    auto const tasks = std::get<dag_ref>(graph.host_view());
    for (std::uint32_t const task : graph.levels().tasks) pass(tasks, task);
  }
  return sum;
}

/// The same for given durations, one per task. Cost: linear in tasks and edges.
[[nodiscard]] inline drawn_work work_of(csr_graph const& graph,
                                        std::vector<float> const& durations) {
  drawn_work sum;
  std::vector<double> begin(graph.tasks());
  for (std::uint32_t const task : levels_of(graph).tasks) {
    double const own = durations[task];
    double const end = begin[task] + own;
    for (std::uint32_t const after : graph.of(task)) begin[after] = std::max(begin[after], end);
    sum.total += own;
    sum.path = std::max(sum.path, end);
  }
  return sum;
}

}  // namespace gridloom
