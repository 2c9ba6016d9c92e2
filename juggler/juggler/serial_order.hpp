#pragma once
// The order in which a serial program executes the tasks.

#include <cstdint>
#include <vector>

#include "juggler/dag.hpp"

namespace gridloom::juggler {

/// All tasks, each after its parents. Among tasks whose parents are done, the one with the lowest
/// number comes first. If all edges lead to later tasks, this is the order in which they were
/// added.
[[nodiscard]] std::vector<std::uint32_t> serial_order(task_dag const& dag);

}  // namespace gridloom::juggler
