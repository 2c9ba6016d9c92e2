#pragma once
// Applies Q of a factorisation without forming it, or forms Q. The vectors stay implicit (report,
// I.B). Qᵀ applies them in the order of Algorithm 2, Q in reverse. Columns of C are independent, so
// each worker takes a column of tiles and applies all vectors to it.

#include <span>
#include <vector>

#include "tiled_qr/device_matrix.hpp"
#include "tiled_qr/operations.hpp"

namespace gridloom::tiled_qr {

/// Computes C <- Qᵀ C or Q C. C is column-major in device memory, with as many rows as A, `cols`
/// columns and leading dimension `ldc`. Returns when the work is done or launched.
template <class T>
void apply_q(device& machine, tiled_matrix_ref<T> const& factors, side which, T* c,
             std::int64_t ldc, std::int64_t cols, launch_shape shape);

/// Returns the first `cols` columns of Q, column-major without gaps in host memory. `cols` is at
/// most m.
template <class T>
std::vector<T> form_q(device& machine, tiled_matrix_ref<T> const& factors, std::int64_t cols,
                      launch_shape shape);

/// Writes the first `cols` columns of Q to device memory, with leading dimension m. Returns when
/// the work is done or launched.
template <class T>
void form_q(device& machine, tiled_matrix_ref<T> const& factors, std::int64_t cols, T* q,
            launch_shape shape);

/// Writes columns of the identity, with leading dimension `rows`.
template <class T>
struct identity_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;

  T* to;
  std::int64_t rows;
  std::int64_t cols;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& /*shared*/) const {
    for (std::int64_t j = block.index(); j < cols; j += block.count()) {
      for (std::int64_t i = block.thread_rank(); i < rows; i += block.num_threads())
        to[j * rows + i] = i == j ? T{1} : T{0};
    }
  }
};

/// Returns the upper triangle of a factorised matrix: min(m, n) × n, column-major without gaps.
template <class T>
std::vector<T> upper_triangle(tiling const& cut, std::span<T const> factors);

}  // namespace gridloom::tiled_qr
