#pragma once
// Makes the steps of CholeskyQR for the program's machine.

#include <memory>

#include "gridloom/device.hpp"
#include "rivals/tall_products.hpp"

namespace gridloom::tiled_qr {

/// Which code computes the products of CholeskyQR2.
enum class product_maker {
  /// cuBLAS and cuSOLVER on a device, OpenBLAS on the host.
  library,
  /// Our kernels for products as tall as the matrix, the library for the small ones.
  own
};

/// `blocks` applies to our kernels; 0 means as many as run at once. Throws unsupported if a size is
/// too large.
template <class T>
std::unique_ptr<tall_products<T>> make_products(device& machine, product_maker who,
                                                std::int64_t rows, std::int64_t cols,
                                                int blocks = 0);

template <class T>
std::unique_ptr<tall_products<T>> make_library_products(device& machine, std::int64_t rows,
                                                        std::int64_t cols);

}  // namespace gridloom::tiled_qr
