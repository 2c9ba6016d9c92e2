// Phases under the controller that launches kernels: its block has a warp for each of the 32 task
// types, hence 64 registers a thread. What the compiler does not inline into it must keep to that,
// too, so this source alone is compiled with such a limit.

#include "program_runner.hpp"

namespace gridloom::mhive::generic {

template <>
report run_under<device_controller>(program<phases_queue>& tasks, tree_data_ref const& data) {
  return tasks.run<device_controller>(data);
}

}  // namespace gridloom::mhive::generic
