#pragma once
// Checks that Q and R are a QR of A. Uses only matrix products of OpenBLAS, and no code of the
// factorisation. The measures and their bound are those of LAPACK's own tests, unless a member says
// otherwise.

#include <cstdint>
#include <span>
#include <string>

namespace gridloom::tiled_qr {

inline constexpr double residual_bound = 30;

struct residuals {
  /// ‖A − QR‖ / (‖A‖ max(m, n) ε), in the 1-norm.
  double factors = 0;
  /// ‖I − QᵀQ‖ / (n ε), where n is the number of Q's columns. LAPACK's tests divide by the number
  /// of rows, which lets large errors pass if there are many rows.
  double orthogonality = 0;
  /// The largest difference between R's diagonal and LAPACK's, in absolute values. It is divided by
  /// ‖A‖ max(m, n) ε and by the condition of R up to the compared entry. If a column depends on
  /// earlier ones, the rest of the diagonal is arbitrary. So the comparison ends before such a
  /// column, and at the latest where the condition reaches 1/√ε.
  double diagonal = 0;
  /// Number of diagonal entries that were compared.
  std::int64_t compared = 0;
  /// Bound of the orthogonality: 30 max(1, √m / n). A sum of m rounded terms is off by about √m
  /// roundings, even if n is 1.
  double orthogonality_bound = residual_bound;
};

/// Measures Q (m × r) and R (r × n), r = min(m, n), against A (m × n). All are column-major without
/// gaps. A value that is not finite gives infinity. Matrices of very large or small numbers are
/// scaled first. `diagonal` is lapack_diagonal's result for A, which is computed if it is not given;
/// passing it saves time when several results for one matrix are judged. Throws unsupported for sizes beyond 32 bits.
template <class T>
residuals measure_residuals(std::int64_t m, std::int64_t n, std::span<T const> a,
                            std::span<T const> q, std::span<T const> r,
                            std::span<T const> diagonal = {});

/// Returns a text with the measures that exceed their bounds; empty if none does.
std::string excess_of(residuals const& measured);

// LAPACK's Cholesky factorisation by OpenBLAS, which is a rival, and a check of Cholesky factors.
// The check uses only matrix products of OpenBLAS.

/// Factorises the lower triangle in place by dpotrf. The matrix is column-major without gaps.
/// Throws as lapack_geqrf does, and run_error if the matrix is not positive definite.
void lapack_potrf(std::int64_t n, double* a);

/// Returns ‖A − L Lᵀ‖ / (‖A‖ n ε) in the 1-norm, where L is the lower triangle of `l`. Returns
/// infinity if a value is not finite.
double cholesky_residual(std::int64_t n, std::span<double const> a, std::span<double const> l);

}  // namespace gridloom::tiled_qr
