#pragma once
// The edges of a text in the order of its lines, and the matrix that they make.

#include <compare>
#include <cstdint>
#include <filesystem>

#include "gridloom/sparse/csr.hpp"
#include "chunked.hpp"
#include "text_lines.hpp"

namespace gridloom::sparse {

struct edge {
  std::uint32_t from;
  std::uint32_t to;

  friend auto operator<=>(edge const&, edge const&) = default;
};

/// What a file holds: 8 bytes an edge, 16 with a weight.
struct edge_log {
  std::filesystem::path path;  // for messages
  chunked<edge> edges;         // undirected: from <= to
  chunked<double> weights;     // one an edge, or none
  line_map lines;              // of the edges
  std::uint64_t vertices = 0;
};

/// The adjacency matrix; repeated edges count once. Throws usage_error "file:line: ..." for the
/// first line that gives an edge another weight than an earlier line. Linear but for sorting within
/// rows; at most 3 times the result in memory where edges are not repeated, the log included.
template <matrix_value Value>
[[nodiscard]] csr_matrix<Value> rows_of_edges(edge_log log, bool undirected);

}  // namespace gridloom::sparse
