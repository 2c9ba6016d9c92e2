#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "gridloom/sparse/measures.hpp"

namespace gridloom::sparse {
namespace {

// The root of a vertex's tree. Each step points a vertex to its grandparent (path halving).
std::uint32_t root_of(std::vector<std::uint32_t>& parent, std::uint32_t vertex) {
  while (parent[vertex] != vertex) {
    parent[vertex] = parent[parent[vertex]];
    vertex = parent[vertex];
  }
  return vertex;
}

}  // namespace

// Union-find needs neither A^T nor a queue, because an entry joins its row and column in both
// directions. The smaller root wins, so a root is the smallest vertex of its component.
template <matrix_value Value>
components components_of(csr_matrix<Value> const& matrix) {
  if (!matrix.is_square()) {
    throw std::invalid_argument("components_of: expected a square matrix, got " +
                                std::to_string(matrix.num_rows) + " x " +
                                std::to_string(matrix.num_cols));
  }
  std::vector<std::uint32_t> parent(matrix.num_rows);
  for (std::uint32_t v = 0; v < matrix.num_rows; ++v) parent[v] = v;
  for (std::uint32_t row = 0; row < matrix.num_rows; ++row) {
    std::uint32_t mine = root_of(parent, row);
    for (std::uint32_t const column : matrix.row(row)) {
      std::uint32_t const other = root_of(parent, column);
      parent[std::max(mine, other)] = std::min(mine, other);
      mine = std::min(mine, other);
    }
  }

  // A parent is never larger than its vertex, so its component number is already known. The
  // component numbers overwrite the forest in place.
  components found{std::move(parent), {}};
  for (std::uint32_t v = 0; v < matrix.num_rows; ++v) {
    std::uint32_t const above = found.component[v];
    if (above == v) {
      found.component[v] = found.count();
      found.sizes.push_back(1);
    } else {
      found.component[v] = found.component[above];
      ++found.sizes[found.component[v]];
    }
  }
  return found;
}

template components components_of(csr_matrix<no_value> const&);
template components components_of(csr_matrix<float> const&);
template components components_of(csr_matrix<double> const&);

}  // namespace gridloom::sparse
