#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

#include "gridloom/host_time_limit.hpp"
#include "pets/priorities.hpp"
#include "pets/rivals/free_tasks.hpp"
#include "pets/rivals/list_scheduler.hpp"
#include "pets/timeline.hpp"

namespace gridloom::pets {
namespace {

// Marks the tasks of the critical path. It begins with the entry with the largest rank, and
// continues with the successor that determines the upward rank. The paper takes any successor of
// the same priority. Here a successor with a longer path to it is not taken, because the critical
// path would miss tasks.
std::vector<bool> critical_tasks(task_graph const& graph, std::vector<time_value> const& upward) {
  std::uint32_t const none = graph.num_tasks;
  std::uint32_t task = none;
  for (std::uint32_t entry = 0; entry < graph.num_tasks; ++entry) {
    if (!graph.predecessors.of(entry).empty()) continue;
    if (task == none || upward[entry] > upward[task]) task = entry;
  }
  std::vector<bool> critical(graph.num_tasks, false);
  while (task != none) {
    critical[task] = true;
    auto const children = graph.successors.of(task);
    auto const weights = graph.successors.weights_of(task);
    task = none;
    time_value longest = 0;
    for (std::size_t i = 0; i < children.size(); ++i) {
      time_value const length = weights[i] * graph.num_processors + upward[children[i]];
      if (task != none && (length < longest || (length == longest && children[i] > task))) continue;
      task = children[i];
      longest = length;
    }
  }
  return critical;
}

// The processor with the shortest total time for the critical path; of equal ones, the lowest.
std::uint32_t best_processor(task_graph const& graph, std::vector<bool> const& tasks) {
  std::vector<time_value> sums(graph.num_processors, 0);
  for (std::uint32_t task = 0; task < graph.num_tasks; ++task) {
    if (!tasks[task]) continue;
    auto const costs = graph.costs_of(task);
    for (std::uint32_t p = 0; p < graph.num_processors; ++p) sums[p] += costs[p];
  }
  return static_cast<std::uint32_t>(std::ranges::min_element(sums) - sums.begin());
}

template <class Timeline>
schedule place(task_graph const& graph) {
  std::vector<time_value> const upward = upward_ranks(graph);
  std::vector<time_value> priority = downward_ranks(graph);
  std::vector<bool> const critical = critical_tasks(graph, upward);
  std::uint32_t const critical_processor = best_processor(graph, critical);

  for (std::uint32_t task = 0; task < graph.num_tasks; ++task) priority[task] += upward[task];
  free_tasks free{graph, [&](std::uint32_t task) { return priority[task]; }};
  schedule result;
  result.of.resize(graph.num_tasks);
  result.order.reserve(graph.num_tasks);
  std::vector<Timeline> processors(graph.num_processors);
  ready_times ready{graph.num_processors};
  time_checks in_time{"CPOP"};
  while (!free.empty()) {
    in_time();
    std::uint32_t const task = free.take();
    ready.gather(graph, task, result.of);
    auto const costs = graph.costs_of(task);
    std::uint32_t const first = critical[task] ? critical_processor : 0;
    std::uint32_t const last = critical[task] ? critical_processor + 1 : graph.num_processors;
    placement best{0, 0, std::numeric_limits<time_value>::max()};
    for (std::uint32_t p = first; p < last; ++p) {
      // Skips the search if this processor cannot win any more.
      if (ready.on(p) + costs[p] >= best.finish) continue;
      time_value const start = processors[p].earliest_start(ready.on(p), costs[p]);
      if (start + costs[p] < best.finish) best = {p, start, start + costs[p]};
    }
    processors[best.processor].take(best.start, costs[best.processor]);
    result.of[task] = best;
    result.order.push_back(task);
    free.place(task);
  }
  return result;
}

}  // namespace

std::vector<time_value> downward_ranks(task_graph const& graph) {
  std::vector<time_value> const sums = cost_sums(graph);
  std::vector<time_value> rank(graph.num_tasks, 0);
  for (std::uint32_t const task : levels_of(graph).topological) {
    auto const children = graph.successors.of(task);
    auto const weights = graph.successors.weights_of(task);
    for (std::size_t i = 0; i < children.size(); ++i) {
      time_value const there = rank[task] + sums[task] + weights[i] * graph.num_processors;
      rank[children[i]] = std::max(rank[children[i]], there);
    }
  }
  return rank;
}

schedule cpop(task_graph const& graph, policy how) {
  switch (how) {
    case policy::insertion: return place<gaps>(graph);
    case policy::append: return place<appended>(graph);
    case policy::literal: break;
  }
  throw std::invalid_argument("CPOP: expected insertion or append, got literal");
}

}  // namespace gridloom::pets
