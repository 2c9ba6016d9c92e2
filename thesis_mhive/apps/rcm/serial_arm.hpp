#pragma once
// The arms `serial`, the timed reference on one host thread, and `two_threads`, which searches from
// two candidates for a start node at the same time.

#include <memory>

#include "arm.hpp"

namespace gridloom::mhive::rcm {

[[nodiscard]] std::unique_ptr<order_arm> make_serial_arm(arm_setup const& setup, int threads);

}  // namespace gridloom::mhive::rcm
