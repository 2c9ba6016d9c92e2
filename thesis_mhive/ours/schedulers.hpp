#pragma once
// All schedulers: the three of the thesis, and the resident controller, which also replaces the
// device controller on the host.

#include "mhive/device_controller.hpp"
#include "mhive/megakernel.hpp"
#include "mhive/time_sliced.hpp"
#include "thesis_mhive/ours/resident_controller.hpp"

namespace gridloom::mhive {

using device_controller = device_controller_or<resident_controller>;

template <class Body>
void for_each_scheduler(Body&& body) {
  body(time_sliced{});
  body(megakernel{});
  body(device_controller{});
  body(resident_controller{});
}

}  // namespace gridloom::mhive
