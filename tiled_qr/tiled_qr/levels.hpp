#pragma once
// The levels of the task graph (report, II.C): tasks of one level do not depend on each other.

#include <cstdint>
#include <vector>

#include "tiled_qr/task.hpp"

namespace gridloom::tiled_qr {

/// Tasks in consecutive groups. Group g has the task numbers tasks[first[g]] to tasks[first[g + 1]
/// - 1].
struct task_lists {
  std::vector<std::uint32_t> tasks;
  std::vector<std::uint64_t> first;

  [[nodiscard]] std::size_t groups() const { return first.size() - 1; }
  [[nodiscard]] std::size_t size(std::size_t group) const {
    return static_cast<std::size_t>(first[group + 1] - first[group]);
  }
};

/// Collects task numbers into groups. The tasks of a group keep their order in `order`.
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

/// Returns the number of tasks. Throws unsupported if 32 bits are not enough for it.
[[nodiscard]] std::size_t require_numbers(tiling const& cut);

/// Returns one number per task: the length, in tasks, of the longest path that ends in it.
[[nodiscard]] std::vector<std::uint32_t> depths_of(tiling const& cut);

/// Returns the tasks of each level, in ascending order. Throws as require_numbers does.
[[nodiscard]] task_lists levels_of(tiling const& cut);

}  // namespace gridloom::tiled_qr
