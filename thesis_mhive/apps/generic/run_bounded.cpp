// Runs whose kernels may use at most 64 registers per thread: the megakernel, so that 1,024 threads
// fit a multiprocessor, and, with phases, the controller that launches kernels, whose block has one
// warp for each of the 32 task types. The limit also holds for functions that are not inlined, so
// this source alone is compiled with it.

#include "program_runner.hpp"

namespace gridloom::mhive::generic {

template <>
report run_under<device_controller>(program<phases_queue>& tasks, tree_data_ref const& data) {
  return tasks.run<device_controller>(data);
}
template <>
report run_under<bounded_megakernel<1024>>(program<phases_queue>& tasks,
                                           tree_data_ref const& data) {
  return tasks.run<bounded_megakernel<1024>>(data);
}
template <>
report run_under<bounded_megakernel<1024>>(program<individual_queue>& tasks,
                                           tree_data_ref const& data) {
  return tasks.run<bounded_megakernel<1024>>(data);
}

}  // namespace gridloom::mhive::generic
