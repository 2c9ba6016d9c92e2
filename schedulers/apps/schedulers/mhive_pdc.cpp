// Apart from mhive.cpp, because its kernels launch kernels.

#include "apps/schedulers/all.hpp"
#include "schedulers/mhive.hpp"

namespace gridloom::schedulers {

static_assert(launches_from_device);

std::vector<synthetic_scheduler> synthetic_mhive_pdc() {
  return mhive_device_controller<synthetic_graph_ref>();
}

}  // namespace gridloom::schedulers
