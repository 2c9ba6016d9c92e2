#pragma once
// Reference results of the recurrence, computed without code of the artifact. They use explicit
// edges, tasks in depth-first order and their own constants. The code can be checked by eye
// (algorithms_test.cpp has tiny cases).

#include <cstdint>
#include <variant>
#include <vector>

#include "graphs.hpp"
#include "gridloom/taskgraph/task_body.hpp"

namespace gridloom::wavefront::test {

inline std::uint32_t tasks_of(test_graph const& graph) {
  if (auto const* size = std::get_if<lattice_size>(&graph.what)) {
    return static_cast<std::uint32_t>(size->rows * size->cols * size->depth);
  }
  return static_cast<std::uint32_t>(std::get<csr_graph>(graph.what).tasks());
}

/// All edges. Edges into one task are in the order in which the recurrence takes predecessors. In a
/// lattice, that is the previous plane, the row above, the left. In other graphs, numbers ascend.
inline std::vector<edge> edges_of(test_graph const& graph) {
  std::vector<edge> edges;
  if (auto const* size = std::get_if<lattice_size>(&graph.what)) {
    auto const number = [&](std::int64_t z, std::int64_t r, std::int64_t c) {
      return static_cast<std::uint32_t>((z * size->rows + r) * size->cols + c);
    };
    for (std::int64_t z = 0; z < size->depth; ++z) {
      for (std::int64_t r = 0; r < size->rows; ++r) {
        for (std::int64_t c = 0; c < size->cols; ++c) {
          if (z > 0) edges.push_back({number(z - 1, r, c), number(z, r, c)});
          if (r > 0) edges.push_back({number(z, r - 1, c), number(z, r, c)});
          if (c > 0) edges.push_back({number(z, r, c - 1), number(z, r, c)});
        }
      }
    }
    return edges;
  }
  auto const& rows = std::get<csr_graph>(graph.what);
  for (std::uint32_t from = 0; from < rows.tasks(); ++from) {
    for (std::uint32_t const to : rows.of(from)) edges.push_back({from, to});
  }
  return edges;
}

/// The result of every task. If results have several words, the word number `word` of each.
inline std::vector<std::uint32_t> serial_results(test_graph const& graph, std::uint32_t words = 1,
                                                 std::uint32_t word = 0) {
  std::uint32_t const n = tasks_of(graph);
  std::vector<std::vector<std::uint32_t>> before(n);
  for (auto const& e : edges_of(graph)) before[e.to].push_back(e.from);

  std::vector<std::uint32_t> value(n);
  std::vector<char> done(n, 0);
  // A stack. The predecessors that a task waits for are above the task.
  std::vector<std::uint32_t> open;
  for (std::uint32_t wanted = 0; wanted < n; ++wanted) {
    open.push_back(wanted);
    while (!open.empty()) {
      std::uint32_t const task = open.back();
      auto const depth = open.size();
      for (std::uint32_t from : before[task]) {
        if (done[from] == 0) open.push_back(from);
      }
      if (open.size() != depth) continue;
      open.pop_back();
      if (done[task] != 0) continue;
      std::uint32_t x = (task * words + word) * 2654435761U + 12345U;
      for (std::uint32_t from : before[task]) {
        x = (x ^ value[from]) * 2246822519U;
        x ^= x >> 15;
      }
      value[task] = x;
      done[task] = 1;
    }
  }
  return value;
}

inline std::vector<wide_value> serial_wide_results(test_graph const& graph) {
  std::vector<wide_value> all(tasks_of(graph));
  for (std::uint32_t w = 0; w < 4; ++w) {
    auto const words = serial_results(graph, 4, w);
    for (std::size_t task = 0; task < all.size(); ++task) all[task].word[w] = words[task];
  }
  return all;
}

}  // namespace gridloom::wavefront::test
