#pragma once
// The arm `levels`: searches by levels with a block while they are narrow, candidates side by side,
// and an ordering that goes through the levels of a search without the graph.

#include <memory>

#include "arm.hpp"

namespace gridloom::mhive::rcm {

[[nodiscard]] std::unique_ptr<order_arm> make_level_arm(arm_setup const& setup);

}  // namespace gridloom::mhive::rcm
