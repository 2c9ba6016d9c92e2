#pragma once
// Many small graphs as one: the disjoint union, for parameter studies that schedule all at once.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "support/task_graph.hpp"

namespace gridloom::pets {

/// Graphs for the same number of processors. Graph g has the tasks begins[g] to begins[g + 1] of
/// `all`, in its own order; names are left out. Many readers.
struct graph_batch {
  task_graph all;
  /// Graphs + 1 tasks.
  std::vector<std::uint32_t> begins{0};
  /// Of one graph.
  std::uint32_t most_tasks = 0;
  /// Costs and weights of one graph together.
  time_value most_total = 0;

  [[nodiscard]] std::uint32_t num_graphs() const {
    return static_cast<std::uint32_t>(begins.size() - 1);
  }
  [[nodiscard]] std::uint32_t tasks_of(std::uint32_t graph) const {
    return begins[graph + 1] - begins[graph];
  }
};

/// Joins make(0) to make(count - 1), of which one at a time takes memory. Throws usage_error
/// "batch: expected ..., got ..." on no graphs, on another number of processors than the first
/// graph's, and on more tasks or edges together than 32 bits count. Cost: linear.
[[nodiscard]] graph_batch make_batch(std::size_t count,
                                     std::function<task_graph(std::size_t)> const& make);

/// A copy of one graph, tasks numbered from 0.
[[nodiscard]] task_graph graph_of(graph_batch const& batch, std::uint32_t graph);

}  // namespace gridloom::pets
