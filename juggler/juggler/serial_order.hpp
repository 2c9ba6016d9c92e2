#pragma once
// The order of a serial program.

#include <cstdint>
#include <vector>

#include "juggler/dag.hpp"

namespace gridloom::juggler {

/// All tasks so that each comes after its parents: of those that could be next, the one made first.
/// Where all edges lead to later tasks it is the order of their making.
[[nodiscard]] std::vector<std::uint32_t> serial_order(task_dag const& dag);

}  // namespace gridloom::juggler
