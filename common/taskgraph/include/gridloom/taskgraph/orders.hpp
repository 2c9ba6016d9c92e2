#pragma once
// Orders of the tasks of a graph, which the host computes before a run.

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "gridloom/taskgraph/graph_file.hpp"

namespace gridloom {

/// Tasks in consecutive groups: group g is tasks[first[g]] to tasks[first[g + 1] - 1].
struct task_groups {
  std::vector<std::uint32_t> tasks;
  std::vector<std::uint32_t> first = {0};

  [[nodiscard]] std::uint32_t groups() const {
    return static_cast<std::uint32_t>(first.size()) - 1;
  }
  [[nodiscard]] std::uint32_t size(std::uint32_t group) const {
    return first[group + 1] - first[group];
  }
};

/// The levels of a graph by Kahn's algorithm. Level l holds the tasks whose longest path from a
/// task without dependencies has l edges, so `tasks` is a topological order. The first level
/// ascends. Tasks of other levels stand in the order in which their last dependency releases them.
/// `open` has the number of each task's dependencies; `successors_of(task)` has size() and an
/// index. Tasks on a cycle and tasks after one are left out. Cost: linear.
template <class Successors>
[[nodiscard]] task_groups breadth_first(std::vector<std::uint32_t> open,
                                        Successors const& successors_of) {
  task_groups levels;
  levels.tasks.reserve(open.size());
  for (std::uint32_t task = 0; task < open.size(); ++task) {
    if (open[task] == 0) levels.tasks.push_back(task);
  }
  while (levels.first.back() != levels.tasks.size()) {
    std::uint32_t const begin = levels.first.back();
    auto const end = static_cast<std::uint32_t>(levels.tasks.size());
    levels.first.push_back(end);
    for (std::uint32_t at = begin; at < end; ++at) {
      auto const next = successors_of(levels.tasks[at]);
      for (decltype(next.size()) k = 0; k < next.size(); ++k) {
        if (--open[next[k]] == 0) levels.tasks.push_back(next[k]);
      }
    }
  }
  return levels;
}

/// The same for a graph in compressed rows, which must have valid offsets and columns.
[[nodiscard]] task_groups levels_of(csr_graph const& successors);

/// The same with ascending task numbers in each level.
[[nodiscard]] task_groups levels_by_number(csr_graph const& successors);

/// The group of each task; every task must be in one group. Cost: linear.
[[nodiscard]] std::vector<std::uint32_t> group_of_task(task_groups const& groups);

/// Makes groups from the group of each task. Task numbers ascend in each group. Cost: linear.
[[nodiscard]] task_groups by_number(std::vector<std::uint32_t> const& group_of);

/// Distributes the tasks of `order` over groups: the task at place p goes to group_of(p). Each
/// group keeps their order. Cost: linear.
template <class Group>
[[nodiscard]] task_groups grouped(std::vector<std::uint32_t> const& order, std::size_t groups,
                                  Group const& group_of) {
  task_groups made{std::vector<std::uint32_t>(order.size()),
                   std::vector<std::uint32_t>(groups + 1, 0)};
  for (std::size_t at = 0; at < order.size(); ++at) ++made.first[group_of(at) + 1];
  std::partial_sum(made.first.begin(), made.first.end(), made.first.begin());
  std::vector<std::uint32_t> next(made.first.begin(), made.first.end() - 1);
  for (std::size_t at = 0; at < order.size(); ++at) made.tasks[next[group_of(at)]++] = order[at];
  return made;
}

/// One list per worker: the tasks of all groups, distributed in turns. Each group begins with the
/// worker after the last one of the group before. Cost: linear.
[[nodiscard]] task_groups dealt_to(std::uint32_t workers, task_groups const& order);

/// The same, but `worker_of` gives the worker of each task.
[[nodiscard]] task_groups dealt_to(std::uint32_t workers, task_groups const& order,
                                   std::vector<std::uint32_t> const& worker_of);

}  // namespace gridloom
