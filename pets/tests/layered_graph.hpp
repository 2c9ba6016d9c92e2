#pragma once
// Graphs whose costs and weights have many ties, and layers with edges between successive ones.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gridloom/taskgraph/generate.hpp"
#include "pets/support/task_graph.hpp"

namespace gridloom::pets::test {

/// Weights are below 50 and costs below 30.
inline task_graph costed(csr_graph const& edges, std::uint32_t processors) {
  std::vector<time_value> weights(edges.edges());
  for (std::size_t e = 0; e < weights.size(); ++e) weights[e] = e * 7 % 50;
  std::vector<time_value> costs(edges.tasks() * processors);
  for (std::size_t i = 0; i < costs.size(); ++i) costs[i] = i * 11 % 30;
  return make_task_graph(edges, weights, costs, processors, "costed");
}

/// Each task depends on the `span` tasks before it.
inline task_graph ladder(std::uint32_t n, std::uint32_t span, std::uint32_t processors) {
  std::string const all = std::to_string(span);
  return costed(generate_graph("random:tasks=" + std::to_string(n) + ",degree=" + all +
                               ",least=" + all + ",window=" + std::to_string(span == 0 ? 1 : span)),
                processors);
}

/// Adds an edge from task i of layer k to task j of layer k + 1 if linked(k, i, j).
template <class Linked>
task_graph layered(std::vector<std::uint32_t> const& widths, std::uint32_t processors,
                   Linked&& linked) {
  csr_graph edges{{0}, {}};
  std::uint32_t first = 0;
  for (std::size_t layer = 0; layer < widths.size(); ++layer) {
    first += widths[layer];
    for (std::uint32_t i = 0; i < widths[layer]; ++i) {
      std::uint32_t const n = layer + 1 < widths.size() ? widths[layer + 1] : 0;
      for (std::uint32_t j = 0; j < n; ++j) {
        if (linked(layer, i, j)) edges.columns.push_back(first + j);
      }
      edges.row_offsets.push_back(edges.columns.size());
    }
  }
  return costed(edges, processors);
}

/// Every task depends on all tasks of the previous layer.
inline task_graph complete(std::vector<std::uint32_t> const& widths, std::uint32_t processors) {
  return layered(widths, processors,
                 [](std::size_t, std::uint32_t, std::uint32_t) { return true; });
}

}  // namespace gridloom::pets::test
