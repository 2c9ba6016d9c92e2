#pragma once
// What a factorisation is good for: Q^T C and Q C without forming Q, Q formed, and least squares.
// The vectors stay implicit (report, I.B): they are applied to C in the order of Algorithm 2, or in
// the reverse order for Q. Columns of C do not depend on each other, so each worker takes a column of
// tiles and goes through all vectors by itself.

#include <span>
#include <vector>

#include "tiled_qr/device_matrix.hpp"
#include "tiled_qr/operations.hpp"

namespace gridloom::tiled_qr {

/// C <- Q^T C or Q C, for a column-major C of as many rows as A, `cols` columns and leading
/// dimension `ldc`, in the memory of the device. Returns when it is done or launched.
template <class T>
void apply_q(device& machine, tiled_matrix_ref<T> const& factors, side which, T* c,
             std::int64_t ldc, std::int64_t cols, launch_shape shape);

/// The first `cols` columns of Q, at most its rows, column-major without gaps, in host memory.
template <class T>
std::vector<T> form_q(device& machine, tiled_matrix_ref<T> const& factors, std::int64_t cols,
                      launch_shape shape);

/// The same in the memory of the device, of leading dimension m. Returns when it is done or launched.
template <class T>
void form_q(device& machine, tiled_matrix_ref<T> const& factors, std::int64_t cols, T* q,
            launch_shape shape);

/// x that minimises the norm of b - A x, for each of the columns of `b`, m rows each, from the
/// factors of an A of m >= n. Column-major without gaps, in host memory. Throws unsupported for
/// m < n, and run_error where R has a zero on its diagonal: A has not full rank.
template <class T>
std::vector<T> solve_least_squares(device& machine, tiled_matrix_ref<T> const& factors,
                                   std::span<T const> b, launch_shape shape);

/// The upper triangle of a factorised matrix: min(m, n) × n, column-major without gaps.
template <class T>
std::vector<T> upper_triangle(tiling const& cut, std::span<T const> factors);

}  // namespace gridloom::tiled_qr
