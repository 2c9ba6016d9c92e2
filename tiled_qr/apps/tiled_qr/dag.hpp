#pragma once
// The tasks of a small grid and their dependences, as tables for a figure.

#include <vector>

#include "gridloom/bench/result_table.hpp"
#include "tiled_qr/tile.hpp"

namespace gridloom::tiled_qr {

/// Returns the tables dag_tasks and dag_edges. Throws usage_error for more tasks than a figure can
/// show.
std::vector<result_table> dag_tables(tiling const& cut);

}  // namespace gridloom::tiled_qr
