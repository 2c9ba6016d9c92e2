#pragma once
// Host side of an order of tasks: it chooses the order and owns its arrays.

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ours/task_order.hpp"
#include "support/scheduler.hpp"

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

/// Calls `make(order, graph, arrays)` for the order that a set-up asks for. The order refers to the
/// arrays, if it has any. Throws usage_error if the set-up asks for the tasks' own numbers and
/// these are no topological order.
template <class Make>
std::unique_ptr<scheduler> with_order(scheduler_setup const& setup, Make const& make) {
  auto const listed = [&](auto const& graph) {
    order_arrays arrays = by_levels(setup.machine, setup.graph);
    listed_order const order = arrays.view();
    return make(order, graph, std::move(arrays));
  };
  task_numbering const asked = setup.config.numbering;
  graph_view const view = setup.graph.view();
  if (auto const* cells = std::get_if<lattice>(&view)) {
    if (asked == task_numbering::own) return make(own_order<lattice>{*cells}, *cells, no_arrays());
    if (cells->depth() == 1) return make(diagonal_order(*cells), *cells, no_arrays());
    return listed(*cells);
  }
  auto const& graph = std::get<dag_ref>(view);
  if (asked == task_numbering::levels) return listed(graph);
  auto const against = setup.graph.edge_against_numbers();
  if (!against) return make(own_order<dag_ref>{graph}, graph, no_arrays());
  if (asked == task_numbering::automatic) return listed(graph);
  throw usage_error("--numbering own: expected edges from smaller to larger numbers, got edge " +
                    std::to_string(against->first) + " -> " + std::to_string(against->second) +
                    "; --numbering levels computes an order");
}

}  // namespace gridloom::wavefront
