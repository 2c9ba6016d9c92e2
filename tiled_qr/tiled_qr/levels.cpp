#include "tiled_qr/levels.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "gridloom/error.hpp"
#include "tiled_qr/task_grid.hpp"

namespace gridloom::tiled_qr {

std::size_t require_numbers(tiling const& cut) {
  std::uint64_t const tasks = count_tasks(cut);
  if (tasks > std::numeric_limits<std::uint32_t>::max())
    throw unsupported("lists of tasks use 32 bits per task and cannot hold " +
                      std::to_string(tasks) + " tasks; use a larger --tile");
  return static_cast<std::size_t>(tasks);
}

std::vector<std::uint32_t> depths_of(tiling const& cut) {
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

task_groups levels_of(tiling const& cut) {
  std::vector<std::uint32_t> depths = depths_of(cut);
  for (std::uint32_t& depth : depths) --depth;
  return by_number(depths);
}

}  // namespace gridloom::tiled_qr
