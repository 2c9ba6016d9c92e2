#include "rivals/graph_runs.hpp"

#include <algorithm>
#include <numeric>

namespace gridloom::tiled_qr::general {

level_list levels_of(compiled_graph const& graph) {
  std::uint32_t const n = graph.tasks();
  std::vector<std::uint32_t> level(n, 0);
  std::vector<std::uint32_t> free_from(graph.resources, 0);
  std::uint32_t count = 0;
  for (std::uint32_t const task : graph.order) {
    for (std::uint64_t u = graph.use_offsets[task]; u < graph.use_offsets[task + 1]; ++u)
      level[task] = std::max(level[task], free_from[graph.uses[u]]);
    std::uint32_t const next = level[task] + 1;
    for (std::uint64_t u = graph.use_offsets[task]; u < graph.use_offsets[task + 1]; ++u)
      free_from[graph.uses[u]] = next;
    for (std::uint64_t e = graph.successors.row_offsets[task];
         e < graph.successors.row_offsets[task + 1]; ++e) {
      std::uint32_t& of = level[graph.successors.columns[e]];
      of = std::max(of, next);
    }
    count = std::max(count, next);
  }
  level_list list;
  list.offsets.assign(std::size_t{count} + 1, 0);
  for (std::uint32_t const w : level) ++list.offsets[w + 1];
  std::partial_sum(list.offsets.begin(), list.offsets.end(), list.offsets.begin());
  std::vector<std::uint32_t> next(list.offsets.begin(), list.offsets.end() - 1);
  list.tasks.resize(n);
  for (std::uint32_t task = 0; task < n; ++task) list.tasks[next[level[task]]++] = task;
  return list;
}

}  // namespace gridloom::tiled_qr::general
