#pragma once
// The levels of the task graph (report, II.C): tasks of one level do not depend on each other.

#include <cstdint>
#include <vector>

#include "tiled_qr/task.hpp"

namespace gridloom::tiled_qr {

/// Numbers of tasks in consecutive groups: group g is tasks[first[g]] to tasks[first[g + 1] - 1].
struct task_lists {
  std::vector<std::uint32_t> tasks;
  std::vector<std::uint64_t> first;

  [[nodiscard]] std::size_t groups() const { return first.size() - 1; }
  [[nodiscard]] std::size_t size(std::size_t group) const {
    return static_cast<std::size_t>(first[group + 1] - first[group]);
  }
};

/// Task numbers in groups; the tasks of a group keep their order in `order`.
template <class Group>
task_lists grouped(std::vector<std::uint32_t> const& order, std::size_t groups,
                   Group const& group_of) {
  task_lists lists{std::vector<std::uint32_t>(order.size()),
                   std::vector<std::uint64_t>(groups + 1, 0)};
  for (std::uint32_t const task : order) ++lists.first[group_of(task) + 1];
  for (std::size_t g = 0; g < groups; ++g) lists.first[g + 1] += lists.first[g];
  std::vector<std::uint64_t> next(lists.first.begin(), lists.first.end() - 1);
  for (std::uint32_t const task : order) lists.tasks[next[group_of(task)]++] = task;
  return lists;
}

/// The number of tasks. Throws unsupported if 32 bits are not enough for their numbers.
[[nodiscard]] std::size_t require_numbers(tiling const& cut);

/// Array of one number per task: how many tasks the longest path has that ends in it.
[[nodiscard]] std::vector<std::uint32_t> depths_of(tiling const& cut);

/// The tasks of each level, in the order of their numbers. Throws as require_numbers does.
[[nodiscard]] task_lists levels_of(tiling const& cut);

}  // namespace gridloom::tiled_qr
