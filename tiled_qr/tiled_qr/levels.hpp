#pragma once
// The levels of the task graph (report, II.C): tasks of one level do not depend on each other.

#include <cstdint>
#include <vector>

#include "gridloom/taskgraph/orders.hpp"
#include "tiled_qr/task.hpp"

namespace gridloom::tiled_qr {

/// Returns the number of tasks. Throws unsupported if 32 bits are not enough for it.
[[nodiscard]] std::size_t require_numbers(tiling const& cut);

/// Returns one number per task: the length, in tasks, of the longest path that ends in it.
[[nodiscard]] std::vector<std::uint32_t> depths_of(tiling const& cut);

/// Returns the tasks of each level, in ascending order. Throws as require_numbers does.
[[nodiscard]] task_groups levels_of(tiling const& cut);

}  // namespace gridloom::tiled_qr
