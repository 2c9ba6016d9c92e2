#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "gridloom/sparse/transform.hpp"

namespace gridloom::sparse {
namespace {

template <matrix_value Value>
Value value_of(csr_matrix<Value> const& matrix, std::uint64_t entry) {
  if constexpr (has_values<Value>) {
    return matrix.values[entry];
  } else {
    return {};
  }
}

// Returns `result` with result[order[k]] = k.
std::vector<std::uint32_t> inverse_permutation(std::span<std::uint32_t const> order) {
  if (order.size() > most_rows) {
    throw std::invalid_argument("permute: expected at most " + std::to_string(most_rows) +
                                " indices, got " + std::to_string(order.size()));
  }
  constexpr std::uint32_t unseen = ~std::uint32_t{0};
  std::vector<std::uint32_t> inverse(order.size(), unseen);
  for (std::uint32_t k = 0; k < order.size(); ++k) {
    std::uint32_t const index = order[k];
    if (index >= order.size() || inverse[index] != unseen) {
      throw std::invalid_argument("permute: expected each index below " +
                                  std::to_string(order.size()) + " once, got " +
                                  std::to_string(index) + (index >= order.size() ? "" : " twice"));
    }
    inverse[index] = k;
  }
  return inverse;
}

}  // namespace

template <matrix_value Value>
csr_matrix<Value> permute(csr_matrix<Value> const& matrix, std::span<std::uint32_t const> order) {
  if (!matrix.is_square()) {
    throw std::invalid_argument("permute: expected a square matrix, got " +
                                std::to_string(matrix.num_rows) + " x " +
                                std::to_string(matrix.num_cols));
  }
  if (order.size() != matrix.num_rows) {
    throw std::invalid_argument("permute: expected an order of " + std::to_string(matrix.num_rows) +
                                " rows, got " + std::to_string(order.size()));
  }
  std::vector<std::uint32_t> const inverse = inverse_permutation(order);
  csr_matrix<Value> result{matrix.num_rows, matrix.num_cols, {0}, {}, {}};
  result.row_offsets.reserve(matrix.row_offsets.size());
  result.columns.reserve(matrix.num_entries());
  if constexpr (has_values<Value>) result.values.reserve(matrix.num_entries());
  // Each row is sorted. A counting sort of the whole matrix would miss the cache twice per entry.
  std::vector<std::pair<std::uint32_t, Value>> row;
  for (std::size_t k = 0; k < order.size(); ++k) {
    std::uint32_t const source = order[k];
    row.clear();
    for (std::uint64_t e = matrix.row_offsets[source]; e < matrix.row_offsets[source + 1]; ++e) {
      row.emplace_back(inverse[matrix.columns[e]], value_of(matrix, e));
    }
    std::sort(row.begin(), row.end(),
              [](auto const& a, auto const& b) { return a.first < b.first; });
    for (auto const& [column, value] : row) {
      result.columns.push_back(column);
      if constexpr (has_values<Value>) result.values.push_back(value);
    }
    result.row_offsets.push_back(result.columns.size());
  }
  return result;
}

template csr_matrix<no_value> permute(csr_matrix<no_value> const&, std::span<std::uint32_t const>);
template csr_matrix<float> permute(csr_matrix<float> const&, std::span<std::uint32_t const>);
template csr_matrix<double> permute(csr_matrix<double> const&, std::span<std::uint32_t const>);

}  // namespace gridloom::sparse
