#pragma once
// Algorithm 1 of the report: Householder QR of a whole matrix, column by column, with the update of
// Algorithm 3. It is the naive rival, and shares nothing with the tiled operations.

#include <cmath>
#include <cstdint>
#include <vector>

namespace gridloom::tiled_qr {

/// Leaves R in the upper triangle of a column-major matrix of leading dimension `rows`, and v(2:)
/// below. The last line of the algorithm stores the vector after its column was reduced.
template <class T>
void householder_qr(std::int64_t rows, std::int64_t cols, T* a) {
  std::vector<T> v(static_cast<std::size_t>(rows));
  for (std::int64_t k = 0; k < cols && k < rows; ++k) {
    T* const x = a + k * rows;
    T squares = 0;
    for (std::int64_t i = k; i < rows; ++i) squares += x[i] * x[i];
    T const norm = std::sqrt(squares);
    if (norm == T{0}) continue;  // nothing to reduce; v / v_1 would divide by 0
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

}  // namespace gridloom::tiled_qr
