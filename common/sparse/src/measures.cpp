#include "gridloom/sparse/measures.hpp"

#include <algorithm>
#include <limits>

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

}  // namespace gridloom::sparse
