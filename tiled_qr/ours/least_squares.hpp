#pragma once
// Least squares from any QR. The caller's function computes Qᵀ b, and back substitution with R
// gives x.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "gridloom/device.hpp"
#include "ours/panel/tile.hpp"
#include "tiled_qr/apply_q.hpp"

namespace gridloom::tiled_qr {

/// Replaces each column b by the x with R x = b, in device memory. `r` is n × n; its part below the
/// diagonal is not read. Kernels solve squares of 32 rows on the diagonal in double. Products of
/// the machine's library subtract the solutions from the rows above. `threads` is the number of
/// threads per block, without effect on the host. Throws run_error with the place of a zero on R's
/// diagonal. Returns when the work is done or launched.
template <class T>
void solve_upper(device& machine, panels::matrix_ref<T> const& r, panels::matrix_ref<T> const& x,
                 int threads = 256);

/// Throws unsupported for a matrix of fewer rows than columns, which has many solutions.
void require_tall(std::int64_t rows, std::int64_t cols);

/// Returns the x that minimises the norm of b - A x for each column of `b`. `b` is column-major
/// without gaps in host memory, with m rows. `factors` has R of an m × n matrix on and above its
/// diagonal. `apply` multiplies its argument by Qᵀ, in device memory. Throws as require_tall and
/// solve_upper do, and std::invalid_argument if `b` has another number of rows.
template <class T>
std::vector<T> least_squares_of(device& machine, panels::matrix_ref<T> const& factors,
                                std::span<T const> b,
                                std::function<void(panels::matrix_ref<T> const&)> const& apply);

/// Solves with the factors of a tiled QR of A, with m >= n.
template <class T>
std::vector<T> solve_least_squares(device& machine, tiled_matrix_ref<T> const& factors,
                                   std::span<T const> b, launch_shape shape);

}  // namespace gridloom::tiled_qr
