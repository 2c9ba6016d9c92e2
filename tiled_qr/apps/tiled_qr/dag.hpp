#pragma once
// The tasks of a small grid and what they depend on, as tables for the figure that draws them.

#include <vector>

#include "gridloom/bench/result_table.hpp"
#include "tiled_qr/tile.hpp"

namespace gridloom::tiled_qr {

/// The tables dag_tasks and dag_edges. Throws usage_error for more tasks than a figure can show.
std::vector<result_table> dag_tables(tiling const& cut);

}  // namespace gridloom::tiled_qr
