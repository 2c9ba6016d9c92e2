#pragma once
// MHive's schedulers. The header launches kernels (gridloom_kernel_sources). The device controller
// is missing: it launches kernels from the device, which needs a program of its own.

#include "mhive/graph_executor.hpp"
#include "mhive/megakernel.hpp"
#include "mhive/time_sliced.hpp"
#include "schedulers/scheduler.hpp"
#include "thesis_mhive/ours/resident_controller.hpp"

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
          {.name = "mhive-resident",
           .about = "a resident controller gives tasks to resident workers",
           .by = origin::ours,
           .make = make_graph_executor<resident_controller, Tasks>}};
}

}  // namespace gridloom::schedulers
