#pragma once
// Checks by a few random vectors that Q and R are a QR of A. A vector costs O(mn) operations; the
// matrix products of residual.hpp cost O(mn²). For a Gaussian y, the mean of (yᵀE)_j² is the
// squared length of E's column j. So eight vectors estimate the length of every column of E = A −
// QR, and likewise of QᵀQ − I. All sums are plain loops in double.
//
// The estimate for a column of length d is below d / 10 once in ten million times. It is below d /
// 3 once in nine hundred times. Every element of A, R and Q affects the sample. The sample shows
// the error only within a factor of three. It does not show which of Q and R is wrong.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "check/residual.hpp"
#include "inputs/host_vector.hpp"

namespace gridloom::tiled_qr {

inline constexpr int sample_vectors = 8;

/// Allowed error of a column, in units of residual_bound ε, for a matrix of this size n. Small n:
/// n, as in LAPACK's tests. Large n: √n, because independent errors grow so. In between: 100.
/// LAPACK's n ε would allow a float matrix of 300,000 rows an error as large as the matrix.
double sample_growth(std::int64_t size);

/// Computes C <- Q C or Qᵀ C for a C of m rows without gaps. The number of columns is a multiple of
/// sample_vectors. Rows of C from min(m, n) on are zero before Q C, and are not read after Qᵀ C.
template <class T>
using apply_function = std::function<void(bool transposed, T* c, std::int64_t columns)>;

/// The result of a factorisation: R, of which only the upper triangle is read, and a function that
/// applies Q.
template <class T>
struct factors_view {
  std::span<T const> r;
  std::int64_t r_leading;
  apply_function<T> apply;
};

/// Applies an explicit Q, m × min(m, n) and column-major without gaps, as factors_view::apply does.
template <class T>
apply_function<T> apply_explicit(std::int64_t m, std::int64_t n, std::span<T const> q);

/// The random vectors for matrices of one size. Used by one calling thread; its loops use all
/// threads.
template <class T>
class vector_sample {
 public:
  vector_sample(std::int64_t m, std::int64_t n, std::uint64_t seed);

  /// What is kept of a matrix A, so that A may be overwritten.
  struct sketch {
    /// YᵀA · 2^exponent, one row per vector.
    std::vector<double> products;
    /// The length of the longest column, in the same scale.
    double longest = 0;
    int exponent = 0;
  };
  [[nodiscard]] sketch of(std::span<T const> a) const;

  /// Measures the error of `found`, with the unit u = sample_growth(max(m, n)) · ε. `factors` is
  /// the length of E's longest column divided by A's longest and by u. `orthogonality` is the
  /// length of QᵀQ − I's longest column divided by u. A value that is not finite gives infinity.
  /// LAPACK's diagonal is not compared: R is determined if Q is orthogonal and A = QR.
  [[nodiscard]] residuals measure(sketch const& a, factors_view<T> const& found) const;

 private:
  std::int64_t m_;
  std::int64_t n_;
  /// Random vectors: Y has m × vectors elements, Z has min(m, n) × vectors.
  host_vector<T> y_;
  host_vector<T> z_;
};

}  // namespace gridloom::tiled_qr
