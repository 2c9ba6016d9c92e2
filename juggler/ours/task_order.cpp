#include "juggler/ours/task_order.hpp"

namespace gridloom::juggler {

task_groups waves_of(task_dag const& dag) {
  return by_number(group_of_task(levels_of(dag.children)));
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
