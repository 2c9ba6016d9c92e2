#include "edges.hpp"

#include <algorithm>

namespace gridloom::sparse {
namespace {

// Draws the missing edges and drops repetitions, again and again, until there are `count` edges.
// This accepts the same edges as drawing one by one, so the set is uniform.
std::vector<std::uint64_t> sparse_draw(std::uint32_t vertices, std::uint64_t count,
                                       random_source& source) {
  std::vector<std::uint64_t> edges;
  edges.reserve(count);
  while (edges.size() < count) {
    auto const held = static_cast<std::ptrdiff_t>(edges.size());
    while (edges.size() < count) edges.push_back(random_edge(vertices, source));
    std::sort(edges.begin() + held, edges.end());
    std::inplace_merge(edges.begin(), edges.begin() + held, edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  }
  return edges;
}

}  // namespace

std::vector<std::uint64_t> random_edges(std::uint32_t vertices, std::uint64_t count,
                                        random_source& source) {
  std::uint64_t const all = most_edges(vertices);
  if (count <= all / 2) return sparse_draw(vertices, count, source);
  // Most draws would be repetitions. So the edges to leave out are drawn instead.
  std::vector<std::uint64_t> const missing = sparse_draw(vertices, all - count, source);
  std::vector<std::uint64_t> edges;
  edges.reserve(count);
  auto next = missing.begin();
  for (std::uint32_t u = 0; u < vertices; ++u) {
    for (std::uint32_t v = u + 1; v < vertices; ++v) {
      if (next != missing.end() && *next == edge_of(u, v)) {
        ++next;
      } else {
        edges.push_back(edge_of(u, v));
      }
    }
  }
  return edges;
}

csr_matrix<no_value> symmetric_pattern(std::uint32_t vertices,
                                       std::vector<std::uint64_t> const& edges,
                                       bool with_diagonal) {
  csr_matrix<no_value> pattern;
  pattern.num_rows = pattern.num_cols = vertices;
  pattern.row_offsets.assign(std::size_t{vertices} + 1, 0);
  for (std::uint64_t const edge : edges) {
    ++pattern.row_offsets[std::size_t{lower_end(edge)} + 1];
    ++pattern.row_offsets[std::size_t{upper_end(edge)} + 1];
  }
  for (std::uint32_t row = 0; row < vertices; ++row) {
    pattern.row_offsets[row + 1] += pattern.row_offsets[row] + (with_diagonal ? 1 : 0);
  }
  pattern.columns.resize(pattern.row_offsets.back());
  std::vector<std::uint64_t> next(pattern.row_offsets.begin(), pattern.row_offsets.end() - 1);
  // Edges ascend. So each vertex gets first its lower and then its upper neighbours, both in order.
  for (std::uint64_t const edge : edges) {
    pattern.columns[next[upper_end(edge)]++] = lower_end(edge);
  }
  if (with_diagonal) {
    for (std::uint32_t row = 0; row < vertices; ++row) pattern.columns[next[row]++] = row;
  }
  for (std::uint64_t const edge : edges) {
    pattern.columns[next[lower_end(edge)]++] = upper_end(edge);
  }
  return pattern;
}

}  // namespace gridloom::sparse
