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
    context.declare_array(bottoms, grid.bottoms(), "last rows");
    context.declare_array(rights, grid.rights(), "last columns");
    // grid.bottom() and grid.right() without their divisions.
    auto const bottom = [&](std::int64_t i, std::int64_t j) {
      return (i * across + j) * grid.tile;
    };
    auto const right = [&](std::int64_t i, std::int64_t j) { return (j * down + i) * grid.tile; };
    for (std::int64_t i = 0; i < down; ++i) {
      for (std::int64_t j = 0; j < across; ++j) {
        task_id const task =
            context.add_task(0, {static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)});
        // The corner is the last element of a row, which is named as a whole: the paper's rule sees
        // equal ranges only.
        if (i > 0 && j > 0) context.process_in_dep(task, bottoms, bottom(i - 1, j - 1), grid.tile);
        if (i > 0) context.process_in_dep(task, bottoms, bottom(i - 1, j), grid.tile);
        if (j > 0) context.process_in_dep(task, rights, right(i, j - 1), grid.tile);
        context.process_out_dep(task, bottoms, bottom(i, j), grid.tile);
        context.process_out_dep(task, rights, right(i, j), grid.tile);
      }
    }
  });
}

}  // namespace gridloom::juggler::strips
