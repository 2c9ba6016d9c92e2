#pragma once
// The matrix to be decomposed, random or from a file.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "gridloom/portable.hpp"
#include "gridloom/random.hpp"
#include "gridloom/sparse/csr.hpp"

namespace gridloom::juggler::lud {

/// The elements of a random matrix with a dominant diagonal, so no pivot is small.
struct random_dominant {
  std::uint64_t seed = 0;
  std::int64_t rows = 0;

  GRIDLOOM_FN double operator()(std::int64_t row, std::int64_t col) const {
    random_source random(seed);
    random.skip(static_cast<std::uint64_t>(row * rows + col));
    return random.unit() - 0.5 + (row == col ? 0.5 * static_cast<double>(rows) + 1 : 0);
  }
};

/// A square matrix by rows.
struct input {
  std::int64_t rows = 0;
  /// Empty if the elements are `random`, which are then made where they are needed.
  std::vector<double> values{};
  random_dominant random{};
};

/// Makes the matrix random_dominant{seed, rows}.
[[nodiscard]] input make_input(std::int64_t rows, std::uint64_t seed);

/// Reads a file with sparse::read_matrix, which throws usage_error. Also throws usage_error for a
/// pattern and for a matrix that is not square. A diagonal element must be normal and at least the
/// sum of the others in its row. Otherwise the factors could be far off, because there is no
/// pivoting.
[[nodiscard]] sparse::csr_matrix<double> read_dominant(std::filesystem::path const& file);

/// The dense form, with 0 where the matrix has no entry.
[[nodiscard]] input to_dense(sparse::csr_matrix<double> const& matrix);

}  // namespace gridloom::juggler::lud
