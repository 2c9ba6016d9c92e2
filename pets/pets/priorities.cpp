#include "pets/priorities.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "gridloom/taskgraph/orders.hpp"

namespace gridloom::pets {

std::vector<time_value> cost_sums(task_graph const& graph) {
  std::vector<time_value> sums(graph.num_tasks);
  for (std::uint32_t task = 0; task < graph.num_tasks; ++task) {
    auto const costs = graph.costs_of(task);
    sums[task] = std::accumulate(costs.begin(), costs.end(), time_value{0});
  }
  return sums;
}

priorities priorities_of(task_graph const& graph) {
  // The values that an edge changes in its target, kept together in memory.
  struct state {
    /// Until the task is visited: the largest rank of its predecessors so far.
    time_value rank;
    std::uint32_t level;
    std::uint32_t missing;
  };
  std::uint32_t const n = graph.num_tasks;
  std::vector<state> states(n);
  std::vector<std::uint32_t> ready;
  ready.reserve(n);
  for (std::uint32_t task = 0; task < n; ++task) {
    std::uint32_t const parents =
        graph.predecessors.offsets[task + 1] - graph.predecessors.offsets[task];
    states[task] = {0, 0, parents};
    if (parents == 0) ready.push_back(task);
  }
  for (std::size_t done = 0; done < ready.size(); ++done) {
    std::uint32_t const task = ready[done];
    auto const costs = graph.costs_of(task);
    auto const weights = graph.successors.weights_of(task);
    time_value const sum = std::accumulate(costs.begin(), costs.end(), time_value{0});
    time_value const data = std::accumulate(weights.begin(), weights.end(), time_value{0});
    state& own = states[task];
    own.rank += rounded_mean(sum, graph.num_processors) + data;
    for (std::uint32_t const child : graph.successors.of(task)) {
      state& below = states[child];
      below.level = std::max(below.level, own.level + 1);
      below.rank = std::max(below.rank, own.rank);
      if (--below.missing == 0) ready.push_back(child);
    }
  }
  priorities result;
  result.level.reserve(n);
  result.rank.reserve(n);
  for (state const& own : states) {
    result.level.push_back(own.level);
    result.rank.push_back(own.rank);
    result.num_levels = std::max(result.num_levels, own.level + 1);
  }
  return result;
}

void level_order::sort(std::span<std::uint32_t> tasks) {
  keys_.clear();
  for (std::uint32_t const task : tasks) {
    auto const costs = graph_.costs_of(task);
    keys_.emplace_back(~by_.rank[task], std::accumulate(costs.begin(), costs.end(), time_value{0}),
                       task);
  }
  std::ranges::sort(keys_);
  for (std::size_t i = 0; i < tasks.size(); ++i) tasks[i] = std::get<2>(keys_[i]);
}

std::vector<std::uint32_t> order_of(task_graph const& graph, priorities const& by) {
  // Sorts by level with a counting sort, then within each level, which fits the cache.
  task_groups levels = by_number(by.level);
  level_order in_level(graph, by);
  for (std::uint32_t level = 0; level < levels.groups(); ++level)
    in_level.sort(std::span(levels.tasks).subspan(levels.first[level], levels.size(level)));
  return std::move(levels.tasks);
}

}  // namespace gridloom::pets
