#pragma once
// A loop over all schedulers, for code that is run under each of them.

#include "mhive/device_controller.hpp"
#include "mhive/megakernel.hpp"
#include "mhive/time_sliced.hpp"
#include "thesis_mhive/ours/resident_controller.hpp"

namespace gridloom::mhive {

/// Calls body(Scheduler{}) for each scheduler.
template <class Body>
void for_each_scheduler(Body&& body) {
  body(time_sliced{});
  body(megakernel{});
  body(device_controller{});
  body(resident_controller{});
}

}  // namespace gridloom::mhive
