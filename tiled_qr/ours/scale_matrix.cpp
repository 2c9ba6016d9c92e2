#include "ours/scale_matrix.hpp"

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

}  // namespace gridloom::tiled_qr
