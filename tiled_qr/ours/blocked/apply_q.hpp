#pragma once
// Computes Qᵀ C and Q C without forming Q, and solves least squares. The factors come from
// gram_panels, streamed_panels or blocked_panels.
//
// The reflectors V of several panels form one block reflector, which is applied as C - V T (Vᵀ C),
// as in blocked_panels. Only V's top square is copied, with ones and zeros in place of R. The rows
// below it are read from the matrix. So the workspace does not depend on the number of rows.

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

  /// Computes C <- Qᵀ C or Q C, where Q is square. `factors` is m × n, for any m and n, with
  /// reflectors below the diagonal; their first entries, ones, are not stored. `t` has 32 × 32
  /// numbers per panel, column-major, zero where there is no reflector. `c` has m rows. Queued in
  /// the device's stream. Throws std::invalid_argument for sizes beyond those of the constructor.
  /// Cost for k columns, if m is much larger than n: 4 m n k operations, and up to half as many for
  /// Vᵀ V.
  void run(matrix_ref<Real> factors, Real const* t, side which, matrix_ref<Real> c);
  /// Writes the first min(m, n) columns of Q, at most `columns`, to `q`, which is column-major
  /// without gaps and need not be initialised. There may be any number of reflectors. Takes as many
  /// operations as LAPACK's orgqr, and those for Vᵀ V.
  void form(matrix_ref<Real> factors, Real const* t, Real* q);
  /// Bytes of workspace.
  std::size_t bytes() const;

 private:
  void apply_blocks(matrix_ref<Real> factors, Real const* t, side which, matrix_ref<Real> c,
                    bool is_identity);
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
/// `factors` and `t` are a factorised A, m >= n. All are column-major without gaps; the right sides
/// and the result are in host memory. Throws unsupported for m < n, and run_error for a zero on R's
/// diagonal.
template <class Real>
std::vector<Real> solve_least_squares(device& machine, matrix_ref<Real> factors, Real const* t,
                                      std::span<Real const> b, applier_settings settings = {});

/// Solves in device memory: x replaces the first n rows of `b`. As with LAPACK's gels, the norm of
/// the other rows is the norm of b - A x.
template <class Real>
void solve_least_squares(device& machine, matrix_ref<Real> factors, Real const* t,
                         matrix_ref<Real> b, applier_settings settings = {});

}  // namespace gridloom::tiled_qr::panels
