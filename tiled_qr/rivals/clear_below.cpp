#include "gridloom/group.hpp"
#include "rivals/device_products.hpp"

namespace gridloom::tiled_qr {

namespace {

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
void clear_below(device& machine, T* matrix, std::int64_t n) {
  machine.launch({machine.properties().multiprocessors, machine.is_host() ? 1 : 128},
                 clear_below_kernel<T>{matrix, n});
}

template void clear_below<float>(device&, float*, std::int64_t);
template void clear_below<double>(device&, double*, std::int64_t);

}  // namespace gridloom::tiled_qr
