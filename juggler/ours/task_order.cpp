#include "juggler/ours/task_order.hpp"

#include <algorithm>
#include <numeric>

namespace gridloom::juggler {

namespace {

/// Distributes the tasks of `order` over groups. Each group keeps their order.
template <class Group>
task_groups grouped(std::vector<std::uint32_t> const& order, std::size_t groups,
                    Group const& group_of) {
  task_groups made{std::vector<std::uint32_t>(order.size()),
                   std::vector<std::uint32_t>(groups + 1, 0)};
  for (std::size_t at = 0; at < order.size(); ++at) ++made.first[group_of(at) + 1];
  std::partial_sum(made.first.begin(), made.first.end(), made.first.begin());
  std::vector<std::uint32_t> next(made.first.begin(), made.first.end() - 1);
  for (std::size_t at = 0; at < order.size(); ++at) made.tasks[next[group_of(at)]++] = order[at];
  return made;
}

}  // namespace

task_groups waves_of(task_dag const& dag) {
  csr_graph const& children = dag.children;
  std::vector<std::uint32_t> open = dag.parents;
  std::vector<std::uint32_t> depth(dag.tasks(), 0);
  std::vector<std::uint32_t> reached = dag.ready;
  reached.reserve(dag.tasks());
  for (std::size_t at = 0; at < reached.size(); ++at) {
    std::uint32_t const task = reached[at];
    for (auto e = children.row_offsets[task]; e < children.row_offsets[task + 1]; ++e) {
      std::uint32_t const child = children.columns[e];
      depth[child] = std::max(depth[child], depth[task] + 1);
      if (--open[child] == 0) reached.push_back(child);
    }
  }
  std::size_t const waves = reached.empty() ? 0 : depth[reached.back()] + std::size_t{1};
  std::vector<std::uint32_t> all(dag.tasks());
  std::iota(all.begin(), all.end(), 0U);
  return grouped(all, waves, [&](std::size_t task) { return depth[task]; });
}

task_groups dealt_to(std::uint32_t workers, task_groups const& waves) {
  return grouped(waves.tasks, workers, [&](std::size_t place) { return place % workers; });
}

task_groups dealt_to(std::uint32_t workers, task_groups const& waves,
                     std::vector<std::uint32_t> const& worker_of) {
  return grouped(waves.tasks, workers,
                 [&](std::size_t place) { return worker_of[waves.tasks[place]]; });
}

}  // namespace gridloom::juggler
