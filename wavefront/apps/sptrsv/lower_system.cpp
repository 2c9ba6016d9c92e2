#include "lower_system.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "gridloom/error.hpp"
#include "gridloom/host_time_limit.hpp"
#include "gridloom/parse.hpp"
#include "gridloom/random.hpp"
#include "gridloom/sparse/transform.hpp"

namespace gridloom::wavefront::sptrsv {
namespace {

using matrix_type = sparse::csr_matrix<double>;

/// Messages count rows and columns from 1, as Matrix Market does.
std::string numbered(std::string const& what, std::uint32_t place) {
  return what + " " + std::to_string(std::uint64_t{place} + 1);
}

[[noreturn]] void refuse(std::string const& place, std::uint32_t row, std::string const& text) {
  throw usage_error(place + ": " + numbered("row", row) + ": " + text);
}

double symmetric_unit(random_source& random) { return 2 * random.unit() - 1; }

/// A matrix of the pattern and the whole diagonal, whose values make each row diagonally dominant.
matrix_type with_made_values(sparse::csr_matrix<sparse::no_value> const& pattern,
                             std::uint64_t seed) {
  random_source random(seed);
  matrix_type made;
  made.num_rows = pattern.num_rows;
  made.num_cols = pattern.num_cols;
  for (std::uint32_t row = 0; row < pattern.num_rows; ++row) {
    double sum = 1;
    bool found = false;
    auto const add = [&](std::uint32_t column, double value) {
      made.columns.push_back(column);
      made.values.push_back(value);
    };
    std::size_t diagonal = 0;
    auto const add_diagonal = [&] {
      diagonal = made.columns.size();
      add(row, 0);
      found = true;
    };
    for (std::uint32_t const column : pattern.row(row)) {
      if (!found && column >= row) add_diagonal();
      if (column == row) continue;
      double const value = symmetric_unit(random);
      sum += std::abs(value);
      add(column, value);
    }
    if (!found) add_diagonal();
    made.values[diagonal] = sum;
    made.row_offsets.push_back(made.columns.size());
  }
  return made;
}

void require_finite(matrix_type const& of, std::string const& place) {
  for (std::uint32_t row = 0; row < of.num_rows; ++row) {
    for (std::uint64_t e = of.row_offsets[row]; e < of.row_offsets[row + 1]; ++e) {
      if (!std::isfinite(of.values[e]))
        refuse(place, row, "expected finite values, got " + shown(of.values[e]));
    }
  }
}

/// Decomposes `of` in place. Afterwards L is left of the diagonal, and U begins on the diagonal.
void decompose(matrix_type& of, std::string const& place) {
  constexpr std::uint64_t absent = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::uint64_t> diagonal(of.num_rows, absent);
  std::vector<std::uint64_t> entry_of(of.num_rows, absent);
  for (std::uint32_t row = 0; row < of.num_rows; ++row) {
    std::uint64_t const begin = of.row_offsets[row];
    std::uint64_t const end = of.row_offsets[row + 1];
    for (std::uint64_t e = begin; e < end; ++e) entry_of[of.columns[e]] = e;
    for (std::uint64_t e = begin; e < end && of.columns[e] < row; ++e) {
      std::uint32_t const k = of.columns[e];
      of.values[e] /= of.values[diagonal[k]];
      for (std::uint64_t f = diagonal[k] + 1; f < of.row_offsets[k + 1]; ++f) {
        std::uint64_t const to = entry_of[of.columns[f]];
        if (to != absent) of.values[to] -= of.values[e] * of.values[f];
      }
    }
    diagonal[row] = entry_of[row];
    for (std::uint64_t e = begin; e < end; ++e) entry_of[of.columns[e]] = absent;
    if (diagonal[row] == absent || of.values[diagonal[row]] == 0)
      refuse(place, row,
             "expected a pivot other than 0, got " +
                 std::string(diagonal[row] == absent ? "no entry" : "0"));
  }
  require_finite(of, place + ", decomposed");
}

matrix_type lower_part(matrix_type const& of, factor_kind kind, std::string const& place) {
  matrix_type lower;
  lower.num_rows = of.num_rows;
  lower.num_cols = of.num_cols;
  for (std::uint32_t row = 0; row < of.num_rows; ++row) {
    double diagonal = kind == factor_kind::ilu0 ? 1 : 0;
    bool found = kind == factor_kind::ilu0;
    for (std::uint64_t e = of.row_offsets[row]; e < of.row_offsets[row + 1]; ++e) {
      std::uint32_t const column = of.columns[e];
      if (column < row) {
        lower.columns.push_back(column);
        lower.values.push_back(of.values[e]);
      } else if (column == row && kind != factor_kind::ilu0) {
        diagonal = of.values[e];
        found = true;
      } else if (column > row && kind == factor_kind::given) {
        refuse(
            place, row,
            "expected nothing above the diagonal (--factor lower leaves it out), got an entry in " +
                numbered("column", column));
      }
    }
    if (diagonal == 0)
      refuse(place, row,
             std::string("expected a number other than 0 on the diagonal, got ") +
                 (found ? "0" : "no entry"));
    for (std::uint64_t e = lower.row_offsets[row]; e < lower.columns.size(); ++e) {
      if (!std::isfinite(lower.values[e] / diagonal))
        refuse(place, row,
               "expected entries that can be divided by the diagonal, got " +
                   shown(lower.values[e]) + " / " + shown(diagonal));
    }
    if (!std::isfinite(1 / diagonal))
      refuse(place, row, "expected a diagonal whose reciprocal is finite, got " + shown(diagonal));
    lower.columns.push_back(row);
    lower.values.push_back(diagonal);
    lower.row_offsets.push_back(lower.columns.size());
  }
  return lower;
}

}  // namespace

lower_system make_lower(std::string name, sparse::any_csr const& matrix, factor_kind kind,
                        bool own_values, std::uint64_t seed, std::string const& place) {
  matrix_type whole = std::visit(
      [&]<class Value>(sparse::csr_matrix<Value> const& of) {
        if (!of.is_square() || of.num_rows == 0) {
          throw usage_error(place + ": expected a square matrix with at least one row, got " +
                            std::to_string(of.num_rows) + " x " + std::to_string(of.num_cols));
        }
        if (of.num_entries() >> 31U != 0) {
          throw usage_error(place + ": expected fewer than 2^31 entries, got " +
                            std::to_string(of.num_entries()));
        }
        if (own_values && sparse::has_values<Value>) return sparse::with_values<double>(of);
        return with_made_values(sparse::pattern_of(of), seed);
      },
      matrix);
  require_finite(whole, place);
  if (kind == factor_kind::ilu0) decompose(whole, place);
  lower_system result{std::move(name), lower_part(whole, kind, place), {}};
  random_source random(seed + 1);
  result.right_side.resize(result.rows());
  for (double& value : result.right_side) value = symmetric_unit(random);
  std::vector<double> x;
  solve_serially(result, result.right_side, x);
  for (std::uint32_t row = 0; row < result.rows(); ++row) {
    if (!std::isfinite(x[row]))
      refuse(place, row,
             "expected a solution in the range of double, got " + shown(x[row]) +
                 "; use --values made, whose solution does not grow");
  }
  return result;
}

void solve_serially(lower_system const& of, std::vector<double> const& right_side,
                    std::vector<double>& x) {
  auto const& matrix = of.matrix;
  x.resize(matrix.num_rows);
  std::uint64_t e = 0;
  for (std::uint32_t row = 0; row < matrix.num_rows; ++row) {
    if (row % 4096 == 0) host_time_limit::check("the serial solve");
    double value = right_side[row];
    std::uint64_t const diagonal = matrix.row_offsets[row + 1] - 1;
    for (; e < diagonal; ++e) value -= matrix.values[e] * x[matrix.columns[e]];
    x[row] = value / matrix.values[e++];
  }
}

void require_solution(lower_system const& of, std::vector<double> const& right_side,
                      std::vector<double> const& x) {
  auto const& matrix = of.matrix;
  if (x.size() != matrix.num_rows)
    throw wrong_result("internal error: the length of x differs from the number of rows");
  for (std::uint32_t row = 0; row < matrix.num_rows; ++row) {
    // An infinite bound would accept everything. make_lower has checked that x is finite.
    if (!std::isfinite(x[row])) {
      throw wrong_result(numbered("row", row) + ": expected a finite x, got " + shown(x[row]));
    }
    long double residual = right_side[row];
    long double sum = std::abs(residual);
    std::uint64_t const begin = matrix.row_offsets[row];
    std::uint64_t const end = matrix.row_offsets[row + 1];
    for (std::uint64_t e = begin; e < end; ++e) {
      long double const product = static_cast<long double>(matrix.values[e]) * x[matrix.columns[e]];
      residual -= product;
      sum += std::abs(product);
    }
    // The bound is the rounding error of a sum of n products in any order, if each factor was
    // rounded once, with some room. The last term is for subnormal numbers.
    long double const bound =
        static_cast<long double>(end - begin + 8) * std::numeric_limits<double>::epsilon() * sum +
        static_cast<long double>(end - begin + 8) * std::numeric_limits<double>::min();
    if (!(std::abs(residual) <= bound)) {
      throw wrong_result(numbered("row", row) + ": expected b - L x = 0 to " +
                         shown(static_cast<double>(bound)) + ", got " +
                         shown(static_cast<double>(residual)) + " with x = " + shown(x[row]));
    }
  }
}

}  // namespace gridloom::wavefront::sptrsv
