#include "check/residual.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "check/lapack.hpp"

namespace gridloom::tiled_qr {

namespace {

// C <- alpha op(A) B + beta C
void product(CBLAS_TRANSPOSE op, int m, int n, int k, double alpha, double const* a, int lda,
             double const* b, int ldb, double beta, double* c, int ldc) {
  cblas_dgemm(CblasColMajor, op, CblasNoTrans, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
void product(CBLAS_TRANSPOSE op, int m, int n, int k, float alpha, float const* a, int lda,
             float const* b, int ldb, float beta, float* c, int ldc) {
  cblas_sgemm(CblasColMajor, op, CblasNoTrans, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

/// The largest sum of a column's absolute values; infinity where a value is not finite.
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

template <class T>
void compare_diagonals(std::int64_t vectors, std::span<T const> expected, std::span<T const> r,
                       double unit, residuals& result) {
  double largest = 0;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::int64_t k = 0; k < vectors; ++k) {
    double const lapack = std::abs(static_cast<double>(expected[static_cast<std::size_t>(k)]));
    double const own = std::abs(static_cast<double>(r[static_cast<std::size_t>(k * vectors + k)]));
    largest = std::max(largest, lapack);
    smallest = std::min(smallest, lapack);
    if (smallest <= std::sqrt(static_cast<double>(std::numeric_limits<T>::epsilon())) * largest)
      return;
    double const condition = largest / smallest;
    result.diagonal = std::max(result.diagonal, over(std::abs(own - lapack), unit * condition));
    result.compared = k + 1;
  }
}

}  // namespace

template <class T>
residuals measure_residuals(std::int64_t m, std::int64_t n, std::span<T const> a,
                            std::span<T const> q, std::span<T const> r) {
  return measure_residuals<T>(m, n, a, q, r, lapack_diagonal<T>(m, n, {a.begin(), a.end()}));
}

template <class T>
residuals measure_residuals(std::int64_t m, std::int64_t n, std::span<T const> a,
                            std::span<T const> q, std::span<T const> r,
                            std::span<T const> diagonal) {
  int const rows = lapack_size(m);
  int const cols = lapack_size(n);
  int const vectors = std::min(rows, cols);
  double const epsilon = std::numeric_limits<T>::epsilon();
  double const unit = norm_of(a, m) * static_cast<double>(std::max(m, n)) * epsilon;
  residuals result;

  std::vector<T> difference(a.begin(), a.end());
  product(CblasNoTrans, rows, cols, vectors, T{-1}, q.data(), rows, r.data(), vectors, T{1},
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

  compare_diagonals<T>(vectors, diagonal, r, unit, result);
  return result;
}

std::string excess_of(residuals const& measured) {
  auto const judge = [](char const* what, double value) {
    if (value < residual_bound) return std::string();
    return std::string(what) + " is " + std::to_string(value) + ", expected below " +
           std::to_string(static_cast<int>(residual_bound)) + "; ";
  };
  std::string text = judge("|A - QR| / (|A| max(m, n) eps)", measured.factors) +
                     judge("|I - Q'Q| / (n eps)", measured.orthogonality) +
                     judge("R's diagonal beside LAPACK's", measured.diagonal);
  if (!text.empty()) text.resize(text.size() - 2);
  return text;
}

template residuals measure_residuals<float>(std::int64_t, std::int64_t, std::span<float const>,
                                            std::span<float const>, std::span<float const>,
                                            std::span<float const>);
template residuals measure_residuals<double>(std::int64_t, std::int64_t, std::span<double const>,
                                             std::span<double const>, std::span<double const>,
                                             std::span<double const>);
template residuals measure_residuals<float>(std::int64_t, std::int64_t, std::span<float const>,
                                            std::span<float const>, std::span<float const>);
template residuals measure_residuals<double>(std::int64_t, std::int64_t, std::span<double const>,
                                             std::span<double const>, std::span<double const>);

}  // namespace gridloom::tiled_qr
