#pragma once
// New matrices from old. All functions are linear in rows, columns and entries (permute: but for
// sorting within rows), use one thread, take valid matrices, and return valid ones.

#include <cstdint>
#include <span>
#include <vector>

#include "gridloom/sparse/csr.hpp"

namespace gridloom::sparse {

/// The transpose in CSR, which is the matrix in CSC.
template <matrix_value Value>
[[nodiscard]] csr_matrix<Value> transpose(csr_matrix<Value> const& matrix);

/// The pattern alone.
template <matrix_value Value>
[[nodiscard]] csr_matrix<no_value> pattern_of(csr_matrix<Value> const& matrix);

/// The same matrix with another value type. Patterns become ones; double becomes float by rounding
/// to nearest. Throws std::invalid_argument when a finite double overflows float.
template <matrix_value To, matrix_value From>
[[nodiscard]] csr_matrix<To> with_values(csr_matrix<From> const& matrix);

/// The smallest symmetric pattern that holds the matrix: A | A^T. Values become (A + A^T) / 2,
/// where a missing entry counts as 0, so a symmetric matrix stays as it is; nothing overflows on
/// the way. Holds the transpose meanwhile. Throws std::invalid_argument unless the matrix is
/// square.
template <matrix_value Value>
[[nodiscard]] csr_matrix<Value> symmetrise(csr_matrix<Value> const& matrix);

/// P A P^T: row and column `order[k]` of the matrix become row and column k of the result (the
/// convention of SciPy's reverse_cuthill_mckee and MATLAB's symrcm). Throws std::invalid_argument
/// unless the matrix is square and `order` holds every row once.
template <matrix_value Value>
[[nodiscard]] csr_matrix<Value> permute(csr_matrix<Value> const& matrix,
                                        std::span<std::uint32_t const> order);

/// The inverse: result[order[k]] = k. Throws std::invalid_argument unless `order` is a permutation.
[[nodiscard]] std::vector<std::uint32_t> inverse_permutation(std::span<std::uint32_t const> order);

/// The matrix without its diagonal entries: the graph without self edges.
template <matrix_value Value>
[[nodiscard]] csr_matrix<Value> without_diagonal(csr_matrix<Value> const& matrix);

/// One matrix after the other along the diagonal. The parts may be rectangular; no parts make the
/// empty matrix. Throws std::invalid_argument when there are more than most_rows rows or columns in
/// all.
template <matrix_value Value>
[[nodiscard]] csr_matrix<Value> block_diagonal(std::span<csr_matrix<Value> const> parts);

}  // namespace gridloom::sparse
