// Runs whose kernels must keep to 64 registers a thread: the megakernel of which 1,024 threads are
// to fit a multiprocessor, and, with phases, the controller that launches kernels, whose block has
// a warp for each of the 32 task types. What the compiler does not inline must keep to that, too,
// so this source alone is compiled with such a limit.

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
