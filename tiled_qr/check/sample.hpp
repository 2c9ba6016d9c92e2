#pragma once
// Whether Q and R are a QR of A, by a few random vectors. That costs O(mn) per vector, where the
// products of residual.hpp cost O(mn²). For a Gaussian y, the mean of (yᵀE)_j² is the square of E's
// column j. So eight vectors show the length of every column of E = A − QR, and of QᵀQ − I. All
// sums are plain loops in double.
//
// A column of E of length d appears shorter than d / 10 once in ten million times, and shorter than
// d / 3 once in nine hundred. Every element of A, R and Q affects the sample. The sample does not
// show the exact error (only within a factor of three), nor which of Q and R is wrong.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "check/residual.hpp"
#include "inputs/host_vector.hpp"

namespace gridloom::tiled_qr {

inline constexpr int sample_vectors = 8;

/// Allowed error of a column, in units of residual_bound ε: n for small n as in LAPACK's tests, √n
/// for large n, because independent errors grow so, and 100 in between. LAPACK's n ε would allow a
/// float matrix of 300,000 rows an error as large as the matrix.
double sample_growth(std::int64_t size);

/// C <- Q C or Qᵀ C for a C of m rows without gaps. The number of columns is a multiple of
/// sample_vectors. Below row min(m, n), C has zeros before Q C, and is not read after Qᵀ C.
template <class T>
using apply_function = std::function<void(bool transposed, T* c, std::int64_t columns)>;

/// A result as a sample sees it: R, of which only the upper triangle is read, and a function that
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

/// The random vectors for matrices of one size. Called by one thread; its loops use all threads.
template <class T>
class vector_sample {
 public:
  vector_sample(std::int64_t m, std::int64_t n, std::uint64_t seed);

  /// The data that is kept of a matrix A, so that A may be overwritten.
  struct sketch {
    /// YᵀA · 2^exponent, one row per vector.
    std::vector<double> products;
    /// The length of the longest column, in the same scale.
    double longest = 0;
    int exponent = 0;
  };
  [[nodiscard]] sketch of(std::span<T const> a) const;

  /// `factors`: the longest column of E, over A's longest, sample_growth(max(m, n)) and ε.
  /// `orthogonality`: the longest column of QᵀQ − I over sample_growth and ε. Values that are not
  /// finite give infinity. LAPACK's diagonal is not compared: if Q is orthogonal and A = QR, R is
  /// determined.
  [[nodiscard]] residuals measure(sketch const& a, factors_view<T> const& found) const;

 private:
  std::int64_t m_;
  std::int64_t n_;
  /// Random vectors Y, m × vectors, and Z, min(m, n) × vectors.
  host_vector<T> y_;
  host_vector<T> z_;
};

}  // namespace gridloom::tiled_qr
