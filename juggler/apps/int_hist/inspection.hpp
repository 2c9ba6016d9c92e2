#pragma once
// The inspection loop of integral histograms, and the serial version.

#include <cstdint>
#include <vector>

#include "apps/grid/image.hpp"
#include "apps/int_hist/app.hpp"
#include "juggler/inspection.hpp"

namespace gridloom::juggler::int_hist {

/// Adds one task per tile, which waits for the tiles above it and to its left. The arrays in `of`
/// are only addresses and are not read.
[[nodiscard]] inline inspected<tile_place> inspect_int_hist(
    app const& of, range_matching matching = range_matching::overlapping) {
  tiling const cut = of.cut;
  auto const tasks = static_cast<std::size_t>(cut.tiles());
  return inspect<tile_place>(tasks, 2 * tasks, matching, [&](app_context<tile_place>& context) {
    auto const counts =
        context.declare_tiles(of.counts, of.bins * cut.tile_cells(), cut.tiles(), "counts");
    auto const row_counts = context.declare_tiles(of.row_counts, std::int64_t{of.bins} * cut.tile,
                                                  cut.tiles(), "row_counts");
    tile_numbers const number(cut);
    for (std::int32_t i = 0; i < number.rows; ++i) {
      for (std::int32_t j = 0; j < number.cols; ++j) {
        task_id const task = context.add_task(0, {i, j});
        if (i > 0) context.process_in_dep(task, counts, number(i - 1, j));
        if (j > 0) context.process_in_dep(task, row_counts, number(i, j - 1));
        context.process_out_dep(task, counts, number(i, j));
        context.process_out_dep(task, row_counts, number(i, j));
      }
    }
  });
}

/// The counts of one bin, row by row, without tiles.
[[nodiscard]] inline std::vector<std::uint32_t> count_bin(grey_image const& image, int bins,
                                                          int bin) {
  auto const cols = static_cast<std::size_t>(image.cols);
  std::vector<std::uint32_t> counts(image.pixels.size());
  std::uint32_t row_count = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (k % cols == 0) row_count = 0;
    if (image.pixels[k] * bins / 256 == bin) ++row_count;
    counts[k] = row_count + (k < cols ? 0 : counts[k - cols]);
  }
  return counts;
}

}  // namespace gridloom::juggler::int_hist
