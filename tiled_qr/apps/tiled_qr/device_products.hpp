#pragma once
// The steps of CholeskyQR in the memory of whatever machine the program runs on.

#include <memory>

#include "check/tall_products.hpp"
#include "gridloom/device.hpp"

namespace gridloom::tiled_qr {

/// Who makes the products. Kernels of our own get an enumerator and a maker here, and an entry in
/// arms.cpp; nothing else changes.
enum class product_maker {
  /// cuBLAS and cuSOLVER on a device, OpenBLAS on the host.
  library
};

/// Throws unsupported where a size is more than a library takes.
template <class T>
std::unique_ptr<tall_products<T>> make_products(device& machine, product_maker who,
                                                std::int64_t rows, std::int64_t cols);

/// Zeros below the diagonal of an n × n matrix on the device.
template <class T>
void clear_below(device& machine, T* matrix, std::int64_t n);

}  // namespace gridloom::tiled_qr
