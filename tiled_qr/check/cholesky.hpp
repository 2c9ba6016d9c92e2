#pragma once
// LAPACK's Cholesky factorisation by OpenBLAS, which is a rival, and a check of Cholesky factors.
// The check uses only matrix products of OpenBLAS.

#include <cstdint>
#include <span>

namespace gridloom::tiled_qr {

/// Factorises the lower triangle in place by dpotrf. The matrix is column-major without gaps.
/// Throws as lapack_geqrf does, and run_error if the matrix is not positive definite.
void lapack_potrf(std::int64_t n, double* a);

/// Returns ‖A − L Lᵀ‖ / (‖A‖ n ε) in the 1-norm, where L is the lower triangle of `l`. Returns
/// infinity if a value is not finite.
double cholesky_residual(std::int64_t n, std::span<double const> a, std::span<double const> l);

}  // namespace gridloom::tiled_qr
