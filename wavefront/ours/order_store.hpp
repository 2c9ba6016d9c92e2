#pragma once
// Host side of an order of tasks: its arrays, and whether the tasks' own numbers are a good one.

#include <algorithm>
#include <vector>

#include "gridloom/device.hpp"
#include "wavefront/ours/task_order.hpp"

namespace gridloom::wavefront {

/// Device arrays of an order that is stored as a list.
struct order_arrays {
  buffer<std::uint32_t> numbers;
  buffer<std::uint64_t> offsets;
  buffer<std::uint32_t> predecessors;

  std::uint64_t bytes() const { return numbers.bytes() + offsets.bytes() + predecessors.bytes(); }
  listed_order view() const {
    return {static_cast<std::uint32_t>(numbers.size()), numbers.data(), offsets.data(),
            predecessors.data()};
  }
};

/// No arrays, for an order that needs none. (GCC 12 does not emit what order_arrays{} needs in a
/// lambda of a template.)
inline order_arrays no_arrays() { return {}; }

/// The tasks in a topological order, with the positions of their predecessors. `graph` lists these
/// in the host's memory.
template <class Graph>
order_arrays list_in_order(device& machine, std::vector<std::uint32_t> const& numbers,
                           Graph const& graph) {
  std::vector<std::uint32_t> position_of(numbers.size());
  for (std::uint32_t i = 0; i < numbers.size(); ++i) position_of[numbers[i]] = i;
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> predecessors;
  offsets.reserve(numbers.size() + 1);
  for (std::uint32_t const task : numbers) {
    auto const from = graph.predecessors(task);
    for (std::uint32_t k = 0; k < from.size(); ++k) predecessors.push_back(position_of[from[k]]);
    offsets.push_back(predecessors.size());
  }
  return {machine.allocate_copy(numbers), machine.allocate_copy(offsets),
          machine.allocate_copy(predecessors)};
}

/// The rounds of tasks that workers take: warps with one task per lane, or blocks.
struct task_rounds {
  std::size_t workers;
  /// Number of tasks in a round.
  std::uint32_t size;
};

/// Whether the tasks' own numbers, which must rise along edges, are a slow order. Counts the steps
/// of a run in which each task takes one step. A run level by level takes at most one step per
/// level, plus the steps of the tasks without dependences. Returns true if the run in the order of
/// the numbers takes over a quarter longer than that. Cost: linear.
template <class Graph>
[[nodiscard]] bool is_slow_in_order(Graph const& graph, task_rounds rounds) {
  struct done_task {
    std::uint32_t step, level;
  };
  std::vector<done_task> done(graph.tasks());
  std::vector<std::uint32_t> last_step(rounds.workers, 0);
  std::uint32_t steps = 0;
  std::uint32_t levels = 0;
  std::size_t worker = 0;
  std::uint32_t begin = 0;
  for (std::uint32_t task = 0; task < graph.tasks(); ++task) {
    if (task % rounds.size == 0) {
      worker = task / rounds.size % rounds.workers;
      begin = last_step[worker];
    }
    done_task after{begin, 0};
    auto const from = graph.predecessors(task);
    for (std::uint32_t k = 0; k < from.size(); ++k) {
      after.step = std::max(after.step, done[from[k]].step);
      after.level = std::max(after.level, done[from[k]].level);
    }
    done[task] = {after.step + 1, after.level + 1};
    last_step[worker] = std::max(last_step[worker], after.step + 1);
    steps = std::max(steps, after.step + 1);
    levels = std::max(levels, after.level + 1);
  }
  double const most = levels + static_cast<double>(graph.tasks()) /
                                   (static_cast<double>(rounds.workers) * rounds.size);
  return steps > 1.25 * most;
}

}  // namespace gridloom::wavefront
