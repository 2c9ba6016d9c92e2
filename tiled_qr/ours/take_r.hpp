#pragma once
// Copies R without the reflectors below it.

#include <cstdint>

#include "gridloom/device.hpp"

namespace gridloom::tiled_qr {

/// Copies R of each matrix of a batch. The matrices, rows × cols, follow each other. `to` has room
/// for min(rows, cols) × cols numbers per matrix, and gets zeros below the diagonals. All matrices
/// are without gaps. Queued in the device's stream.
template <class T>
void take_r(device& machine, T const* matrices, std::int64_t rows, std::int64_t cols,
            std::int64_t batch, T* to);

}  // namespace gridloom::tiled_qr
