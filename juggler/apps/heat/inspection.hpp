#pragma once
// The inspection loop of the heat simulation, and the serial version.

#include <vector>

#include "apps/heat/app.hpp"
#include "juggler/inspection.hpp"

namespace gridloom::juggler::heat {

/// Adds one task per tile and time step. `u` is only an address and is not read.
[[nodiscard]] inline inspected<tile_place> inspect_heat(
    tiling cut, int steps, double const* u, range_matching matching = range_matching::overlapping) {
  auto const tasks = static_cast<std::size_t>(cut.tiles() * steps);
  return inspect<tile_place>(tasks, 4 * tasks, matching, [&](app_context<tile_place>& context) {
    auto const field = context.declare_tiles(u, cut.tile_cells(), cut.tiles(), "u");
    tile_numbers const number(cut);
    for (int step = 0; step < steps; ++step) {
      for (std::int32_t i = 0; i < number.rows; ++i) {
        for (std::int32_t j = 0; j < number.cols; ++j) {
          task_id const task = context.add_task(0, {i, j});
          auto const reads = [&](std::int64_t row, std::int64_t col) {
            if (number.has(row, col)) context.process_in_dep(task, field, number(row, col));
          };
          reads(i - 1, j);
          reads(i, j - 1);
          reads(i, j + 1);
          reads(i + 1, j);
          context.process_inout_dep(task, field, number(i, j));
        }
      }
    }
  });
}

/// Computes `steps` steps of a field stored by rows, without tiles.
inline void simulate(std::int64_t rows, std::int64_t cols, int steps, std::vector<double>& u) {
  auto const n = static_cast<std::size_t>(cols);
  for (int step = 0; step < steps; ++step) {
    for (std::size_t r = 1; r + 1 < static_cast<std::size_t>(rows); ++r) {
      for (std::size_t k = r * n + 1; k + 1 < (r + 1) * n; ++k)
        u[k] = mean_of(u[k - n], u[k - 1], u[k + 1], u[k + n]);
    }
  }
}

}  // namespace gridloom::juggler::heat
