#pragma once
// Kernels on whole matrices in device memory: scaling by a power of two, copying R without the
// reflectors below it, and clearing what is below the diagonal.

#include <cstdint>

#include "gridloom/device.hpp"

namespace gridloom::tiled_qr {

enum class scaled_part { all, upper_triangle };

/// A, column-major without gaps, becomes A · 2^exponent. Returns when it is launched.
template <class T>
void scale_matrix(device& machine, T* matrix, std::int64_t rows, std::int64_t cols, int exponent,
                  scaled_part part);

/// Copies R of each matrix of a batch. The matrices, rows × cols, follow each other. `to` has room
/// for min(rows, cols) × cols numbers per matrix, and gets zeros below the diagonals. All matrices
/// are without gaps. Queued in the device's stream.
template <class T>
void take_r(device& machine, T const* matrices, std::int64_t rows, std::int64_t cols,
            std::int64_t batch, T* to);

/// Writes zeros below the diagonal of an n × n matrix on the device.
template <class T>
void clear_below(device& machine, T* matrix, std::int64_t n);

}  // namespace gridloom::tiled_qr
