#pragma once
// The inspection loop of LU decomposition (Listing 5).

#include <cstdint>

#include "apps/grid/tiling.hpp"
#include "apps/lud/app.hpp"
#include "juggler/inspection.hpp"

namespace gridloom::juggler::lud {

/// The number of tasks for p tiles in a row: p (p + 1) (2p + 1) / 6. Table 1 has 1240 for p = 15.
[[nodiscard]] inline std::uint64_t count_tasks(std::int64_t tiles) {
  auto const p = static_cast<std::uint64_t>(tiles);
  return p * (p + 1) * (2 * p + 1) / 6;
}

constexpr std::int64_t no_tile = -1;

/// `a` is only an address and is not read.
[[nodiscard]] inline inspected<task_data> inspect_lud(
    tiling const& cut, double const* a, range_matching matching = range_matching::overlapping) {
  std::int64_t const p = cut.tile_rows();
  std::uint64_t const tasks = count_tasks(p);
  return inspect<task_data>(tasks, 3 * tasks, matching, [&](app_context<task_data>& context) {
    auto const tiles = context.declare_tiles(a, cut.tile_cells(), cut.tiles(), "a");
    auto const begin = [&](std::int64_t tile) {
      return static_cast<std::uint64_t>(tile == no_tile ? 0 : tile * cut.tile_cells());
    };
    // Adds a task that changes the tile of number `own` and reads the others.
    auto const add = [&](kernel_type type, std::int64_t own, std::int64_t left = no_tile,
                         std::int64_t right = no_tile) {
      task_id const task = context.add_task(type, {begin(own), begin(left), begin(right)});
      if (left != no_tile) context.process_in_dep(task, tiles, left);
      if (right != no_tile) context.process_in_dep(task, tiles, right);
      context.process_inout_dep(task, tiles, own);
    };
    auto const number = [p](std::int64_t i, std::int64_t j) { return i * p + j; };
    for (std::int64_t k = 0; k < p; ++k) {
      std::int64_t const diagonal = number(k, k);
      add(type_lu0, diagonal);
      for (std::int64_t j = k + 1; j < p; ++j) add(type_fwd, number(k, j), diagonal);
      for (std::int64_t i = k + 1; i < p; ++i) add(type_bdiv, number(i, k), diagonal);
      for (std::int64_t i = k + 1; i < p; ++i) {
        for (std::int64_t j = k + 1; j < p; ++j)
          add(type_bmod, number(i, j), number(i, k), number(k, j));
      }
    }
  });
}

}  // namespace gridloom::juggler::lud
