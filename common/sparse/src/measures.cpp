#include "gridloom/sparse/measures.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace gridloom::sparse {

namespace {

// The smallest and the largest row - column. Columns ascend, so the ends of a row suffice.
struct diagonal_range {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = std::numeric_limits<std::int64_t>::min();
};

template <matrix_value Value>
diagonal_range diagonals_of(csr_matrix<Value> const& matrix) {
  diagonal_range range;
  for (std::uint32_t index = 0; index < matrix.num_rows; ++index) {
    std::span<std::uint32_t const> const row = matrix.row(index);
    if (row.empty()) continue;
    range.least = std::min(range.least, std::int64_t{index} - std::int64_t{row.back()});
    range.most = std::max(range.most, std::int64_t{index} - std::int64_t{row.front()});
  }
  return range;
}

// The root of a vertex's tree. Each step points a vertex to its grandparent (path halving).
std::uint32_t root_of(std::vector<std::uint32_t>& parent, std::uint32_t vertex) {
  while (parent[vertex] != vertex) {
    parent[vertex] = parent[parent[vertex]];
    vertex = parent[vertex];
  }
  return vertex;
}

}  // namespace

template <matrix_value Value>
band band_of(csr_matrix<Value> const& matrix) {
  if (matrix.num_entries() == 0) return {};
  diagonal_range const range = diagonals_of(matrix);
  return {static_cast<std::uint32_t>(std::max<std::int64_t>(0, range.most)),
          static_cast<std::uint32_t>(std::max<std::int64_t>(0, -range.least))};
}

template <matrix_value Value>
std::uint64_t thesis_bandwidth(csr_matrix<Value> const& matrix) {
  if (matrix.num_entries() == 0) return 0;
  diagonal_range const range = diagonals_of(matrix);
  return static_cast<std::uint64_t>(range.most - range.least + 1);
}

template <matrix_value Value>
std::uint64_t profile(csr_matrix<Value> const& matrix) {
  std::uint64_t sum = 0;
  for (std::uint32_t index = 0; index < matrix.num_rows; ++index) {
    std::span<std::uint32_t const> const row = matrix.row(index);
    if (!row.empty() && row.front() < index) sum += index - row.front();
  }
  return sum;
}

template <matrix_value Value>
row_lengths row_lengths_of(csr_matrix<Value> const& matrix) {
  if (matrix.num_rows == 0) return {};
  row_lengths lengths{std::numeric_limits<std::uint64_t>::max(), 0, 0};
  for (std::uint32_t row = 0; row < matrix.num_rows; ++row) {
    std::uint64_t const length = matrix.row_offsets[row + 1] - matrix.row_offsets[row];
    lengths.shortest = std::min(lengths.shortest, length);
    lengths.longest = std::max(lengths.longest, length);
  }
  lengths.average =
      static_cast<double>(matrix.num_entries()) / static_cast<double>(matrix.num_rows);
  return lengths;
}

// Visiting rows in order also visits the entries of each column in order. So in a symmetric pattern
// the mirror of entry (row, column) is the first entry of row `column` that has not been a mirror
// yet. One cursor per row finds all mirrors, or the first missing one, without a transpose. Mirrors
// are distinct, so every entry is the mirror of another one or of itself.
template <matrix_value Value>
symmetry symmetry_of(csr_matrix<Value> const& matrix) {
  if (!matrix.is_square()) return symmetry::none;
  bool equal = has_values<Value>;
  bool opposite = has_values<Value>;
  std::vector<std::uint64_t> next(matrix.row_offsets.begin(), matrix.row_offsets.end() - 1);
  for (std::uint32_t row = 0; row < matrix.num_rows; ++row) {
    for (std::uint64_t e = matrix.row_offsets[row]; e < matrix.row_offsets[row + 1]; ++e) {
      std::uint32_t const column = matrix.columns[e];
      std::uint64_t const mirror = next[column]++;
      if (mirror == matrix.row_offsets[column + 1] || matrix.columns[mirror] != row) {
        return symmetry::none;
      }
      if constexpr (has_values<Value>) {
        equal = equal && matrix.values[e] == matrix.values[mirror];
        opposite = opposite && matrix.values[e] == -matrix.values[mirror];
      }
    }
  }
  if (equal) return symmetry::values;
  return opposite ? symmetry::skew : symmetry::pattern;
}

template <matrix_value Value>
diagonal_entries diagonal_of(csr_matrix<Value> const& matrix) {
  diagonal_entries found;
  for (std::uint32_t index = 0; index < matrix.num_rows; ++index) {
    std::span<std::uint32_t const> const row = matrix.row(index);
    auto const place = std::lower_bound(row.begin(), row.end(), index);
    if (place == row.end() || *place != index) continue;
    ++found.stored;
    if constexpr (has_values<Value>) {
      auto const e = matrix.row_offsets[index] + static_cast<std::uint64_t>(place - row.begin());
      if (matrix.values[e] == 0) ++found.zero;
    }
  }
  return found;
}

#define GRIDLOOM_INSTANTIATE(Value)                                  \
  template band band_of(csr_matrix<Value> const&);                   \
  template std::uint64_t thesis_bandwidth(csr_matrix<Value> const&); \
  template std::uint64_t profile(csr_matrix<Value> const&);          \
  template row_lengths row_lengths_of(csr_matrix<Value> const&);     \
  template symmetry symmetry_of(csr_matrix<Value> const&);           \
  template diagonal_entries diagonal_of(csr_matrix<Value> const&);

GRIDLOOM_INSTANTIATE(no_value)
GRIDLOOM_INSTANTIATE(float)
GRIDLOOM_INSTANTIATE(double)

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
