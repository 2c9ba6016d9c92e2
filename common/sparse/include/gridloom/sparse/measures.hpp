#pragma once
// Numbers that describe a matrix. All take valid matrices, use one thread and are linear in rows and
// entries; components have the near-constant factor of union-find.

#include <cstdint>
#include <vector>

#include "gridloom/sparse/csr.hpp"

namespace gridloom::sparse {

/// How far entries lie from the diagonal, with stored zeros counted as entries.
struct band {
  /// Largest row - column, 0 if there is none below the diagonal.
  std::uint32_t lower = 0;
  /// Largest column - row, 0 if there is none above.
  std::uint32_t upper = 0;

  /// Half-bandwidth: the larger of the two.
  [[nodiscard]] std::uint32_t half() const { return lower > upper ? lower : upper; }
};

template <matrix_value Value>
[[nodiscard]] band band_of(csr_matrix<Value> const& matrix);

/// The thesis's bandwidth (Eq. 8.1): max(r - c) - min(r - c) + 1 over the entries, 0 for a matrix
/// without entries. Unlike band_of it does not take the diagonal as stored.
template <matrix_value Value>
[[nodiscard]] std::uint64_t thesis_bandwidth(csr_matrix<Value> const& matrix);

/// Sum over the rows of (row - first column) where that is positive: the envelope of the lower
/// triangle.
template <matrix_value Value>
[[nodiscard]] std::uint64_t profile(csr_matrix<Value> const& matrix);

/// Lengths of the rows.
struct row_lengths {
  std::uint64_t shortest = 0;
  std::uint64_t longest = 0;
  double average = 0;
};
template <matrix_value Value>
[[nodiscard]] row_lengths row_lengths_of(csr_matrix<Value> const& matrix);

/// Connected components of the graph A | A^T: component[v] is numbered in the order of the smallest
/// vertices. For a rectangular matrix throws std::invalid_argument.
struct components {
  /// One per vertex.
  std::vector<std::uint32_t> component;
  /// One per component.
  std::vector<std::uint32_t> sizes;

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(sizes.size()); }
};
template <matrix_value Value>
[[nodiscard]] components components_of(csr_matrix<Value> const& matrix);

/// The symmetry of a matrix. `pattern`: in its pattern only, which is all that a matrix without values
/// can have. Values compare by ==, so a NaN does not mirror a NaN; where all values are zero, it is
/// `values`, not `skew`. A rectangular matrix has none.
enum class symmetry { none, pattern, values, skew };
template <matrix_value Value>
[[nodiscard]] symmetry symmetry_of(csr_matrix<Value> const& matrix);

/// Entries on the diagonal; for the Jacobi method none may be absent or zero.
struct diagonal_entries {
  std::uint32_t stored = 0;
  /// Stored, but with the value 0.
  std::uint32_t zero = 0;
};
template <matrix_value Value>
[[nodiscard]] diagonal_entries diagonal_of(csr_matrix<Value> const& matrix);

}  // namespace gridloom::sparse
