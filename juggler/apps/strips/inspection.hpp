#pragma once
// The inspection loop for tiles that need the tiles above, to the left, and above left.

#include <cstdint>

#include "apps/strips/tile_grid.hpp"
#include "juggler/inspection.hpp"

namespace gridloom::juggler::strips {

/// Adds one task per tile. `bottoms` and `rights` are the addresses of the last rows and columns
/// (see tile_grid), and are not read.
template <class Side>
[[nodiscard]] inspected<tile_place> inspect_tiles(tile_grid const& grid, Side const* bottoms,
                                                  Side const* rights) {
  std::int64_t const down = grid.down();
  std::int64_t const across = grid.across();
  auto const tasks = static_cast<std::size_t>(down * across);
  return inspect<tile_place>(tasks, 3 * tasks, [&](app_context<tile_place>& context) {
    context.declare_array(bottoms, grid.bottoms(), "last rows");
    context.declare_array(rights, grid.rights(), "last columns");
    for (std::int64_t i = 0; i < down; ++i) {
      for (std::int64_t j = 0; j < across; ++j) {
        task_id const task =
            context.add_task(0, {static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)});
        // The corner is the last element of the last row of the tile above left.
        if (i > 0 && j > 0) context.process_in_dep(task, bottoms, grid.bottom(i - 1, j) - 1, 1);
        if (i > 0) context.process_in_dep(task, bottoms, grid.bottom(i - 1, j), grid.tile);
        if (j > 0) context.process_in_dep(task, rights, grid.right(i, j - 1), grid.tile);
        context.process_out_dep(task, bottoms, grid.bottom(i, j), grid.tile);
        context.process_out_dep(task, rights, grid.right(i, j), grid.tile);
      }
    }
  });
}

}  // namespace gridloom::juggler::strips
