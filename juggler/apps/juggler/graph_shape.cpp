#include "graph_shape.hpp"

#include <algorithm>
#include <vector>

namespace gridloom::juggler {

std::string at_once_text(graph_shape const& shape) {
  std::string const most = std::to_string(shape.widest_wave);
  return shape.narrowest_wave == shape.widest_wave
             ? most
             : std::to_string(shape.narrowest_wave) + " to " + most;
}

graph_shape shape_of(task_dag const& dag) {
  graph_shape shape;
  std::vector<std::uint32_t> open = dag.parents;
  std::vector<std::uint32_t> wave = dag.ready;
  std::vector<std::uint32_t> next;
  // A task is in the wave after that of its last parent.
  for (; !wave.empty(); wave.swap(next)) {
    ++shape.longest_path;
    auto const size = static_cast<std::int64_t>(wave.size());
    shape.widest_wave = std::max(shape.widest_wave, size);
    shape.narrowest_wave = shape.longest_path == 1 ? size : std::min(shape.narrowest_wave, size);
    next.clear();
    for (std::uint32_t const task : wave) {
      for (std::uint64_t e = dag.children.row_offsets[task]; e < dag.children.row_offsets[task + 1];
           ++e) {
        if (--open[dag.children.columns[e]] == 0) next.push_back(dag.children.columns[e]);
      }
    }
  }
  return shape;
}

}  // namespace gridloom::juggler
