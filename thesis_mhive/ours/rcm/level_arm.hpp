#pragma once
// The arm `levels`. A single block searches narrow levels. The searches from all candidates run at
// the same time. The ordering goes through the levels of a search without reading the graph.

#include <memory>

#include "thesis_mhive/apps/rcm/arm.hpp"

namespace gridloom::mhive::rcm {

[[nodiscard]] std::unique_ptr<order_arm> make_level_arm(arm_setup const& setup);

/// Returns this arm's search for start nodes, for other arms.
[[nodiscard]] start_search make_level_start_search(arm_setup const& setup);

}  // namespace gridloom::mhive::rcm
