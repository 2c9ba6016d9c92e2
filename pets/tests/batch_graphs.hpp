#pragma once
// Graphs for the tests of batches, and the host reference's results for each.

#include <cstdint>
#include <vector>

#include "layered_graph.hpp"
#include "pets/ours/device_batch.hpp"
#include "pets/priorities.hpp"
#include "pets/selection.hpp"

namespace gridloom::pets::test {

using graphs = std::vector<task_graph>;

inline graph_batch joined(graphs const& of) {
  return make_batch(of.size(), [&](std::size_t i) { return of[i]; });
}

// The same graph with other task numbers: task old[i] becomes task i.
inline task_graph renumbered(task_graph const& graph, std::vector<std::uint32_t> const& old) {
  std::vector<std::uint32_t> number(graph.num_tasks);
  for (std::uint32_t task = 0; task < graph.num_tasks; ++task) number[old[task]] = task;
  csr_graph edges{{0}, {}};
  std::vector<time_value> weights;
  std::vector<time_value> costs;
  for (std::uint32_t const task : old) {
    for (std::uint32_t const child : graph.successors.of(task)) {
      edges.columns.push_back(number[child]);
    }
    edges.row_offsets.push_back(edges.columns.size());
    auto const data = graph.successors.weights_of(task);
    weights.insert(weights.end(), data.begin(), data.end());
    auto const times = graph.costs_of(task);
    costs.insert(costs.end(), times.begin(), times.end());
  }
  return make_task_graph(edges, weights, costs, graph.num_processors, "renumbered");
}

inline task_graph reversed(task_graph const& graph) {
  std::vector<std::uint32_t> old(graph.num_tasks);
  for (std::uint32_t i = 0; i < graph.num_tasks; ++i) old[i] = graph.num_tasks - 1 - i;
  return renumbered(graph, old);
}

// The graph with all costs and weights multiplied by `factor`.
inline task_graph scaled(task_graph graph, time_value factor) {
  for (auto* values : {&graph.costs, &graph.successors.weights, &graph.predecessors.weights}) {
    for (time_value& value : *values) value *= factor;
  }
  return graph;
}

inline batch_results by_reference(graphs const& of) {
  batch_results all;
  for (task_graph const& graph : of) {
    auto const first = static_cast<std::uint32_t>(all.levels.size());
    auto const by = priorities_of(graph);
    auto const order = order_of(graph, by);
    auto const made = select_processors(graph, order, policy::append);
    all.levels.insert(all.levels.end(), by.level.begin(), by.level.end());
    all.ranks.insert(all.ranks.end(), by.rank.begin(), by.rank.end());
    for (std::uint32_t const task : order) all.order.push_back(first + task);
    for (placement const& at : made.of) {
      all.processors.push_back(at.processor);
      all.finishes.push_back(at.finish);
    }
    all.makespans.push_back(made.makespan());
  }
  return all;
}

}  // namespace gridloom::pets::test
