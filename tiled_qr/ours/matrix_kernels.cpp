#include "ours/matrix_kernels.hpp"

#include <algorithm>

#include "check/power_of_two.hpp"
#include "gridloom/group.hpp"

namespace gridloom::tiled_qr {

namespace {

/// Number of rows of a column that a block takes at a time. Columns are split because tall matrices
/// have few of them.
constexpr std::int64_t rows_at_once = 4096;

template <class T>
struct scale_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;

  T* matrix;
  std::int64_t rows;
  std::int64_t cols;
  power_of_two<T> power;
  scaled_part part;

  GRIDLOOM_FN std::int64_t parts() const { return (rows + rows_at_once - 1) / rows_at_once; }

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& /*shared*/) const {
    for (std::int64_t item = block.index(); item < cols * parts(); item += block.count()) {
      std::int64_t const col = item / parts();
      std::int64_t const begin = item % parts() * rows_at_once;
      std::int64_t end = begin + rows_at_once < rows ? begin + rows_at_once : rows;
      if (part == scaled_part::upper_triangle && col + 1 < end) end = col + 1;
      T* const column = matrix + col * rows;
      for (std::int64_t i = begin + block.thread_rank(); i < end; i += block.num_threads())
        column[i] = power.times(column[i]);
    }
  }
};

template <class T>
struct take_r_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;

  T const* matrices;
  std::int64_t rows;
  std::int64_t rows_of_r;
  /// Number of columns of all matrices together.
  std::int64_t cols_of_all;
  std::int64_t cols;
  T* to;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& /*shared*/) const {
    for (std::int64_t col = block.index(); col < cols_of_all; col += block.count()) {
      for (std::int64_t i = block.thread_rank(); i < rows_of_r; i += block.num_threads())
        to[col * rows_of_r + i] = i <= col % cols ? matrices[col * rows + i] : T{0};
    }
  }
};

template <class T>
struct clear_below_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;

  T* matrix;
  std::int64_t n;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& /*shared*/) const {
    for (std::int64_t j = block.index(); j < n; j += block.count()) {
      for (std::int64_t i = j + 1 + block.thread_rank(); i < n; i += block.num_threads())
        matrix[j * n + i] = 0;
    }
  }
};

}  // namespace

template <class T>
void scale_matrix(device& machine, T* matrix, std::int64_t rows, std::int64_t cols, int exponent,
                  scaled_part part) {
  int const processors = machine.properties().multiprocessors;
  launch_shape const shape =
      machine.is_host() ? launch_shape{processors, 1} : launch_shape{8 * processors, 256};
  machine.launch(shape, scale_kernel<T>{matrix, rows, cols, power_of_two<T>::of(exponent), part});
}

template void scale_matrix<float>(device&, float*, std::int64_t, std::int64_t, int, scaled_part);
template void scale_matrix<double>(device&, double*, std::int64_t, std::int64_t, int, scaled_part);

template <class T>
void take_r(device& machine, T const* matrices, std::int64_t rows, std::int64_t cols,
            std::int64_t batch, T* to) {
  int const processors = machine.properties().multiprocessors;
  launch_shape const shape =
      machine.is_host() ? launch_shape{processors, 1} : launch_shape{4 * processors, 256};
  machine.launch(shape,
                 take_r_kernel<T>{matrices, rows, std::min(rows, cols), batch * cols, cols, to});
}

template void take_r<float>(device&, float const*, std::int64_t, std::int64_t, std::int64_t,
                            float*);
template void take_r<double>(device&, double const*, std::int64_t, std::int64_t, std::int64_t,
                             double*);

template <class T>
void clear_below(device& machine, T* matrix, std::int64_t n) {
  machine.launch({machine.properties().multiprocessors, machine.is_host() ? 1 : 128},
                 clear_below_kernel<T>{matrix, n});
}

template void clear_below<float>(device&, float*, std::int64_t);
template void clear_below<double>(device&, double*, std::int64_t);

}  // namespace gridloom::tiled_qr
