#include "graph_shape.hpp"

#include <algorithm>

#include "gridloom/taskgraph/orders.hpp"

namespace gridloom::juggler {

std::string at_once_text(graph_shape const& shape) {
  std::string const most = std::to_string(shape.widest_wave);
  return shape.narrowest_wave == shape.widest_wave
             ? most
             : std::to_string(shape.narrowest_wave) + " to " + most;
}

graph_shape shape_of(task_dag const& dag) {
  task_groups const levels = levels_of(dag.children);
  graph_shape shape{.longest_path = levels.groups()};
  for (std::uint32_t level = 0; level < levels.groups(); ++level) {
    std::int64_t const size = levels.size(level);
    shape.widest_wave = std::max(shape.widest_wave, size);
    shape.narrowest_wave = level == 0 ? size : std::min(shape.narrowest_wave, size);
  }
  return shape;
}

}  // namespace gridloom::juggler
