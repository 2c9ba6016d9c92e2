#pragma once
// Functions that make new matrices from old ones. They take and return valid matrices and use one
// thread. Their cost is linear in rows, columns and entries, but permute also sorts within rows.

#include <cstdint>
#include <span>
#include <vector>

#include "gridloom/sparse/csr.hpp"

namespace gridloom::sparse {

/// The transpose.
template <matrix_value Value>
[[nodiscard]] csr_matrix<Value> transpose(csr_matrix<Value> const& matrix);

/// The pattern without values.
template <matrix_value Value>
[[nodiscard]] csr_matrix<no_value> pattern_of(csr_matrix<Value> const& matrix);

/// The matrix with another value type. Entries of patterns become 1; double is rounded to the
/// nearest float. Throws std::invalid_argument if a finite double overflows float.
template <matrix_value To, matrix_value From>
[[nodiscard]] csr_matrix<To> with_values(csr_matrix<From> const& matrix);

/// The smallest symmetric pattern that contains the pattern: A | A^T. Needs memory for the
/// transpose. Throws std::invalid_argument unless the pattern is square.
[[nodiscard]] csr_matrix<no_value> symmetrise(csr_matrix<no_value> const& pattern);

/// P A P^T: row and column `order[k]` of the matrix become row and column k of the result, as with
/// SciPy's reverse_cuthill_mckee and MATLAB's symrcm. Throws std::invalid_argument unless the
/// matrix is square and `order` has every row once.
template <matrix_value Value>
[[nodiscard]] csr_matrix<Value> permute(csr_matrix<Value> const& matrix,
                                        std::span<std::uint32_t const> order);

/// The matrices along the diagonal. Parts may be rectangular; without parts the result is empty.
/// Throws std::invalid_argument if there are more than most_rows rows or columns in total.
template <matrix_value Value>
[[nodiscard]] csr_matrix<Value> block_diagonal(std::span<csr_matrix<Value> const> parts);

}  // namespace gridloom::sparse
