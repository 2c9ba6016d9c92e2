#pragma once
// Preprocessing of the published ordering: the valency of each vertex, and the largest valency.

#include <cstdint>

#include "graph.hpp"
#include "gridloom/collectives.hpp"

namespace gridloom::mhive::rcm {

/// Returns the number of neighbours of a vertex other than itself: degree_of for kernels. Cost:
/// logarithmic in the row.
[[nodiscard]] GRIDLOOM_FN inline std::uint32_t valency_of(graph_ref const& graph,
                                                          std::uint32_t vertex) {
  std::uint64_t begin = graph.row_begin(vertex);
  std::uint64_t const row_end = graph.row_end(vertex);
  auto const length = static_cast<std::uint32_t>(row_end - begin);
  std::uint64_t end = row_end;
  while (begin < end) {
    std::uint64_t const middle = begin + (end - begin) / 2;
    if (graph.columns[middle] < vertex) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin < row_end && graph.columns[begin] == vertex ? length - 1 : length;
}

/// Computes the valencies, and the largest of them. The threads share the vertices. `largest` must
/// be 0 before the launch.
struct valency_kernel {
  static constexpr int max_threads = 256;
  static constexpr bool persistent = false;
  using scratch = collective_scratch<std::uint32_t, max_threads>;

  graph_ref graph;
  std::uint32_t* valencies;
  std::uint32_t* largest;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    auto const thread = block.thread();
    std::uint32_t most = 0;
    for (auto v = static_cast<std::uint64_t>(thread.index()); v < graph.num_rows;
         v += static_cast<std::uint64_t>(thread.count())) {
      auto const vertex = static_cast<std::uint32_t>(v);
      std::uint32_t const valency = valency_of(graph, vertex);
      valencies[vertex] = valency;
      most = valency > most ? valency : most;
    }
    most = reduce(block, shared, most, maximum_of{});
    if (block.thread_rank() == 0) direct_memory{}.fetch_max_relaxed(largest, most);
  }
};

}  // namespace gridloom::mhive::rcm
