#pragma once
// Host side of an order of tasks: it chooses the order and owns its arrays.

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "wavefront/ours/task_order.hpp"
#include "wavefront/support/scheduler.hpp"

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

/// The tasks sorted by level, with the positions of their predecessors.
inline order_arrays by_levels(device& machine, device_graph& graph) {
  std::vector<std::uint32_t> const numbers = graph.find_levels().tasks;
  std::vector<std::uint32_t> position_of(numbers.size());
  for (std::uint32_t i = 0; i < numbers.size(); ++i) position_of[numbers[i]] = i;
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> predecessors;
  offsets.reserve(numbers.size() + 1);
  predecessors.reserve(graph.edges());
  std::visit(
      [&](auto const& tasks) {
        for (std::uint32_t const task : numbers) {
          auto const from = tasks.predecessors(task);
          for (std::uint32_t k = 0; k < from.size(); ++k)
            predecessors.push_back(position_of[from[k]]);
          offsets.push_back(predecessors.size());
        }
      },
      graph.host_view());
  return {machine.allocate_copy(numbers), machine.allocate_copy(offsets),
          machine.allocate_copy(predecessors)};
}

/// No arrays, for an order that needs none.
inline order_arrays no_arrays() { return {}; }

/// The rounds of tasks that workers take: warps with one task per lane, or blocks.
struct task_rounds {
  std::size_t workers;
  /// Number of tasks in a round.
  std::uint32_t size;
};
inline task_rounds rounds_of(scheduler_setup const& setup) {
  auto const blocks = static_cast<std::size_t>(setup.config.blocks);
  if (setup.config.width == task_width::block) return {blocks, 1};
  if (setup.machine.is_host()) return {blocks, 32};
  auto const threads = static_cast<std::uint32_t>(setup.config.threads);
  return {blocks * ((threads + 31) / 32), std::min(threads, 32U)};
}

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

/// Calls `make(order, arrays)` for the order that a set-up asks for. The order refers to the
/// arrays, if it has any. Throws usage_error if the set-up asks for the tasks' own numbers and
/// these are no topological order.
template <class Make>
std::unique_ptr<scheduler> with_order(scheduler_setup const& setup, Make const& make) {
  auto const listed = [&] {
    order_arrays arrays = by_levels(setup.machine, setup.graph);
    listed_order const order = arrays.view();
    return make(order, std::move(arrays));
  };
  task_numbering const asked = setup.config.numbering;
  graph_view const view = setup.graph.view();
  if (auto const* cells = std::get_if<lattice>(&view)) {
    if (asked == task_numbering::own) return make(own_order<lattice>{*cells}, no_arrays());
    if (cells->depth() == 1) return make(diagonal_order(*cells), no_arrays());
    return listed();
  }
  auto const& graph = std::get<dag_ref>(view);
  if (asked == task_numbering::levels) return listed();
  auto const against = setup.graph.edge_against_numbers();
  if (asked == task_numbering::automatic &&
      (against || is_slow_in_order(std::get<dag_ref>(setup.graph.host_view()), rounds_of(setup))))
    return listed();
  if (!against) return make(own_order<dag_ref>{graph}, no_arrays());
  throw usage_error("--numbering own: expected edges from smaller to larger numbers, got edge " +
                    std::to_string(against->first) + " -> " + std::to_string(against->second) +
                    "; --numbering levels computes an order");
}

}  // namespace gridloom::wavefront
