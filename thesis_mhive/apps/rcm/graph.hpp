#pragma once
// The graph that reverse Cuthill-McKee orders: the symmetric pattern of a square matrix, without
// self edges. A stored diagonal entry is no neighbour and does not count for the degree. So a
// matrix has the same order with and without its diagonal. If row lengths were the degrees, the
// order would change.

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "gridloom/sparse/csr.hpp"

namespace gridloom::mhive::rcm {

using graph_ref = sparse::csr_ref<sparse::no_value>;

/// Returns the pattern of a matrix as a graph: a view, without a copy. Throws std::invalid_argument
/// unless the matrix is square. The caller makes sure that the pattern is symmetric (see
/// sparse::symmetry_of), because the check costs as much as the ordering.
template <sparse::matrix_value Value>
[[nodiscard]] graph_ref graph_of(sparse::csr_matrix<Value> const& matrix) {
  if (!matrix.is_square()) {
    throw std::invalid_argument("graph_of: expected a square matrix, got " +
                                std::to_string(matrix.num_rows) + " x " +
                                std::to_string(matrix.num_cols));
  }
  return {matrix.num_rows, matrix.num_cols, matrix.row_offsets.data(), matrix.columns.data(),
          nullptr};
}

/// Returns the row of a vertex: its neighbours in ascending order and, if it is stored, the vertex
/// itself.
[[nodiscard]] inline std::span<std::uint32_t const> row_of(graph_ref graph, std::uint32_t vertex) {
  return {graph.columns + graph.row_begin(vertex), graph.columns + graph.row_end(vertex)};
}

/// Returns the number of neighbours other than the vertex itself.
[[nodiscard]] inline std::uint32_t degree_of(graph_ref graph, std::uint32_t vertex) {
  std::span<std::uint32_t const> const row = row_of(graph, vertex);
  auto const length = static_cast<std::uint32_t>(row.size());
  constexpr std::uint32_t long_row = 32;
  if (length > long_row) {
    return length - (std::binary_search(row.begin(), row.end(), vertex) ? 1U : 0U);
  }
  // A scan of a short row without branches is faster than a search.
  std::uint32_t others = 0;
  for (std::uint32_t const column : row) others += column != vertex ? 1U : 0U;
  return others;
}

}  // namespace gridloom::mhive::rcm
