#pragma once
// Interface for the steps of CholeskyQR, which libraries or our kernels compute. cholesky_qr2.hpp
// combines the steps.

#include <cstddef>
#include <cstdint>
#include <memory>

namespace gridloom::tiled_qr {

/// Steps on m × n matrices of one size, m >= n, in the memory of one machine, column-major without
/// gaps. Each is queued and may return before it is done.
template <class T>
class tall_products {
 public:
  virtual ~tall_products() = default;
  /// g <- AᵀA, n × n, at least its upper triangle.
  virtual void gram(T const* a, T* g) = 0;
  /// Upper triangle of g <- R with RᵀR = g; zeros below. *info <- 0, or the first pivot that is not
  /// positive.
  virtual void factor(T* g, int* info) = 0;
  /// A <- A R⁻¹
  virtual void solve(T const* r, T* a) = 0;
  /// R <- S R, upper triangles with zeros below.
  virtual void combine(T const* s, T* r) = 0;
  /// Bytes of workspace on the device.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

/// The products of OpenBLAS and LAPACKE on the host, with the threads of set_lapack_threads. Throws
/// unsupported where a size exceeds 32 bits.
template <class T>
std::unique_ptr<tall_products<T>> make_host_products(std::int64_t rows, std::int64_t cols);

}  // namespace gridloom::tiled_qr
