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

/// A random matrix whose diagonal outweighs the rest of each row, so that no pivot is small.
[[nodiscard]] input make_input(std::int64_t rows, std::uint64_t seed);

/// Reads a file as sparse::read_matrix does. Throws usage_error as that does, and also if the
/// matrix is a pattern, is not square, or has a diagonal element that is 0, subnormal, or smaller
/// than the sum of the others in its row: without pivoting, its factors could be far off.
[[nodiscard]] sparse::csr_matrix<double> read_dominant(std::filesystem::path const& file);

/// The dense form, with zeros where the matrix has no entries.
[[nodiscard]] input to_dense(sparse::csr_matrix<double> const& matrix);

}  // namespace gridloom::juggler::lud
