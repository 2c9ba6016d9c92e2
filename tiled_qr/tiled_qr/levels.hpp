#pragma once
// The levels of the task graph (report, II.C): tasks of one level do not depend on each other.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "gridloom/error.hpp"
#include "gridloom/taskgraph/orders.hpp"
#include "tiled_qr/task.hpp"
#include "tiled_qr/task_grid.hpp"

namespace gridloom::tiled_qr {

/// Returns the number of tasks. Throws unsupported if 32 bits are not enough for it.
[[nodiscard]] inline std::size_t require_numbers(tiling const& cut) {
  std::uint64_t const tasks = count_tasks(cut);
  if (tasks > std::numeric_limits<std::uint32_t>::max())
    throw unsupported("lists of tasks use 32 bits per task and cannot hold " +
                      std::to_string(tasks) + " tasks; use a larger --tile");
  return static_cast<std::size_t>(tasks);
}

/// Returns one number per task: the length, in tasks, of the longest path that ends in it.
[[nodiscard]] inline std::vector<std::uint32_t> depths_of(tiling const& cut) {
  std::vector<std::uint32_t> depths(require_numbers(cut));
  // A task's number is larger than the numbers of all tasks that it depends on.
  for (std::uint32_t number = 0; number < depths.size(); ++number) {
    std::uint32_t depth = 1;
    for_each_dependence(task_at(cut, number), [&](task const& before) {
      depth = std::max(depth, depths[number_of(cut, before)] + 1);
    });
    depths[number] = depth;
  }
  return depths;
}

/// Returns the tasks of each level, in ascending order. Throws as require_numbers does.
[[nodiscard]] inline task_groups levels_of(tiling const& cut) {
  std::vector<std::uint32_t> depths = depths_of(cut);
  for (std::uint32_t& depth : depths) --depth;
  return by_number(depths);
}

}  // namespace gridloom::tiled_qr
