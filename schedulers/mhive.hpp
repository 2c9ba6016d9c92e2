#pragma once
// MHive's schedulers. The header launches kernels (gridloom_kernel_sources). The device controller
// launches kernels from the device. So it has a function of its own, which only sources call that
// gridloom_launches_from_device names.

#include "mhive/level_phases.hpp"
#include "schedulers/scheduler.hpp"
#include "thesis_mhive/ours/schedulers.hpp"

namespace gridloom::schedulers {

template <block_tasks Tasks>
std::vector<scheduler<Tasks>> mhive() {
  using namespace gridloom::mhive;
  return {{.name = "mhive-tsk",
           .about = "MHive, time-sliced kernels: the host launches a kernel per task type",
           .make = make_graph_executor<time_sliced, Tasks>},
          {.name = "mhive-mk",
           .about = "MHive, megakernel: resident workers take tasks from the queues",
           .make = make_graph_executor<megakernel, Tasks>},
          {.name = "mhive-phases",
           .about = "MHive, megakernel with one phase per level, without dependencies of tasks",
           .make = make_graph_executor<megakernel, Tasks, by_phases>},
          {.name = "mhive-resident",
           .about = "a resident controller gives tasks to resident workers",
           .by = origin::ours,
           .make = make_graph_executor<resident_controller, Tasks>}};
}

template <block_tasks Tasks>
std::vector<scheduler<Tasks>> mhive_device_controller() {
  using namespace gridloom::mhive;
  return {{.name = "mhive-pdc",
           .about = "MHive, device controller: one block launches a kernel per task type (on the "
                    "host, mhive-resident)",
           .make = make_graph_executor<device_controller, Tasks>}};
}

}  // namespace gridloom::schedulers
