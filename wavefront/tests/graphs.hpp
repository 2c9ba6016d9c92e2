#pragma once
// Graphs for the scheduler tests: lattices and other shapes. Each shape tests one of these: no
// parallelism, all tasks ready at once, hubs wider than a warp, tasks without edges, task numbers
// that are no topological order.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gridloom/taskgraph/device_graph.hpp"
#include "gridloom/taskgraph/generate.hpp"
#include "gridloom/taskgraph/synthetic_graph.hpp"

namespace gridloom::wavefront::test {

using edge = graph_edge;

struct test_graph {
  std::string name;
  csr_graph rows;
  /// Lattices also have sizes, from which schedulers compute the edges.
  std::optional<lattice_size> size{};
};

/// A graph of the library, named by its specification.
inline test_graph generated(std::string const& specification) {
  return {specification, generate_graph(specification)};
}

/// Tasks with up to 4 successors each. Such graphs have several components, isolated tasks and many
/// entries.
inline test_graph random_graph(std::uint32_t tasks, std::uint64_t seed, bool shuffled) {
  return generated(
      "random:tasks=" + std::to_string(tasks) + ",window=" + std::to_string(tasks / 8 + 8) +
      ",degree=4,least=0,seed=" + std::to_string(seed) + (shuffled ? ",shuffle=1" : ""));
}

/// One task that precedes `leaves` others.
inline test_graph star(std::uint32_t leaves) {
  return generated("star:leaves=" + std::to_string(leaves));
}

/// A chain whose task numbers fall, the worst order for a scan.
inline test_graph falling_chain(std::uint32_t tasks) {
  std::vector<edge> edges;
  for (std::uint32_t t = 1; t < tasks; ++t) edges.push_back({t, t - 1});
  return {"falling chain of " + std::to_string(tasks), graph_of_edges(tasks, edges)};
}

/// Two hubs, each of which precedes `leaves` tasks, and one task that follows all of these tasks.
inline test_graph hubs(std::uint32_t leaves) {
  std::vector<edge> edges;
  for (std::uint32_t t = 2; t < leaves + 2; ++t) {
    edges.push_back({0, t});
    edges.push_back({1, t});
    edges.push_back({t, leaves + 2});
  }
  return {"hubs of " + std::to_string(leaves), graph_of_edges(leaves + 3, edges)};
}

inline test_graph isolated(std::uint32_t tasks) {
  return generated("trivial:steps=1,width=" + std::to_string(tasks));
}

inline test_graph layered(std::uint32_t layers, std::uint32_t width, std::uint32_t degree) {
  return generated("layered:layers=" + std::to_string(layers) + ",width=" + std::to_string(width) +
                   ",degree=" + std::to_string(degree));
}

/// Alternating groups of 32 tasks: one group without predecessors, one in which each task depends
/// on the tasks 32 and 64 before it. The groups without predecessors run far ahead of these chains.
inline test_graph left_behind(std::uint32_t tasks) {
  std::vector<edge> edges;
  for (std::uint32_t t = 0; t < tasks; ++t) {
    if (t / 32 % 2 == 0) continue;
    if (t >= 64) edges.push_back({t - 64, t});
    edges.push_back({t - 32, t});
  }
  return {"chains left behind of " + std::to_string(tasks), graph_of_edges(tasks, edges)};
}

inline test_graph lattice_of(std::int64_t rows, std::int64_t cols, std::int64_t depth = 1) {
  test_graph made = generated("lattice:rows=" + std::to_string(rows) +
                              ",cols=" + std::to_string(cols) + ",depth=" + std::to_string(depth));
  made.size = {rows, cols, depth};
  return made;
}

inline std::vector<test_graph> lattices() {
  return {lattice_of(1, 1),     lattice_of(1, 90),    lattice_of(90, 1),   lattice_of(2, 2),
          lattice_of(37, 53),   lattice_of(64, 31),   lattice_of(33, 70),  lattice_of(5, 7, 3),
          lattice_of(40, 3, 9), lattice_of(1, 1, 40), lattice_of(2, 50, 2)};
}

inline std::vector<test_graph> dags() {
  return {random_graph(1, 1, false),
          random_graph(600, 2, false),
          random_graph(600, 3, true),
          random_graph(900, 4, true),
          random_graph(2000, 5, false),
          isolated(400),
          star(700),
          hubs(500),
          falling_chain(120),
          layered(9, 90, 3),
          layered(8, 50, 14)};
}

/// Thousands of tasks ready at once: more than a small queue holds.
inline std::vector<test_graph> wide_graphs() {
  return {isolated(3000), star(3000), hubs(1500), layered(3, 1500, 2), lattice_of(20, 20, 20)};
}

/// All edges by ascending source. Edges into one task are in the order in which the recurrence takes
/// predecessors.
inline std::vector<edge> edges_of(test_graph const& graph) {
  std::vector<edge> edges;
  for (std::uint32_t from = 0; from < graph.rows.tasks(); ++from) {
    for (std::uint32_t const to : graph.rows.of(from)) edges.push_back({from, to});
  }
  return edges;
}

/// The results of a serial run, computed from listed edges even for lattices.
inline std::vector<std::uint32_t> serial_results(test_graph const& graph) {
  return synthetic_values(transposed(graph.rows));
}
inline std::vector<wide_value> serial_wide_results(test_graph const& graph) {
  device host("host", 0);
  return device_graph(host, graph.rows).wide_reference();
}

}  // namespace gridloom::wavefront::test
