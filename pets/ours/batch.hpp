#pragma once
// A batch: the disjoint union of many small graphs, for parameter studies that schedule all graphs
// at once.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "pets/support/task_graph.hpp"

namespace gridloom::pets {

/// Graphs with the same number of processors. Tasks begins[g] to begins[g + 1] - 1 of `all` belong
/// to graph g, in the graph's own order. Names are omitted. Threads may read at the same time.
struct graph_batch {
  task_graph all;
  /// First task of each graph; number of graphs + 1 entries.
  std::vector<std::uint32_t> begins{0};
  std::uint32_t most_tasks = 0;
  /// Largest sum of the costs and weights of a graph.
  time_value most_total = 0;

  [[nodiscard]] std::uint32_t num_graphs() const {
    return static_cast<std::uint32_t>(begins.size() - 1);
  }
  [[nodiscard]] std::uint32_t tasks_of(std::uint32_t graph) const {
    return begins[graph + 1] - begins[graph];
  }
};

/// Joins make(0) to make(count - 1), one after another. Throws usage_error "batch: expected ...,
/// got ..." if there is no graph, or if numbers of processors differ. Also throws if the number
/// of all tasks or of all edges exceeds 32 bits. Cost: linear.
[[nodiscard]] graph_batch make_batch(std::size_t count,
                                     std::function<task_graph(std::size_t)> const& make);

/// A copy of one graph, with tasks numbered from 0.
[[nodiscard]] task_graph graph_of(graph_batch const& batch, std::uint32_t graph);

}  // namespace gridloom::pets
