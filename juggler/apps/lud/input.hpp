#pragma once
// The matrix to be decomposed, random or from a file.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "gridloom/sparse/csr.hpp"

namespace gridloom::juggler::lud {

/// A square matrix by rows.
struct input {
  std::int64_t rows = 0;
  std::vector<double> values{};
};

/// Makes a random matrix with a dominant diagonal, so no pivot is small.
[[nodiscard]] input make_input(std::int64_t rows, std::uint64_t seed);

/// Reads a file with sparse::read_matrix, which throws usage_error. Also throws usage_error for a
/// pattern and for a matrix that is not square. A diagonal element must be normal and at least the
/// sum of the others in its row. Otherwise the factors could be far off, because there is no
/// pivoting.
[[nodiscard]] sparse::csr_matrix<double> read_dominant(std::filesystem::path const& file);

/// The dense form, with 0 where the matrix has no entry.
[[nodiscard]] input to_dense(sparse::csr_matrix<double> const& matrix);

}  // namespace gridloom::juggler::lud
