#pragma once
// Linear systems that tests of the Jacobi method share.

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gridloom/random.hpp"
#include "gridloom/sparse/generate.hpp"
#include "gridloom/sparse/transform.hpp"
#include "problem.hpp"
#include "solver.hpp"

namespace gridloom::mhive::jacobi::test {

/// Returns the non-zero numbers of a dense matrix.
template <typename Value = double>
sparse::csr_matrix<Value> sparse_of(std::vector<std::vector<double>> const& dense) {
  sparse::csr_matrix<Value> matrix;
  matrix.num_rows = static_cast<std::uint32_t>(dense.size());
  matrix.num_cols = dense.empty() ? 0 : static_cast<std::uint32_t>(dense[0].size());
  for (auto const& row : dense) {
    for (std::uint32_t column = 0; column < row.size(); ++column) {
      if (row[column] == 0) continue;
      matrix.columns.push_back(column);
      matrix.values.push_back(static_cast<Value>(row[column]));
    }
    matrix.row_offsets.push_back(matrix.columns.size());
  }
  return matrix;
}

/// Makes a dense matrix with about `per_row` numbers in [-1, 1) per row at random columns, one row
/// of `long_row` numbers, and a dominant diagonal. The pattern is not symmetric.
inline std::vector<std::vector<double>> random_dense(std::uint32_t n, std::uint32_t per_row,
                                                     std::uint32_t long_row, std::uint64_t seed) {
  random_source source{seed};
  std::vector<std::vector<double>> dense(n, std::vector<double>(n));
  auto const place = [&](std::uint32_t row, std::uint32_t column) {
    dense[row][column] = 2 * source.unit() - 1;
  };
  for (std::uint32_t row = 0; row < n; ++row) {
    for (std::uint32_t k = 0; k < per_row; ++k) {
      place(row, static_cast<std::uint32_t>(source.below(n)));
    }
  }
  for (std::uint32_t column = 0; column < long_row; ++column) place(n / 3, column);
  for (std::uint32_t row = 0; row < n; ++row) {
    dense[row][row] = 0;
    double sum = 0;
    for (double const value : dense[row]) sum += value < 0 ? -value : value;
    dense[row][row] = row % 2 == 0 ? 1.5 * sum + 1 : -1.5 * sum - 1;
  }
  return dense;
}

/// Makes a system with this matrix and a right side drawn from the seed.
template <typename Value>
system<Value> system_of(sparse::csr_matrix<Value> matrix, std::uint64_t seed = 1) {
  auto result = make_system("test", std::move(matrix), "test");
  draw_right_side(result, seed);
  return result;
}

template <typename Value>
system<Value> generated(std::string const& spec) {
  return system_of(std::visit([](auto const& of) { return sparse::with_values<Value>(of); },
                              sparse::generate(spec)));
}

/// The result of a run from the beginning, and its x.
struct solution : jacobi_result {
  std::vector<double> x;
};
inline solution solve(solver& of) {
  of.reset();
  solution result{of.run(), {}};
  result.x = of.x(result.iterations);
  return result;
}

}  // namespace gridloom::mhive::jacobi::test
