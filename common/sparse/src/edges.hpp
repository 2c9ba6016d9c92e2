#pragma once
// Undirected edges as sorted words, and the symmetric patterns that they stand for.

#include <cstdint>
#include <vector>

#include "gridloom/random.hpp"
#include "gridloom/sparse/csr.hpp"

namespace gridloom::sparse {

/// One word an edge: the smaller vertex above the larger.
[[nodiscard]] constexpr std::uint64_t edge_of(std::uint32_t u, std::uint32_t v) {
  return u < v ? std::uint64_t{u} << 32U | v : std::uint64_t{v} << 32U | u;
}
[[nodiscard]] constexpr std::uint32_t lower_end(std::uint64_t edge) {
  return static_cast<std::uint32_t>(edge >> 32U);
}
[[nodiscard]] constexpr std::uint32_t upper_end(std::uint64_t edge) {
  return static_cast<std::uint32_t>(edge);
}

/// Edges that a graph of `vertices` can have.
[[nodiscard]] constexpr std::uint64_t most_edges(std::uint64_t vertices) {
  return vertices % 2 == 0 ? vertices / 2 * (vertices - (vertices > 0 ? 1 : 0))
                           : vertices * ((vertices - 1) / 2);
}

/// A uniformly drawn edge of the complete graph; `vertices` must be at least 2.
[[nodiscard]] inline std::uint64_t random_edge(std::uint32_t vertices, random_source& source) {
  auto const u = static_cast<std::uint32_t>(source.below(vertices));
  auto const v = static_cast<std::uint32_t>(source.below(vertices - 1));
  return edge_of(u, v < u ? v : v + 1);
}

/// `count` distinct edges, ascending; every set of them is equally likely. `count` must not exceed
/// most_edges(vertices). Holds 16 bytes an edge.
[[nodiscard]] std::vector<std::uint64_t> random_edges(std::uint32_t vertices, std::uint64_t count,
                                                      random_source& source);

/// The symmetric pattern with both directions of each edge, and the diagonal when asked for. The
/// edges must ascend and be distinct. Linear.
[[nodiscard]] csr_matrix<no_value> symmetric_pattern(std::uint32_t vertices,
                                                     std::vector<std::uint64_t> const& edges,
                                                     bool with_diagonal);

}  // namespace gridloom::sparse
