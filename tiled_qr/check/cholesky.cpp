#include "check/cholesky.hpp"

#include <cblas.h>
#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "check/largest.hpp"
#include "check/power_of_two.hpp"
#include "gridloom/error.hpp"

namespace gridloom::tiled_qr {

namespace {

int to_lapack(std::int64_t n) {
  if (n >= std::int64_t{1} << 31U)
    throw unsupported("LAPACK: expected sizes below 2^31, got " + std::to_string(n));
  return static_cast<int>(n);
}

/// Returns the 1-norm of a symmetric matrix. Reads only the lower triangle.
double norm_of_symmetric(std::vector<double> const& a, std::size_t n) {
  std::vector<double> sums(n, 0);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      double const value = std::abs(a[j * n + i]);
      sums[j] += value;
      if (i != j) sums[i] += value;
    }
  }
  double largest = 0;
  for (double const sum : sums) {
    if (!std::isfinite(sum)) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, sum);
  }
  return largest;
}

}  // namespace

void lapack_potrf(std::int64_t n, double* a) {
  int const rows = to_lapack(n);
  lapack_int const info = LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', rows, a, rows);
  if (info != 0) throw run_error("LAPACK: dpotrf returned " + std::to_string(info));
}

double cholesky_residual(std::int64_t n, std::span<double const> a, std::span<double const> l) {
  int const rows = to_lapack(n);
  auto const size = static_cast<std::size_t>(n);
  // A is scaled so that neither |A| n eps nor L Lᵀ overflows. L is scaled by the square root of A's
  // factor, so the exponent is even.
  double const largest = largest_of(a);
  int const half = largest > 0 && std::isfinite(largest) ? -std::ilogb(largest) / 2 : 0;
  std::vector<double> factor = scaled(l, half);
  std::vector<double> difference = scaled(a, 2 * half);
  for (std::size_t j = 1; j < size; ++j)
    std::fill_n(factor.begin() + static_cast<std::ptrdiff_t>(j * size), j, 0.0);
  double const scale = norm_of_symmetric(difference, size) * static_cast<double>(n) *
                       std::numeric_limits<double>::epsilon();
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, rows, rows, -1, factor.data(), rows, 1,
              difference.data(), rows);
  double const error = norm_of_symmetric(difference, size);
  return error == 0 || !std::isfinite(error) ? error : error / scale;
}

}  // namespace gridloom::tiled_qr
