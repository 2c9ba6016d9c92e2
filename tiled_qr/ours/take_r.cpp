#include "ours/take_r.hpp"

#include <algorithm>

#include "gridloom/group.hpp"

namespace gridloom::tiled_qr {

namespace {

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

}  // namespace

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

}  // namespace gridloom::tiled_qr
