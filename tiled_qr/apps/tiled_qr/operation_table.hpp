#pragma once
// Registers, shared memory and occupancy of each operation on tiles, as a table for the results.

#include "gridloom/bench/result_table.hpp"
#include "gridloom/device.hpp"

namespace gridloom::tiled_qr {

/// Returns the table `operations`, with one row per precision and kernel. Throws usage_error on a
/// host, whose kernels have no registers to show.
result_table operation_table(device& machine, int tile, int threads);

}  // namespace gridloom::tiled_qr
