#pragma once
// LAPACK's QR by LAPACKE and OpenBLAS: a rival, and a reference for results.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gridloom::tiled_qr {

/// Sets the threads that OpenBLAS uses in the whole process; 0: one per processor. Returns their
/// number.
int set_lapack_threads(int threads);

/// Returns the processor for which OpenBLAS chose its kernels. OPENBLAS_CORETYPE overrides the
/// choice.
std::string blas_core();

/// Calls geqrf in place on a column-major matrix of leading dimension `rows`; writes min(rows,
/// cols) `taus`. Throws unsupported for sizes beyond LAPACK's 32 bits, and run_error if LAPACK
/// reports an error.
template <class T>
void lapack_geqrf(std::int64_t rows, std::int64_t cols, T* a, T* taus);

/// Replaces the output of geqrf by the first min(rows, cols) columns of Q.
template <class T>
void lapack_orgqr(std::int64_t rows, std::int64_t cols, T* a, T const* taus);

/// Calls gels, which overwrites A; requires rows >= cols. Each of the `columns` right-hand sides
/// has `rows` rows. Its first `cols` rows get the x that minimises ‖b - A x‖.
template <class T>
void lapack_gels(std::int64_t rows, std::int64_t cols, T* a, std::int64_t columns, T* b);

/// Returns trcon's estimate of the condition, in the 1-norm, of the first n rows and columns of an
/// upper triangle. `lead` is its leading dimension. Returns infinity if the triangle is singular or
/// has a NaN.
template <class T>
double lapack_condition(std::int64_t n, T const* triangle, std::int64_t lead);

/// Returns the diagonal of the R that geqrf computes.
template <class T>
std::vector<T> lapack_diagonal(std::int64_t rows, std::int64_t cols, std::vector<T> a);

}  // namespace gridloom::tiled_qr
