#pragma once
// Undirected edges as sorted words, and the symmetric patterns that they describe.

#include <cstdint>
#include <vector>

#include "gridloom/random.hpp"
#include "gridloom/sparse/csr.hpp"

namespace gridloom::sparse {

/// An edge as one word: the smaller vertex in the upper half, the larger in the lower.
[[nodiscard]] constexpr std::uint64_t edge_of(std::uint32_t u, std::uint32_t v) {
  return u < v ? std::uint64_t{u} << 32U | v : std::uint64_t{v} << 32U | u;
}
[[nodiscard]] constexpr std::uint32_t lower_end(std::uint64_t edge) {
  return static_cast<std::uint32_t>(edge >> 32U);
}
[[nodiscard]] constexpr std::uint32_t upper_end(std::uint64_t edge) {
  return static_cast<std::uint32_t>(edge);
}

/// Largest number of edges of a graph with this many vertices.
[[nodiscard]] constexpr std::uint64_t most_edges(std::uint64_t vertices) {
  return vertices % 2 == 0 ? vertices / 2 * (vertices - (vertices > 0 ? 1 : 0))
                           : vertices * ((vertices - 1) / 2);
}

/// A random edge of the complete graph, uniformly distributed. `vertices` is at least 2.
[[nodiscard]] inline std::uint64_t random_edge(std::uint32_t vertices, random_source& source) {
  auto const u = static_cast<std::uint32_t>(source.below(vertices));
  auto const v = static_cast<std::uint32_t>(source.below(vertices - 1));
  return edge_of(u, v < u ? v : v + 1);
}

/// `count` distinct edges in ascending order; every set is equally likely. `count` is at most
/// most_edges(vertices). Needs 16 bytes per edge.
[[nodiscard]] std::vector<std::uint64_t> random_edges(std::uint32_t vertices, std::uint64_t count,
                                                      random_source& source);

/// The symmetric pattern with both directions of each edge, optionally with the diagonal. The edges
/// are ascending and distinct. Linear.
[[nodiscard]] csr_matrix<no_value> symmetric_pattern(std::uint32_t vertices,
                                                     std::vector<std::uint64_t> const& edges,
                                                     bool with_diagonal);

}  // namespace gridloom::sparse
