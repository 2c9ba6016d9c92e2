#include "rivals/graph_runs.hpp"

#include <algorithm>

namespace gridloom::tiled_qr::general {

task_groups levels_of(compiled_graph const& graph) {
  std::vector<std::uint32_t> level(graph.tasks(), 0);
  std::vector<std::uint32_t> free_from(graph.resources, 0);
  for (std::uint32_t const task : graph.order) {
    for (std::uint64_t u = graph.use_offsets[task]; u < graph.use_offsets[task + 1]; ++u)
      level[task] = std::max(level[task], free_from[graph.uses[u]]);
    std::uint32_t const next = level[task] + 1;
    for (std::uint64_t u = graph.use_offsets[task]; u < graph.use_offsets[task + 1]; ++u)
      free_from[graph.uses[u]] = next;
    for (std::uint32_t const after : graph.successors.of(task))
      level[after] = std::max(level[after], next);
  }
  return by_number(level);
}

}  // namespace gridloom::tiled_qr::general
