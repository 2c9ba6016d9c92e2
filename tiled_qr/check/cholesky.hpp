#pragma once
// LAPACK's Cholesky factorisation by OpenBLAS, a rival, and the check of a Cholesky factor, by
// products of OpenBLAS only.

#include <cstdint>
#include <span>

namespace gridloom::tiled_qr {

/// dpotrf of the lower triangle in place, column-major without gaps. Throws as lapack_geqrf does,
/// and run_error where the matrix is not positive definite.
void lapack_potrf(std::int64_t n, double* a);

/// ‖A − L Lᵀ‖ / (‖A‖ n ε) in the 1-norm, where L is the lower triangle of `l`. Values that are not
/// finite give infinity.
double cholesky_residual(std::int64_t n, std::span<double const> a, std::span<double const> l);

}  // namespace gridloom::tiled_qr
