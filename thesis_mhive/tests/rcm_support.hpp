#pragma once
// Graphs for the tests of reverse Cuthill-McKee, and the order by brute force.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "data_files.hpp"
#include "gridloom/sparse/generate.hpp"
#include "gridloom/sparse/matrix_source.hpp"
#include "gridloom/sparse/transform.hpp"

namespace gridloom::test {

using graph = sparse::csr_matrix<sparse::no_value>;
using vertices = std::vector<std::uint32_t>;

/// Makes a graph of `n` vertices with these edges, and with the diagonal entries that `diagonal`
/// lists.
inline graph graph_by(std::uint32_t n,
                      std::vector<std::pair<std::uint32_t, std::uint32_t>> const& edges,
                      vertices const& diagonal = {}) {
  std::vector<std::set<std::uint32_t>> rows(n);
  for (auto const& [a, b] : edges) {
    rows[a].insert(b);
    rows[b].insert(a);
  }
  for (std::uint32_t const v : diagonal) rows[v].insert(v);
  graph result{n, n, {0}, {}, {}};
  for (auto const& row : rows) {
    result.columns.insert(result.columns.end(), row.begin(), row.end());
    result.row_offsets.push_back(result.columns.size());
  }
  return result;
}

inline graph graph_from(std::string const& spec) {
  return std::visit([](auto const& matrix) { return sparse::pattern_of(matrix); },
                    sparse::generate(spec));
}

/// Reads a matrix from the folder of real inputs, as a graph.
inline graph real_graph(std::string const& name) {
  return std::visit([](auto const& matrix) { return sparse::pattern_of(matrix); },
                    sparse::read_matrix(data_matrix(name)));
}

/// Returns the graph with every diagonal entry stored.
inline graph with_diagonal(graph const& from) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  vertices all;
  for (std::uint32_t v = 0; v < from.num_rows; ++v) {
    all.push_back(v);
    for (std::uint32_t const next : from.row(v)) edges.emplace_back(v, next);
  }
  return graph_by(from.num_rows, edges, all);
}

/// Returns generated graphs of every kind, small enough for brute force.
inline std::vector<std::string> const& small_specs() {
  static std::vector<std::string> const specs{
      "path:n=40",
      "path:n=40,shuffle=1",
      "star:n=50",
      "star:n=50,shuffle=1",
      "random:n=20,nnz=380",
      "isolated:n=12",
      "isolated:n=0",
      "poisson2d:nx=12,ny=9",
      "poisson2d:nx=12,ny=9,points=9,shuffle=1",
      "poisson3d:nx=5,shuffle=1",
      "stencil27:nx=3,unknowns=2,shuffle=1",
      "p1:nx=9,ny=7",
      "p1:nx=9,ny=7,shuffle=1,seed=3",
      "random:n=90,nnz=120",
      "random:n=90,nnz=400,seed=2",
      "rgg:n=150,degree=4,seed=4",
      "rgg:n=150,degree=9,seed=5,shuffle=1",
      "scale_free:n=120,nnz=500,seed=6",
      "trefethen:n=130",
      "dominant:n=100,nnz=700,seed=7",
      "union(path:n=9;star:n=60;isolated:n=4)",
      "union(path:n=9*3;poisson2d:nx=4;isolated:n=5;random:n=6,nnz=30):shuffle=1,seed=8",
      "union(random:n=60,nnz=80;rgg:n=60,degree=3;isolated:n=1):shuffle=1,seed=9",
  };
  return specs;
}

/// Executes Algorithm 7.1 literally, on dense adjacency, from each start node. A_i is the set of
/// neighbours of R_i that R does not contain. It is found by testing all vertices one after the
/// other.
inline vertices brute_force_order(graph const& of, vertices const& starts) {
  std::uint32_t const n = of.num_rows;
  std::vector<std::vector<bool>> adjacent(n, std::vector<bool>(n, false));
  for (std::uint32_t v = 0; v < n; ++v) {
    for (std::uint32_t const next : of.row(v)) adjacent[v][next] = next != v;
  }
  auto const degree = [&](std::uint32_t v) {
    return std::count(adjacent[v].begin(), adjacent[v].end(), true);
  };
  vertices order;
  auto const is_in_order = [&](std::uint32_t v) {
    return std::find(order.begin(), order.end(), v) != order.end();
  };
  for (std::uint32_t const start : starts) {
    std::size_t i = order.size();
    order.push_back(start);
    for (; i < order.size(); ++i) {
      vertices next;
      for (std::uint32_t v = 0; v < n; ++v) {
        if (adjacent[order[i]][v] && !is_in_order(v)) next.push_back(v);
      }
      std::stable_sort(next.begin(), next.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return degree(a) < degree(b); });
      order.insert(order.end(), next.begin(), next.end());
    }
  }
  return order;
}

/// The distance between vertices of different components.
inline constexpr std::uint32_t unreachable = std::numeric_limits<std::uint32_t>::max() / 2;

/// Returns the distances between all vertices, by the method of Floyd and Warshall.
inline std::vector<vertices> all_distances(graph const& of) {
  std::uint32_t const n = of.num_rows;
  std::vector<vertices> distance(n, vertices(n, unreachable));
  for (std::uint32_t v = 0; v < n; ++v) {
    for (std::uint32_t const next : of.row(v)) distance[v][next] = 1;
    distance[v][v] = 0;
  }
  for (std::uint32_t k = 0; k < n; ++k) {
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t j = 0; j < n; ++j) {
        distance[i][j] = std::min(distance[i][j], distance[i][k] + distance[k][j]);
      }
    }
  }
  return distance;
}

/// Returns the largest finite entry of a row of all_distances.
inline std::uint32_t eccentricity_in(vertices const& distances) {
  std::uint32_t most = 0;
  for (std::uint32_t const d : distances) most = d < unreachable ? std::max(most, d) : most;
  return most;
}

}  // namespace gridloom::test
