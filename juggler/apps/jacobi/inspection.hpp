#pragma once
// The inspection loop of Jacobi iteration, and the serial version.

#include <vector>

#include "apps/jacobi/app.hpp"
#include "juggler/inspection.hpp"

namespace gridloom::juggler::jacobi {

/// Adds two tasks per tile and step. The arrays are only addresses and are not read.
[[nodiscard]] inline inspected<tile_place> inspect_jacobi(
    tiling cut, int steps, double const* u, double const* next,
    range_matching matching = range_matching::overlapping) {
  auto const tasks = static_cast<std::size_t>(2 * cut.tiles() * steps);
  return inspect<tile_place>(tasks, 6 * tasks, matching, [&](app_context<tile_place>& context) {
    auto const before = context.declare_tiles(u, cut.tile_cells(), cut.tiles(), "u");
    auto const after = context.declare_tiles(next, cut.tile_cells(), cut.tiles(), "next");
    tile_numbers const number(cut);
    auto const for_each_tile = [&](kernel_type type, auto const& says) {
      for (std::int32_t i = 0; i < number.rows; ++i) {
        for (std::int32_t j = 0; j < number.cols; ++j) says(context.add_task(type, {i, j}), i, j);
      }
    };
    for (int step = 0; step < steps; ++step) {
      for_each_tile(type_copy, [&](task_id task, std::int32_t i, std::int32_t j) {
        context.process_in_dep(task, after, number(i, j));
        context.process_out_dep(task, before, number(i, j));
      });
      for_each_tile(type_compute, [&](task_id task, std::int32_t i, std::int32_t j) {
        auto const reads = [&](std::int64_t row, std::int64_t col) {
          if (number.has(row, col)) context.process_in_dep(task, before, number(row, col));
        };
        reads(i, j);
        reads(i - 1, j);
        reads(i, j - 1);
        reads(i, j + 1);
        reads(i + 1, j);
        context.process_out_dep(task, after, number(i, j));
      });
    }
  });
}

/// Computes `steps` steps of a field stored by rows, without tiles.
inline void iterate(std::int64_t rows, std::int64_t cols, int steps, std::vector<double>& field) {
  auto const n = static_cast<std::size_t>(cols);
  for (int step = 0; step < steps; ++step) {
    std::vector<double> const u = field;
    for (std::size_t r = 1; r + 1 < static_cast<std::size_t>(rows); ++r) {
      for (std::size_t k = r * n + 1; k + 1 < (r + 1) * n; ++k)
        field[k] = mean_of(u[k - n], u[k - 1], u[k + 1], u[k + n]);
    }
  }
}

}  // namespace gridloom::juggler::jacobi
