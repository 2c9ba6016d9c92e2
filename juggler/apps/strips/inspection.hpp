#pragma once
// The inspection loop for tiles that need the tiles above, to the left, and above left.

#include <cstdint>

#include "apps/strips/tile_grid.hpp"
#include "juggler/inspection.hpp"

namespace gridloom::juggler::strips {

/// Adds one task per tile. `bottoms` and `rights` are the addresses of the last rows and columns
/// (see tile_grid), and are not read.
template <class Side>
[[nodiscard]] inspected<tile_place> inspect_tiles(
    tile_grid const& grid, Side const* bottoms, Side const* rights,
    range_matching matching = range_matching::overlapping) {
  std::int64_t const down = grid.down();
  std::int64_t const across = grid.across();
  auto const tasks = static_cast<std::size_t>(down * across);
  return inspect<tile_place>(tasks, 3 * tasks, matching, [&](app_context<tile_place>& context) {
    auto const rows = context.declare_tiles(bottoms, grid.tile, down * across, "last rows");
    auto const cols = context.declare_tiles(rights, grid.tile, down * across, "last columns");
    // In the order of grid.bottom() and grid.right().
    std::int64_t row = 0;
    for (std::int64_t i = 0; i < down; ++i) {
      std::int64_t col = i;
      for (std::int64_t j = 0; j < across; ++j, ++row, col += down) {
        task_id const task =
            context.add_task(0, {static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)});
        // The corner is the last element of a row, which is named as a whole: the paper's rule sees
        // equal ranges only.
        if (i > 0 && j > 0) context.process_in_dep(task, rows, row - across - 1);
        if (i > 0) context.process_in_dep(task, rows, row - across);
        if (j > 0) context.process_in_dep(task, cols, col - down);
        context.process_out_dep(task, rows, row);
        context.process_out_dep(task, cols, col);
      }
    }
  });
}

}  // namespace gridloom::juggler::strips
