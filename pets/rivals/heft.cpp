// HEFT and the ranks of Topcuoglu et al. (2002). All ranks are multiplied by the number of
// processors, so mean costs need no rounding. The code uses a task's sum of costs instead of its
// mean, and weights times the number of processors.

#include <algorithm>
#include <ranges>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "pets/priorities.hpp"
#include "pets/rivals/list_scheduler.hpp"

namespace gridloom::pets {
namespace {

std::vector<time_value> upward_ranks(task_graph const& graph, graph_levels const& levels) {
  std::vector<time_value> rank = cost_sums(graph);
  for (std::uint32_t const task : levels.topological | std::views::reverse) {
    auto const children = graph.successors.of(task);
    auto const weights = graph.successors.weights_of(task);
    time_value longest = 0;
    for (std::size_t i = 0; i < children.size(); ++i) {
      longest = std::max(longest, weights[i] * graph.num_processors + rank[children[i]]);
    }
    rank[task] += longest;
  }
  return rank;
}

}  // namespace

std::vector<time_value> upward_ranks(task_graph const& graph) {
  return upward_ranks(graph, levels_of(graph));
}

std::vector<std::uint32_t> heft_order(task_graph const& graph) {
  graph_levels const levels = levels_of(graph);
  std::vector<time_value> const rank = upward_ranks(graph, levels);
  // A successor has the same rank only if neither the task nor the edge costs anything. Even then
  // its level is higher, so the order is topological. The complement sorts ranks downwards.
  std::vector<std::tuple<time_value, std::uint32_t, std::uint32_t>> keys;
  for (std::uint32_t task = 0; task < graph.num_tasks; ++task)
    keys.emplace_back(~rank[task], levels.level[task], task);
  std::ranges::sort(keys);
  std::vector<std::uint32_t> order(graph.num_tasks);
  std::ranges::transform(keys, order.begin(), [](auto const& key) { return std::get<2>(key); });
  return order;
}

schedule heft(task_graph const& graph, policy how) {
  if (how == policy::literal) {
    throw std::invalid_argument("HEFT: expected insertion or append, got literal");
  }
  return select_processors(graph, heft_order(graph), how);
}

}  // namespace gridloom::pets
