#pragma once
// MHive's schedulers. The header launches kernels (gridloom_kernel_sources). The device controller
// has a function of its own, because it launches kernels from the device. On CUDA, this takes
// relocatable device code, which the other schedulers do not need.

#include <type_traits>

#include "mhive/level_phases.hpp"
#include "schedulers/scheduler.hpp"
#include "thesis_mhive/ours/schedulers.hpp"

namespace gridloom::schedulers {

/// Whether kernels of this source may launch kernels: its target is one of those that
/// gridloom_launches_from_device names in CMake, or the build has no CUDA backend.
#if GRIDLOOM_HAS_CUDA && !defined(__CUDACC_RDC__)
constexpr bool launches_from_device = false;
#else
constexpr bool launches_from_device = true;
#endif

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

/// Without launches_from_device, the device controller runs on the host only.
template <block_tasks Tasks>
std::vector<scheduler<Tasks>> mhive_device_controller() {
  using namespace gridloom::mhive;
  using controller =
      std::conditional_t<launches_from_device, device_controller, resident_controller>;
  return {{.name = "mhive-pdc",
           .about = "MHive, device controller: one block launches a kernel per task type (on the "
                    "host, mhive-resident)",
           .on_cuda = launches_from_device,
           .for_cuda = "name the CMake target in gridloom_launches_from_device",
           .make = make_graph_executor<controller, Tasks>}};
}

}  // namespace gridloom::schedulers
