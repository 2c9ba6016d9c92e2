#pragma once
// Computes Qᵀ C and Q C without forming Q, and least squares, from the factors that gram_panels,
// streamed_panels and blocked_panels leave.
//
// The reflectors V of some panels at a time form one block reflector, as in blocked_panels: C - V T
// (Vᵀ C). Only V's top square is copied, with ones and zeros in place of R; the rows below are read
// from the matrix. So the workspace does not depend on the number of rows.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ours/blocked/gemm.hpp"
#include "ours/panel/tile.hpp"
#include "tiled_qr/operations.hpp"

namespace gridloom::tiled_qr::panels {

struct applier_settings {
  /// Number of workers on the host; 0: one per processor. No effect on a device.
  int blocks = 0;
  /// Threads per block, best a multiple of 32. No effect on the host.
  int threads = 256;
};

/// Applies Q to matrices on one device, one after another. The same input gives the same bits on
/// one machine. Used by one thread.
template <class Real>
class q_applier {
 public:
  /// Prepares for at most `reflectors` reflectors, and a C of at most `columns` columns.
  q_applier(device& machine, std::int64_t reflectors, std::int64_t columns,
            applier_settings settings = {});

  /// C <- Qᵀ C or Q C, where Q is square. `factors`: m × n, for any m and n, with reflectors below
  /// the diagonal, whose unit first entries are not stored. `t`: 32 × 32 per panel, column after
  /// column, zero where there is no reflector. `c`: m rows. Queued in the device's stream. Throws
  /// std::invalid_argument for sizes beyond those of the constructor. Cost: 4 m n k operations for
  /// k columns if m is much larger than n, and up to half as many for Vᵀ V.
  void run(matrix_ref<Real> factors, Real const* t, side which, matrix_ref<Real> c);
  /// Bytes of workspace.
  std::size_t bytes() const;

 private:
  void apply_block(matrix_ref<Real> block, Real const* t, side which, matrix_ref<Real> c);

  device* machine_;
  std::int64_t reflectors_;
  std::int64_t columns_;
  /// Number of reflectors that are applied at once.
  std::int64_t width_;
  int blocks_;
  int threads_;
  std::unique_ptr<gemm<Real>> gemm_;
  buffer<Real> top_;
  buffer<Real> products_;
  buffer<Real> w_;
};

/// Returns the x that minimises the norm of b - A x for each column of `b`, which has m rows.
/// `factors` and `t`: a factorised A, m >= n. Column-major without gaps, in host memory. Throws
/// unsupported for m < n, and run_error for a zero on R's diagonal.
template <class Real>
std::vector<Real> solve_least_squares(device& machine, matrix_ref<Real> factors, Real const* t,
                                      std::span<Real const> b, applier_settings settings = {});

/// The same in device memory: x takes the first n rows of `b`. The norm of the rows below is the
/// norm of b - A x, as with LAPACK's gels.
template <class Real>
void solve_least_squares(device& machine, matrix_ref<Real> factors, Real const* t,
                         matrix_ref<Real> b, applier_settings settings = {});

}  // namespace gridloom::tiled_qr::panels
