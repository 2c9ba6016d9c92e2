#pragma once
// Tasks of a user under any scheduler, chosen by its name. The header launches kernels
// (gridloom_kernel_sources), and compiles those of all schedulers. A source that includes the
// headers of some artifacts instead, and passes their lists to make(), compiles faster.

#include "schedulers/juggler.hpp"
#include "schedulers/mhive.hpp"
#include "schedulers/pets.hpp"
#include "schedulers/rivals.hpp"
#include "schedulers/tiled_qr.hpp"
#include "schedulers/wavefront.hpp"

namespace gridloom::schedulers {

/// All schedulers. On CUDA, MHive's device controller has a condition (mhive.hpp).
template <block_tasks Tasks>
std::vector<scheduler<Tasks>> all() {
  return joined<Tasks>({wavefront<Tasks>(), juggler<Tasks>(), mhive<Tasks>(),
                        mhive_device_controller<Tasks>(), tiled_qr<Tasks>(), pets_plans<Tasks>(),
                        rivals<Tasks>()});
}

/// Makes an executor with one of all schedulers, as make() in scheduler.hpp does.
template <block_tasks Tasks>
std::unique_ptr<executor> make(std::string_view name, device& machine, csr_graph const& graph,
                               Tasks const& tasks, executor_settings const& settings = {}) {
  return make(name, all<Tasks>(), machine, graph, tasks, settings);
}

}  // namespace gridloom::schedulers
