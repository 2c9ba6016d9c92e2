#pragma once
// Multiplies a matrix in device memory by a power of two.

#include <cstdint>

#include "gridloom/device.hpp"

namespace gridloom::tiled_qr {

enum class scaled_part { all, upper_triangle };

/// A, column-major without gaps, becomes A · 2^exponent. Returns when it is launched.
template <class T>
void scale_matrix(device& machine, T* matrix, std::int64_t rows, std::int64_t cols, int exponent,
                  scaled_part part);

}  // namespace gridloom::tiled_qr
