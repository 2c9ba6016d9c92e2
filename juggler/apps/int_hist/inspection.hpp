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
  tile_begins const begin(cut, of.bins * cut.tile_cells());
  tile_begins const row_begin(cut, std::int64_t{of.bins} * cut.tile);
  return inspect<tile_place>(tasks, 2 * tasks, matching, [&](app_context<tile_place>& context) {
    context.declare_array(of.counts, cut.tiles() * begin.length, "counts");
    context.declare_array(of.row_counts, cut.tiles() * row_begin.length, "row_counts");
    for (std::int32_t i = 0; i < begin.rows; ++i) {
      for (std::int32_t j = 0; j < begin.cols; ++j) {
        task_id const task = context.add_task(0, {i, j});
        if (i > 0) context.process_in_dep(task, of.counts, begin(i - 1, j), begin.length);
        if (j > 0)
          context.process_in_dep(task, of.row_counts, row_begin(i, j - 1), row_begin.length);
        context.process_out_dep(task, of.counts, begin(i, j), begin.length);
        context.process_out_dep(task, of.row_counts, row_begin(i, j), row_begin.length);
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
