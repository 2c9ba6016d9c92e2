#pragma once
// Registers, shared memory and occupancy of each operation on tiles, as a table for the results.

#include "gridloom/bench/result_table.hpp"
#include "gridloom/device.hpp"

namespace gridloom::tiled_qr {

/// The table `operations`: a row a precision and kernel. Throws usage_error on a host, which has none.
result_table operation_table(device& machine, int tile, int threads);

}  // namespace gridloom::tiled_qr
