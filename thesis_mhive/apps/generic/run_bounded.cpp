// Runs whose kernels may use at most 64 registers per thread. The megakernel is one of them, so
// that 1,024 threads fit a multiprocessor. With phases, the controller that launches kernels is
// another, because its block has one warp for each of the 32 task types. The limit also holds for
// functions that are not inlined. So the compiler applies it to this source alone.

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
