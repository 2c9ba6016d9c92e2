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

/// The processor that OpenBLAS has chosen its products for. OPENBLAS_CORETYPE chooses another.
std::string blas_core();

/// Converts a number of rows or columns for LAPACK. Throws unsupported if it exceeds 32 bits.
int lapack_size(std::int64_t n);

/// geqrf in place on a column-major matrix of leading dimension `rows`; min(rows, cols) `taus`.
/// Throws unsupported where a size exceeds LAPACK's 32 bits, run_error if LAPACK reports an error.
template <class T>
void lapack_geqrf(std::int64_t rows, std::int64_t cols, T* a, T* taus);

/// Replaces what geqrf left by the first min(rows, cols) columns of Q.
template <class T>
void lapack_orgqr(std::int64_t rows, std::int64_t cols, T* a, T const* taus);

/// C <- Q C or Qᵀ C with the first `vectors` reflectors that geqrf left in a matrix of `rows` rows.
/// C has `rows` × `cols` elements without gaps.
template <class T>
void lapack_ormqr(bool transposed, std::int64_t rows, std::int64_t cols, std::int64_t vectors,
                  T const* a, T const* taus, T* c);

/// gels: computes the x that minimises ‖b - A x‖ in the first `cols` rows of each of `columns`
/// right-hand sides, which have `rows` rows. rows >= cols. A is overwritten.
template <class T>
void lapack_gels(std::int64_t rows, std::int64_t cols, T* a, std::int64_t columns, T* b);

/// Estimates by trcon the condition, in the 1-norm, of the first n rows and columns of an upper
/// triangle of leading dimension `lead`. Infinity if the triangle is singular or has a NaN.
template <class T>
double lapack_condition(std::int64_t n, T const* triangle, std::int64_t lead);

/// The diagonal of R by geqrf.
template <class T>
std::vector<T> lapack_diagonal(std::int64_t rows, std::int64_t cols, std::vector<T> a);

}  // namespace gridloom::tiled_qr
