#include "gridloom/taskgraph/orders.hpp"

#include <algorithm>
#include <utility>

namespace gridloom {

task_groups levels_of(csr_graph const& successors) {
  std::vector<std::uint32_t> open(successors.tasks(), 0);
  for (std::uint32_t const task : successors.columns) ++open[task];
  return breadth_first(std::move(open), [&](std::uint32_t task) { return successors.of(task); });
}

task_groups levels_by_number(csr_graph const& successors) {
  return by_number(group_of_task(levels_of(successors)));
}

std::vector<std::uint32_t> group_of_task(task_groups const& groups) {
  std::vector<std::uint32_t> result(groups.tasks.size());
  for (std::uint32_t group = 0; group < groups.groups(); ++group) {
    for (std::uint32_t at = groups.first[group]; at < groups.first[group + 1]; ++at)
      result[groups.tasks[at]] = group;
  }
  return result;
}

task_groups by_number(std::vector<std::uint32_t> const& group_of) {
  auto const last = std::max_element(group_of.begin(), group_of.end());
  std::size_t const groups = group_of.empty() ? 0 : *last + std::size_t{1};
  std::vector<std::uint32_t> numbers(group_of.size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  return grouped(numbers, groups, [&](std::size_t task) { return group_of[task]; });
}

task_groups dealt_to(std::uint32_t workers, task_groups const& order) {
  return grouped(order.tasks, workers, [&](std::size_t place) { return place % workers; });
}

task_groups dealt_to(std::uint32_t workers, task_groups const& order,
                     std::vector<std::uint32_t> const& worker_of) {
  return grouped(order.tasks, workers,
                 [&](std::size_t place) { return worker_of[order.tasks[place]]; });
}

}  // namespace gridloom
