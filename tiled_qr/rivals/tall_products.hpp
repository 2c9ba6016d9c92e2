#pragma once
// Interface for the steps of CholeskyQR, which are computed by libraries or by our kernels, and
// their combination.

#include <cstddef>
#include <cstdint>
#include <memory>

namespace gridloom::tiled_qr {

/// Steps on m × n matrices of one size, m >= n, in the memory of one machine, column-major without
/// gaps. Each call queues its work and may return before the work is done.
template <class T>
class tall_products {
 public:
  virtual ~tall_products() = default;
  /// g <- AᵀA, n × n. The part below the diagonal need not be written.
  virtual void gram(T const* a, T* g) = 0;
  /// Replaces the upper triangle of g by R with RᵀR = g, and writes zeros below. *info <- 0, or the
  /// first pivot that is not positive.
  virtual void factor(T* g, int* info) = 0;
  /// A <- A R⁻¹
  virtual void solve(T const* r, T* a) = 0;
  /// R <- S R, upper triangles with zeros below.
  virtual void combine(T const* s, T* r) = 0;
  /// Bytes of workspace on the device.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

/// Makes the products of OpenBLAS and LAPACKE on the host, with as many threads as
/// set_lapack_threads set. Throws unsupported for a size beyond 32 bits.
template <class T>
std::unique_ptr<tall_products<T>> make_host_products(std::int64_t rows, std::int64_t cols);

// CholeskyQR2, the rival on tall matrices. A round computes R by Cholesky's factorisation of AᵀA,
// and Q = A R⁻¹; a second round does the same to Q. The condition of AᵀA is the square of A's, so a
// round loses twice as many digits as A's condition has. The second round restores them, unless the
// first lost all. The method breaks down beyond a condition of about 1 / √ε. (Fukaya and others,
// CholeskyQR2, 2014.)

/// A <- Q and `r` <- R, n × n with zeros below the diagonal. `g` is workspace of n × n elements.
/// `infos` has one number per round: 0, or the pivot at which Cholesky's factorisation broke down.
/// After a breakdown, Q and R are useless.
template <class T>
void cholesky_qr2(tall_products<T>& by, T* a, T* r, T* g, int* infos) {
  by.gram(a, r);
  by.factor(r, infos);
  by.solve(r, a);
  by.gram(a, g);
  by.factor(g, infos + 1);
  by.solve(g, a);
  by.combine(g, r);
}

}  // namespace gridloom::tiled_qr
