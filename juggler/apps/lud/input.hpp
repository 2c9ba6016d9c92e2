#pragma once
// The matrix that is decomposed: made by a seed, or of a file.

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

/// A random one whose diagonal outweighs the rest of each row, so that no pivot is small.
[[nodiscard]] input make_input(std::int64_t rows, std::uint64_t seed);

/// A file as sparse::read_matrix takes it. Throws usage_error as that does, and where the matrix is
/// a pattern, not square, or has a diagonal element that is 0, too small for a normal number, or
/// less than the others of its row together: without pivoting its factors could be far off.
[[nodiscard]] sparse::csr_matrix<double> read_dominant(std::filesystem::path const& file);

/// Zeros where it has no entries.
[[nodiscard]] input to_dense(sparse::csr_matrix<double> const& matrix);

}  // namespace gridloom::juggler::lud
