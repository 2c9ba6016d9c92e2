#pragma once
// Householder QR of a whole matrix, column by column: the report's naive baseline (Algorithm 1,
// with the update of Algorithm 3). It shares no code with the tiled operations.

#include <cmath>
#include <cstdint>
#include <vector>

#include "gridloom/host_time_limit.hpp"

namespace gridloom::tiled_qr {

/// Leaves R in the upper triangle of a column-major matrix of leading dimension `rows`, and each
/// vector without its first element below. A vector is stored after its column was reduced, as in
/// the algorithm's last line.
template <class T>
void householder_qr(std::int64_t rows, std::int64_t cols, T* a) {
  std::vector<T> v(static_cast<std::size_t>(rows));
  for (std::int64_t k = 0; k < cols && k < rows; ++k) {
    host_time_limit::check("Algorithm 1");
    T* const x = a + k * rows;
    T squares = 0;
    for (std::int64_t i = k; i < rows; ++i) squares += x[i] * x[i];
    T const norm = std::sqrt(squares);
    // Nothing to reduce, and v / v_1 would divide by 0.
    if (norm == T{0}) continue;
    T const first = x[k] + (x[k] < T{0} ? -norm : norm);
    T y = 0;
    for (std::int64_t i = k; i < rows; ++i) {
      T const element = i == k ? T{1} : x[i] / first;
      v[static_cast<std::size_t>(i)] = element;
      y += element * element;
    }
    y = T{-2} / y;
    for (std::int64_t j = k; j < cols; ++j) {
      T* const c = a + j * rows;
      T z = 0;
      for (std::int64_t i = k; i < rows; ++i) z += c[i] * v[static_cast<std::size_t>(i)];
      T const t = y * z;
      for (std::int64_t i = k; i < rows; ++i) c[i] += t * v[static_cast<std::size_t>(i)];
    }
    for (std::int64_t i = k + 1; i < rows; ++i) x[i] = v[static_cast<std::size_t>(i)];
  }
}

/// Returns the factors tau that LAPACK stores with such vectors: 2 / vᵀv, or 0 for a column without
/// a vector.
template <class T>
std::vector<T> householder_taus(std::int64_t rows, std::int64_t cols, T const* a) {
  std::vector<T> taus(static_cast<std::size_t>(rows < cols ? rows : cols), T{0});
  for (std::size_t k = 0; k < taus.size(); ++k) {
    T const* const x = a + static_cast<std::int64_t>(k) * rows;
    if (x[k] == T{0}) continue;
    T squares = 1;
    for (auto i = static_cast<std::int64_t>(k) + 1; i < rows; ++i) squares += x[i] * x[i];
    taus[k] = T{2} / squares;
  }
  return taus;
}

/// Returns the first min(rows, cols) columns of Q, from the output of householder_qr.
template <class T>
std::vector<T> householder_q(std::int64_t rows, std::int64_t cols, T const* a) {
  std::int64_t const vectors = rows < cols ? rows : cols;
  std::vector<T> q(static_cast<std::size_t>(rows * vectors), T{0});
  for (std::int64_t k = 0; k < vectors; ++k) q[static_cast<std::size_t>(k * rows + k)] = 1;
  for (std::int64_t k = vectors; k-- > 0;) {
    host_time_limit::check("forming Q of Algorithm 1");
    T const* const x = a + k * rows;
    // The column's norm was 0, so it has no vector.
    if (x[k] == T{0}) continue;
    T squares = 1;
    for (std::int64_t i = k + 1; i < rows; ++i) squares += x[i] * x[i];
    for (std::int64_t j = k; j < vectors; ++j) {
      T* const c = q.data() + j * rows;
      T z = c[k];
      for (std::int64_t i = k + 1; i < rows; ++i) z += x[i] * c[i];
      z *= T{2} / squares;
      c[k] -= z;
      for (std::int64_t i = k + 1; i < rows; ++i) c[i] -= z * x[i];
    }
  }
  return q;
}

}  // namespace gridloom::tiled_qr
