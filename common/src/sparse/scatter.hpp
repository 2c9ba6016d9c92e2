#pragma once
// The counting sort under transposing and permuting. Not part of the public headers.

#include <algorithm>
#include <cstdint>

#include "gridloom/sparse/csr.hpp"

namespace gridloom::sparse {

/// The transpose of the matrix whose row k is row `row_at(k)` of the given one with each column c
/// renamed to `column_of(c)`; both must be permutations. Columns of the result ascend whatever
/// order the renamed ones are in, because the rows are dealt out in ascending order. Linear, with
/// no memory beside the result.
template <matrix_value Value, typename RowAt, typename ColumnOf>
[[nodiscard]] csr_matrix<Value> scatter(csr_matrix<Value> const& matrix, RowAt row_at,
                                        ColumnOf column_of) {
  csr_matrix<Value> result;
  result.num_rows = matrix.num_cols;
  result.num_cols = matrix.num_rows;
  result.columns.resize(matrix.num_entries());
  if constexpr (has_values<Value>) result.values.resize(matrix.num_entries());

  std::vector<std::uint64_t>& offsets = result.row_offsets;
  offsets.assign(std::size_t{result.num_rows} + 1, 0);
  for (std::uint32_t const column : matrix.columns) ++offsets[std::size_t{column_of(column)} + 1];
  for (std::size_t row = 1; row < offsets.size(); ++row) offsets[row] += offsets[row - 1];

  // Each begin moves to the end of its row, which is the begin of the next one.
  for (std::uint32_t k = 0; k < matrix.num_rows; ++k) {
    std::uint32_t const row = row_at(k);
    std::uint64_t const end = matrix.row_offsets[std::size_t{row} + 1];
    for (std::uint64_t e = matrix.row_offsets[row]; e < end; ++e) {
      std::uint64_t const to = offsets[column_of(matrix.columns[e])]++;
      result.columns[to] = k;
      if constexpr (has_values<Value>) result.values[to] = matrix.values[e];
    }
  }
  std::copy_backward(offsets.begin(), offsets.end() - 1, offsets.end());
  offsets.front() = 0;
  return result;
}

}  // namespace gridloom::sparse
