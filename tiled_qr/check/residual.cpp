#include "check/residual.hpp"

#include <cblas.h>
#include <lapacke.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "check/largest.hpp"
#include "check/of_precision.hpp"
#include "check/power_of_two.hpp"
#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"
#include "rivals/lapack.hpp"

namespace gridloom::tiled_qr {

namespace {

// Computes C <- alpha op(A) B + beta C.
void product(CBLAS_TRANSPOSE op, int m, int n, int k, double alpha, double const* a, int lda,
             double const* b, int ldb, double beta, double* c, int ldc) {
  cblas_dgemm(CblasColMajor, op, CblasNoTrans, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
void product(CBLAS_TRANSPOSE op, int m, int n, int k, float alpha, float const* a, int lda,
             float const* b, int ldb, float beta, float* c, int ldc) {
  cblas_sgemm(CblasColMajor, op, CblasNoTrans, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

/// Returns the 1-norm; infinity if a value is not finite.
template <class T>
double norm_of(std::span<T const> values, std::int64_t rows) {
  double largest = 0;
  for (std::size_t at = 0; at < values.size(); at += static_cast<std::size_t>(rows)) {
    double sum = 0;
    for (std::int64_t i = 0; i < rows; ++i)
      sum += std::abs(static_cast<double>(values[at + static_cast<std::size_t>(i)]));
    if (!std::isfinite(sum)) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, sum);
  }
  return largest;
}

double over(double error, double scale) { return error == 0 ? 0 : error / scale; }

/// Returns the number of leading diagonal entries of R that are worth comparing. They end before
/// the first entry that is tiny compared with the largest one.
template <class T>
std::int64_t determined(std::int64_t vectors, std::vector<T> const& diagonal, double least) {
  double largest = 0;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::int64_t k = 0; k < vectors; ++k) {
    double const entry = std::abs(static_cast<double>(diagonal[static_cast<std::size_t>(k)]));
    largest = std::max(largest, entry);
    smallest = std::min(smallest, entry);
    if (smallest <= least * largest) return k;
  }
  return vectors;
}

/// Compares the diagonals in parts, each of which doubles the number of compared entries. An entry
/// may be off by a rounding error times the condition of R up to the end of its part. That
/// condition is estimated from the triangle, because the diagonal alone does not show it (Kahan's
/// matrix).
template <class T>
void compare_diagonals(std::int64_t vectors, std::vector<T> const& expected,
                       std::vector<T> const& r, double unit, residuals& result) {
  double const least = std::sqrt(static_cast<double>(std::numeric_limits<T>::epsilon()));
  std::int64_t const end = determined(vectors, expected, least);
  std::int64_t part = 0;
  for (std::int64_t begin = 0; begin < end; begin = part) {
    part = std::min(end, std::max(std::int64_t{1}, 2 * begin));
    double const condition = lapack_condition(part, r.data(), vectors);
    if (!(condition * least < 1)) return;
    for (std::int64_t k = begin; k < part; ++k) {
      double const lapack = std::abs(static_cast<double>(expected[static_cast<std::size_t>(k)]));
      double const own =
          std::abs(static_cast<double>(r[static_cast<std::size_t>(k * vectors + k)]));
      result.diagonal = std::max(result.diagonal, over(std::abs(own - lapack), unit * condition));
    }
    result.compared = part;
  }
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

template <class T>
residuals measure_residuals(std::int64_t m, std::int64_t n, std::span<T const> a,
                            std::span<T const> q, std::span<T const> r,
                            std::span<T const> diagonal) {
  int const rows = int_size(m);
  int const cols = int_size(n);
  int const vectors = std::min(rows, cols);
  double const epsilon = std::numeric_limits<T>::epsilon();
  auto const longer = static_cast<double>(std::max(m, n));
  // The matrices are scaled, because products of very large or small numbers would be wrong.
  T const largest = largest_of(std::span<T const>(a));
  int const exponent = std::isfinite(largest) ? exponent_to_safe(largest) : 0;
  std::vector<T> difference = scaled(a, exponent);
  std::vector<T> const own_r = scaled(r, exponent);
  // R's elements may be denormal numbers, whose rounding errors are not relative to their size.
  double const smallest =
      std::ldexp(static_cast<double>(std::numeric_limits<T>::denorm_min()), std::max(0, exponent));
  double const unit = longer * (norm_of(std::span<T const>(difference), m) * epsilon + smallest);
  residuals result;

  product(CblasNoTrans, rows, cols, vectors, T{-1}, q.data(), rows, own_r.data(), vectors, T{1},
          difference.data(), rows);
  result.factors = over(norm_of(std::span<T const>(difference), m), unit);

  std::vector<T> identity(static_cast<std::size_t>(vectors) * static_cast<std::size_t>(vectors),
                          T{0});
  for (std::size_t k = 0; k < static_cast<std::size_t>(vectors); ++k)
    identity[k * static_cast<std::size_t>(vectors) + k] = 1;
  product(CblasTrans, vectors, vectors, rows, T{-1}, q.data(), rows, q.data(), rows, T{1},
          identity.data(), vectors);
  result.orthogonality =
      over(norm_of(std::span<T const>(identity), vectors), static_cast<double>(vectors) * epsilon);
  result.orthogonality_bound *=
      std::max(1.0, std::sqrt(static_cast<double>(m)) / static_cast<double>(vectors));

  std::vector<T> const expected = diagonal.empty()
                                      ? lapack_diagonal<T>(m, n, {a.begin(), a.end()})
                                      : std::vector<T>(diagonal.begin(), diagonal.end());
  compare_diagonals<T>(vectors, scaled(std::span<T const>(expected), exponent), own_r, unit,
                       result);
  return result;
}

std::string excess_of(residuals const& measured) {
  auto const judge = [](char const* what, double value, double bound = residual_bound) {
    if (value < bound) return std::string();
    return std::string(what) + " is " + shown(value) + ", expected below " +
           std::to_string(static_cast<int>(bound)) + "; ";
  };
  std::string text =
      judge("|A - QR| / (|A| max(m, n) eps)", measured.factors) +
      judge("|I - Q'Q| / (n eps)", measured.orthogonality, measured.orthogonality_bound) +
      judge("difference of R's diagonal from LAPACK's", measured.diagonal);
  if (!text.empty()) text.resize(text.size() - 2);
  return text;
}

template residuals measure_residuals<float>(std::int64_t, std::int64_t, std::span<float const>,
                                            std::span<float const>, std::span<float const>,
                                            std::span<float const>);
template residuals measure_residuals<double>(std::int64_t, std::int64_t, std::span<double const>,
                                             std::span<double const>, std::span<double const>,
                                             std::span<double const>);
void lapack_potrf(std::int64_t n, double* a) {
  int const rows = int_size(n);
  lapack_int const info = LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', rows, a, rows);
  if (info != 0) throw run_error("LAPACK: dpotrf returned " + std::to_string(info));
}

double cholesky_residual(std::int64_t n, std::span<double const> a, std::span<double const> l) {
  int const rows = int_size(n);
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
