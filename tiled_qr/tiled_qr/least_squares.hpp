#pragma once
// What least squares need beside Qᵀ b, whatever form Q has: back substitution with R.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "gridloom/device.hpp"
#include "tiled_qr/panel/tile.hpp"

namespace gridloom::tiled_qr {

/// x of R x = b in place of b, for any number of columns, in the memory of the device. `r`: n × n, of
/// which what lies below the diagonal is not read. Squares of 32 rows on the diagonal are solved in
/// double; products of the machine's library take them from the rows above. `threads`: of a block; no
/// effect on the host. Throws run_error with the place where R has a zero on its diagonal. Returns
/// when it is done or launched.
template <class T>
void solve_upper(device& machine, panels::matrix_ref<T> const& r, panels::matrix_ref<T> const& x,
                 int threads = 256);

/// Throws unsupported for a matrix of fewer rows than columns, which has many solutions.
void require_tall(std::int64_t rows, std::int64_t cols);

/// x that minimises the norm of b - A x, for each of the columns of `b`, m rows each: column-major
/// without gaps, in host memory. `factors` has R of an m × n matrix on and above its diagonal, and
/// `apply` takes Qᵀ to what it is given, in the memory of the device. Errors: require_tall and
/// solve_upper, and std::invalid_argument where `b` has other rows.
template <class T>
std::vector<T> least_squares_of(device& machine, panels::matrix_ref<T> const& factors,
                                std::span<T const> b,
                                std::function<void(panels::matrix_ref<T> const&)> const& apply);

}  // namespace gridloom::tiled_qr
