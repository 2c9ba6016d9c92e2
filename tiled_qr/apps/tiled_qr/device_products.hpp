#pragma once
// The steps of CholeskyQR in the memory of whatever machine the program runs on.

#include <memory>

#include "check/tall_products.hpp"
#include "gridloom/device.hpp"

namespace gridloom::tiled_qr {

/// Who makes the products.
enum class product_maker {
  /// cuBLAS and cuSOLVER on a device, OpenBLAS on the host.
  library,
  /// Kernels of our own what is as tall as the matrix, the library what is small.
  own
};

/// `blocks`: of kernels of our own, 0 as many as run at once. Throws unsupported where a size is more
/// than the maker takes.
template <class T>
std::unique_ptr<tall_products<T>> make_products(device& machine, product_maker who,
                                                std::int64_t rows, std::int64_t cols,
                                                int blocks = 0);

/// The library's.
template <class T>
std::unique_ptr<tall_products<T>> make_library_products(device& machine, std::int64_t rows,
                                                        std::int64_t cols);

/// Zeros below the diagonal of an n × n matrix on the device.
template <class T>
void clear_below(device& machine, T* matrix, std::int64_t n);

}  // namespace gridloom::tiled_qr
