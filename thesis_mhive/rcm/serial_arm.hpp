#pragma once
// The arm `serial`: the reference, timed. One host thread, whatever the machine.

#include <memory>

#include "arm.hpp"

namespace gridloom::mhive::rcm {

[[nodiscard]] std::unique_ptr<order_arm> make_serial_arm(arm_setup const& setup);

}  // namespace gridloom::mhive::rcm
