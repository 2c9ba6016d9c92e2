#pragma once
// Tables beside the runs: the tasks of a grid and their dependences, for traces and for a figure.
// Another has the registers, shared memory and occupancy of each operation on tiles.

#include <vector>

#include "gridloom/bench/result_table.hpp"
#include "gridloom/bench/trace_log.hpp"
#include "gridloom/device.hpp"
#include "tiled_qr/tile.hpp"

namespace gridloom::tiled_qr {

/// Returns the graph with the numbers of number_of(), for at most 2³² tasks.
bench::traced_graph graph_of(tiling const& cut);

/// Returns the tables dag_tasks and dag_edges. Throws usage_error for more tasks than a figure can
/// show.
std::vector<result_table> dag_tables(tiling const& cut);

/// Returns the table `operations`, with one row per precision and kernel. Throws usage_error on a
/// host, whose kernels have no registers to show.
result_table operation_table(device& machine, int tile, int threads);

}  // namespace gridloom::tiled_qr
