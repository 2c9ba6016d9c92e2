#pragma once
// Numbers that describe a matrix. All functions take valid matrices and use one thread. Their cost
// is linear in rows and entries, with the near-constant factor of union-find for components.

#include <cstdint>
#include <vector>

#include "gridloom/sparse/csr.hpp"

namespace gridloom::sparse {

/// Distance of the entries, including stored zeros, from the diagonal.
struct band {
  /// Largest row - column; 0 if no entry is below the diagonal.
  std::uint32_t lower = 0;
  /// Largest column - row; 0 if no entry is above the diagonal.
  std::uint32_t upper = 0;

  /// Half-bandwidth: the larger of `lower` and `upper`.
  [[nodiscard]] std::uint32_t half() const { return lower > upper ? lower : upper; }
};

template <matrix_value Value>
[[nodiscard]] band band_of(csr_matrix<Value> const& matrix);

/// The thesis's bandwidth (Eq. 8.1): max(r - c) - min(r - c) + 1 over the entries; 0 without
/// entries. Unlike band_of, this does not assume that the diagonal is stored.
template <matrix_value Value>
[[nodiscard]] std::uint64_t thesis_bandwidth(csr_matrix<Value> const& matrix);

/// The envelope of the lower triangle: the sum of row - first column over all rows, where positive.
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

/// Connected components of the graph A | A^T, numbered in the order of their smallest vertices.
/// Throws std::invalid_argument for a rectangular matrix.
struct components {
  /// Array of the component of each vertex.
  std::vector<std::uint32_t> component;
  /// Array of the number of vertices of each component.
  std::vector<std::uint32_t> sizes;

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(sizes.size()); }
};
template <matrix_value Value>
[[nodiscard]] components components_of(csr_matrix<Value> const& matrix);

/// The symmetry of a matrix. `pattern` means that only the pattern is symmetric, which is the best
/// result for a matrix without values. Values are compared by ==, so a NaN differs from a NaN. If
/// all values are zero, the result is `values`, not `skew`. For a rectangular matrix it is `none`.
enum class symmetry { none, pattern, values, skew };
template <matrix_value Value>
[[nodiscard]] symmetry symmetry_of(csr_matrix<Value> const& matrix);

/// Numbers of entries on the diagonal. For the Jacobi method, no entry may be absent or zero.
struct diagonal_entries {
  std::uint32_t stored = 0;
  /// Number of stored zeros.
  std::uint32_t zero = 0;
};
template <matrix_value Value>
[[nodiscard]] diagonal_entries diagonal_of(csr_matrix<Value> const& matrix);

}  // namespace gridloom::sparse
