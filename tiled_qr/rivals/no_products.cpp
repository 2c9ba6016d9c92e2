// make_library_products for builds without CUDA: the machine is the host.
#include "rivals/device_products.hpp"

namespace gridloom::tiled_qr {

template <class T>
std::unique_ptr<tall_products<T>> make_library_products(device& /*machine*/, std::int64_t rows,
                                                        std::int64_t cols) {
  return make_host_products<T>(rows, cols);
}

template std::unique_ptr<tall_products<float>> make_library_products(device&, std::int64_t,
                                                                     std::int64_t);
template std::unique_ptr<tall_products<double>> make_library_products(device&, std::int64_t,
                                                                      std::int64_t);

}  // namespace gridloom::tiled_qr
