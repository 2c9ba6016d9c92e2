#pragma once
// The arms `serial`, the reference, timed, on one host thread whatever the machine; and
// `two_threads`, the same with two candidates for a start node searched from side by side.

#include <memory>

#include "arm.hpp"

namespace gridloom::mhive::rcm {

[[nodiscard]] std::unique_ptr<order_arm> make_serial_arm(arm_setup const& setup, int threads);

}  // namespace gridloom::mhive::rcm
