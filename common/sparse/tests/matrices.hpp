#pragma once
// Small matrices for tests: from rows of numbers, random ones, and dense arrays for references.

#include <array>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <ostream>
#include <vector>

#include "check.hpp"
#include "gridloom/random.hpp"
#include "gridloom/sparse/csr.hpp"

namespace gridloom::sparse {

// Boost.Test prints matrices with these; an entry without a value is `*`.
inline std::ostream& operator<<(std::ostream& out, no_value) { return out << "*"; }

template <matrix_value Value>
std::ostream& operator<<(std::ostream& out, csr_matrix<Value> const& matrix) {
  out << matrix.num_rows << " x " << matrix.num_cols << " [";
  for (std::uint32_t row = 0; row < matrix.num_rows; ++row) {
    for (std::uint64_t e = matrix.row_offsets[row]; e < matrix.row_offsets[row + 1]; ++e) {
      out << " (" << row << "," << matrix.columns[e] << ")";
      if constexpr (has_values<Value>) out << "=" << matrix.values[e];
    }
  }
  return out << " ]";
}

}  // namespace gridloom::sparse

namespace gridloom::test {

using sparse::csr_matrix;
using sparse::has_values;
using sparse::no_value;

/// A dense array. An element is the value of an entry, or nothing if no entry is stored.
template <typename Value>
using dense = std::vector<std::vector<std::optional<Value>>>;

template <typename Value>
dense<Value> dense_of(csr_matrix<Value> const& matrix) {
  dense<Value> result(matrix.num_rows, std::vector<std::optional<Value>>(matrix.num_cols));
  for (std::uint32_t row = 0; row < matrix.num_rows; ++row) {
    for (std::uint64_t e = matrix.row_offsets[row]; e < matrix.row_offsets[row + 1]; ++e) {
      Value value{};
      if constexpr (has_values<Value>) value = matrix.values[e];
      result[row][matrix.columns[e]] = value;
    }
  }
  return result;
}

/// `num_cols` is needed because an array without rows has no columns.
template <typename Value>
csr_matrix<Value> csr_of(dense<Value> const& entries, std::size_t num_cols) {
  csr_matrix<Value> result;
  result.num_rows = static_cast<std::uint32_t>(entries.size());
  result.num_cols = static_cast<std::uint32_t>(num_cols);
  for (auto const& row : entries) {
    for (std::uint32_t column = 0; column < row.size(); ++column) {
      if (!row[column]) continue;
      result.columns.push_back(column);
      if constexpr (has_values<Value>) result.values.push_back(*row[column]);
    }
    result.row_offsets.push_back(result.columns.size());
  }
  return result;
}

/// A matrix of whole numbers. 0 means that there is no entry.
template <typename Value>
csr_matrix<Value> matrix_of(std::initializer_list<std::initializer_list<int>> rows) {
  dense<Value> entries;
  for (auto const& row : rows) {
    entries.emplace_back();
    for (int const number : row) {
      entries.back().emplace_back();
      if (number == 0) continue;
      if constexpr (has_values<Value>) {
        entries.back().back() = static_cast<Value>(number);
      } else {
        entries.back().back() = no_value{};
      }
    }
  }
  return csr_of(entries, rows.size() == 0 ? 0 : rows.begin()->size());
}

/// A random value, possibly zero, such that sums and means of values are exact.
template <typename Value>
Value random_value(random_source& source) {
  if constexpr (has_values<Value>) {
    return static_cast<Value>(static_cast<int>(source.below(9)) - 4);
  } else {
    return {};
  }
}

/// Each entry exists with a probability that is drawn per matrix, so some matrices are empty and
/// some are full.
template <typename Value>
csr_matrix<Value> random_matrix(std::size_t num_rows, std::size_t num_cols, random_source& source) {
  std::uint64_t const tenths = source.below(11);
  dense<Value> entries(num_rows, std::vector<std::optional<Value>>(num_cols));
  for (auto& row : entries) {
    for (auto& entry : row) {
      if (source.below(10) < tenths) entry = random_value<Value>(source);
    }
  }
  return csr_of(entries, num_cols);
}

/// Calls the function with many small square or rectangular matrices, some without rows or columns.
template <typename Value>
void for_random_matrices(bool square,
                         std::function<void(csr_matrix<Value> const&, random_source&)> function) {
  constexpr std::uint64_t seed = 20240229;
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    BOOST_TEST_CONTEXT("seed " << seed << " + " << trial) {
      random_source source{seed + trial};
      std::size_t const num_rows = source.below(9);
      std::size_t const num_cols = square ? num_rows : source.below(9);
      function(random_matrix<Value>(num_rows, num_cols, source), source);
    }
  }
}

/// A random order of rows.
inline std::vector<std::uint32_t> random_order(std::size_t size, random_source& source) {
  auto const order = random_permutation(size, source);
  return {order.begin(), order.end()};
}

/// Fails the test if the matrix is not valid.
template <typename Value>
void require_valid(csr_matrix<Value> const& matrix) {
  BOOST_REQUIRE_NO_THROW(sparse::check(matrix, "matrix"));
}

}  // namespace gridloom::test
