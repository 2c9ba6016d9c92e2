#include "gridloom/sparse/transform.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <string>

#include "gridloom/sparse/measures.hpp"

namespace gridloom::sparse {
namespace {

template <matrix_value To, matrix_value From>
To converted(From value) {
  To const result = static_cast<To>(value);
  if (std::isinf(result) && !std::isinf(value)) {
    // The shortest text of a double has at most 24 characters.
    std::array<char, 32> digits{};
    char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    throw std::invalid_argument("with_values: " + std::string{digits.data(), end} +
                                " is too large for a float");
  }
  return result;
}

void add_dimension(std::uint32_t& sum, std::uint32_t size) {
  if (size > most_rows - sum) {
    throw std::invalid_argument("block_diagonal: expected at most " + std::to_string(most_rows) +
                                " rows and columns in all");
  }
  sum += size;
}

}  // namespace

// The method is a counting sort by column. Rows are visited in ascending order, so row numbers
// ascend within each column.
template <matrix_value Value>
csr_matrix<Value> transpose(csr_matrix<Value> const& matrix) {
  csr_matrix<Value> result;
  result.num_rows = matrix.num_cols;
  result.num_cols = matrix.num_rows;
  result.columns.resize(matrix.num_entries());
  if constexpr (has_values<Value>) result.values.resize(matrix.num_entries());

  std::vector<std::uint64_t>& offsets = result.row_offsets;
  offsets.assign(std::size_t{matrix.num_cols} + 1, 0);
  for (std::uint32_t const column : matrix.columns) ++offsets[column + 1];
  for (std::size_t column = 1; column < offsets.size(); ++column) {
    offsets[column] += offsets[column - 1];
  }

  // Each offset moves to the end of its row, where the next row begins.
  for (std::uint32_t row = 0; row < matrix.num_rows; ++row) {
    for (std::uint64_t e = matrix.row_offsets[row]; e < matrix.row_offsets[row + 1]; ++e) {
      std::uint64_t const to = offsets[matrix.columns[e]]++;
      result.columns[to] = row;
      if constexpr (has_values<Value>) result.values[to] = matrix.values[e];
    }
  }
  std::copy_backward(offsets.begin(), offsets.end() - 1, offsets.end());
  offsets.front() = 0;
  return result;
}

template <matrix_value Value>
csr_matrix<no_value> pattern_of(csr_matrix<Value> const& matrix) {
  return {matrix.num_rows, matrix.num_cols, matrix.row_offsets, matrix.columns, {}};
}

template <matrix_value To, matrix_value From>
csr_matrix<To> with_values(csr_matrix<From> const& matrix) {
  csr_matrix<To> result{matrix.num_rows, matrix.num_cols, matrix.row_offsets, matrix.columns, {}};
  if constexpr (std::same_as<To, From>) {
    result.values = matrix.values;
  } else if constexpr (has_values<To> && has_values<From>) {
    result.values.reserve(matrix.num_entries());
    for (From const value : matrix.values) result.values.push_back(converted<To>(value));
  } else if constexpr (has_values<To>) {
    result.values.assign(matrix.num_entries(), To{1});
  }
  return result;
}

csr_matrix<no_value> symmetrise(csr_matrix<no_value> const& pattern) {
  if (!pattern.is_square()) {
    throw std::invalid_argument("symmetrise: expected a square matrix, got " +
                                std::to_string(pattern.num_rows) + " x " +
                                std::to_string(pattern.num_cols));
  }
  // Most inputs are symmetric already, and checking this is much cheaper than merging.
  if (symmetry_of(pattern) == symmetry::pattern) return pattern;

  csr_matrix<no_value> const mirrored = transpose(pattern);
  csr_matrix<no_value> result{pattern.num_rows, pattern.num_cols, {0}, {}, {}};
  result.row_offsets.reserve(pattern.row_offsets.size());
  // An array that grows would need up to three times the memory. What is not used costs none.
  result.columns.reserve(2 * pattern.num_entries());
  for (std::uint32_t row = 0; row < pattern.num_rows; ++row) {
    std::ranges::set_union(pattern.row(row), mirrored.row(row), std::back_inserter(result.columns));
    result.row_offsets.push_back(result.columns.size());
  }
  return result;
}

template <matrix_value Value>
csr_matrix<Value> block_diagonal(std::span<csr_matrix<Value> const> parts) {
  csr_matrix<Value> result;
  std::uint64_t entries = 0;
  for (csr_matrix<Value> const& part : parts) {
    add_dimension(result.num_rows, part.num_rows);
    add_dimension(result.num_cols, part.num_cols);
    entries += part.num_entries();
  }
  result.row_offsets.reserve(std::size_t{result.num_rows} + 1);
  result.columns.reserve(entries);
  if constexpr (has_values<Value>) result.values.reserve(entries);
  std::uint32_t first_column = 0;
  for (csr_matrix<Value> const& part : parts) {
    std::uint64_t const first_entry = result.columns.size();
    for (std::uint32_t row = 0; row < part.num_rows; ++row) {
      result.row_offsets.push_back(first_entry + part.row_offsets[row + 1]);
    }
    for (std::uint32_t const column : part.columns) result.columns.push_back(first_column + column);
    result.values.insert(result.values.end(), part.values.begin(), part.values.end());
    first_column += part.num_cols;
  }
  return result;
}

#define GRIDLOOM_INSTANTIATE(Value)                                          \
  template csr_matrix<Value> transpose(csr_matrix<Value> const&);            \
  template csr_matrix<no_value> pattern_of(csr_matrix<Value> const&);        \
  template csr_matrix<float> with_values<float>(csr_matrix<Value> const&);   \
  template csr_matrix<double> with_values<double>(csr_matrix<Value> const&); \
  template csr_matrix<Value> block_diagonal(std::span<csr_matrix<Value> const>);

GRIDLOOM_INSTANTIATE(no_value)
GRIDLOOM_INSTANTIATE(float)
GRIDLOOM_INSTANTIATE(double)

}  // namespace gridloom::sparse
