#pragma once
// All schedulers: the thesis's three and the resident controller, which on the host also takes the
// place of the device controller.

#include "mhive/device_controller.hpp"
#include "mhive/megakernel.hpp"
#include "mhive/time_sliced.hpp"
#include "thesis_mhive/ours/resident_controller.hpp"

namespace gridloom::mhive {

using device_controller = device_controller_or<resident_controller>;

/// Calls body(Scheduler{}) for each scheduler.
template <class Body>
void for_each_scheduler(Body&& body) {
  body(time_sliced{});
  body(megakernel{});
  body(device_controller{});
  body(resident_controller{});
}

}  // namespace gridloom::mhive
