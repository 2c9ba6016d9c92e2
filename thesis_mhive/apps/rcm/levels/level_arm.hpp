#pragma once
// The arm `levels`: searches by levels with a block while they are narrow, candidates side by side,
// and an ordering that goes through the levels of a search without the graph.

#include <memory>

#include "arm.hpp"
#include "published/published_arms.hpp"

namespace gridloom::mhive::rcm {

[[nodiscard]] std::unique_ptr<order_arm> make_level_arm(arm_setup const& setup);

/// The search for start nodes of this arm, for the others.
[[nodiscard]] start_search make_level_start_search(arm_setup const& setup);

}  // namespace gridloom::mhive::rcm
