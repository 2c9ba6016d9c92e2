#include "apps/lud/input.hpp"

#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <variant>

#include "apps/lud/matrix.hpp"
#include "gridloom/error.hpp"
#include "gridloom/sparse/matrix_source.hpp"

namespace gridloom::juggler::lud {

namespace {

[[noreturn]] void refuse(std::filesystem::path const& file, std::string const& message) {
  throw usage_error(file.string() + ": " + message);
}

template <sparse::matrix_value Value>
sparse::csr_matrix<double> with_values(std::filesystem::path const& file,
                                       sparse::csr_matrix<Value>& read) {
  if constexpr (!sparse::has_values<Value>) {
    refuse(file, "expected a matrix with values, got a pattern");
  } else {
    return {read.num_rows, read.num_cols, std::move(read.row_offsets), std::move(read.columns),
            std::vector<double>(read.values.begin(), read.values.end())};
  }
}

}  // namespace

input make_input(std::int64_t rows, std::uint64_t seed) {
  input made{rows, {}, {seed, rows}};
  made.values.reserve(static_cast<std::size_t>(rows * rows));
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < rows; ++j) made.values.push_back(made.random(i, j));
  }
  return made;
}

sparse::csr_matrix<double> read_dominant(std::filesystem::path const& file) {
  sparse::any_csr read = sparse::read_matrix(file);
  sparse::csr_matrix<double> matrix =
      std::visit([&](auto& of) { return with_values(file, of); }, read);
  if (!matrix.is_square() || matrix.num_rows == 0)
    refuse(file, "expected a square matrix, got " + std::to_string(matrix.num_rows) + " x " +
                     std::to_string(matrix.num_cols));
  for (std::uint32_t row = 0; row < matrix.num_rows; ++row) {
    double own = 0;
    double others = 0;
    for (std::uint64_t e = matrix.row_offsets[row]; e < matrix.row_offsets[row + 1]; ++e)
      (matrix.columns[e] == row ? own : others) += std::abs(matrix.values[e]);
    // The reciprocal of a subnormal pivot may be infinite.
    if (own > 0 && own < std::numeric_limits<double>::min()) {
      std::ostringstream text;
      text << "row " << row + 1 << ": expected a diagonal element of at least "
           << std::numeric_limits<double>::min() << ", got " << own;
      refuse(file, text.str());
    }
    // The negated comparison also refuses NaN.
    if (!(own > 0 && own >= others && std::isfinite(own))) {
      std::ostringstream text;
      text << "row " << row + 1
           << ": expected a diagonal element that outweighs the rest of its row, because "
              "there is no pivoting; got "
           << own << " against " << others;
      refuse(file, text.str());
    }
  }
  return matrix;
}

input to_dense(sparse::csr_matrix<double> const& matrix) {
  auto const n = static_cast<std::size_t>(matrix.num_rows);
  input made{matrix.num_rows, std::vector<double>(n * n, 0)};
  for (std::uint32_t row = 0; row < matrix.num_rows; ++row) {
    for (std::uint64_t e = matrix.row_offsets[row]; e < matrix.row_offsets[row + 1]; ++e)
      made.values[row * n + matrix.columns[e]] = matrix.values[e];
  }
  return made;
}

}  // namespace gridloom::juggler::lud
