#include "pets/priorities.hpp"

#include <algorithm>
#include <numeric>

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

std::vector<std::uint32_t> order_of(task_graph const& graph, priorities const& by) {
  // Sorts by level with a counting sort, then within each level, which fits the cache.
  struct entry {
    time_value rank;
    /// Sum of the costs.
    time_value sum;
    std::uint32_t task;
  };
  std::uint32_t const n = graph.num_tasks;
  std::vector<std::uint32_t> begin(by.num_levels + 1, 0);
  for (std::uint32_t const level : by.level) ++begin[level + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  std::vector<entry> entries(n);
  for (std::uint32_t task = 0; task < n; ++task) {
    auto const costs = graph.costs_of(task);
    time_value const sum = std::accumulate(costs.begin(), costs.end(), time_value{0});
    entries[next[by.level[task]]++] = {by.rank[task], sum, task};
  }
  for (std::uint32_t level = 0; level < by.num_levels; ++level) {
    std::sort(entries.begin() + begin[level], entries.begin() + begin[level + 1],
              [](entry const& a, entry const& b) {
                if (a.rank != b.rank) return a.rank > b.rank;
                if (a.sum != b.sum) return a.sum < b.sum;
                return a.task < b.task;
              });
  }
  std::vector<std::uint32_t> order(n);
  for (std::uint32_t i = 0; i < n; ++i) order[i] = entries[i].task;
  return order;
}

}  // namespace gridloom::pets
