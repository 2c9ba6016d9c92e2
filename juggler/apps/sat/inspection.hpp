#pragma once
// The inspection loop of summed area tables, their inputs, and the serial version.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "apps/grid/image.hpp"
#include "apps/sat/app.hpp"
#include "gridloom/error.hpp"
#include "juggler/inspection.hpp"

namespace gridloom::juggler::sat {

namespace detail {

inline constexpr std::uint64_t largest_sum = std::numeric_limits<std::uint32_t>::max();

}  // namespace detail

/// Adds one task per tile, which waits for the tiles above it and to its left. The arrays are only
/// addresses and are not read. Each cell and each row of a tile has `numbers` sums.
[[nodiscard]] inline inspected<tile_place> inspect_sat(
    tiling cut, std::uint32_t const* sums, std::uint32_t const* row_sums,
    range_matching matching = range_matching::overlapping, std::int64_t numbers = 1) {
  auto const tasks = static_cast<std::size_t>(cut.tiles());
  return inspect<tile_place>(tasks, 2 * tasks, matching, [&](app_context<tile_place>& context) {
    auto const all_sums =
        context.declare_tiles(sums, numbers * cut.tile_cells(), cut.tiles(), "sums");
    auto const all_row_sums =
        context.declare_tiles(row_sums, numbers * cut.tile, cut.tiles(), "row_sums");
    tile_numbers const number(cut);
    for (std::int32_t i = 0; i < number.rows; ++i) {
      for (std::int32_t j = 0; j < number.cols; ++j) {
        task_id const task = context.add_task(0, {i, j});
        if (i > 0) context.process_in_dep(task, all_sums, number(i - 1, j));
        if (j > 0) context.process_in_dep(task, all_row_sums, number(i, j - 1));
        context.process_out_dep(task, all_sums, number(i, j));
        context.process_out_dep(task, all_row_sums, number(i, j));
      }
    }
  });
}

/// The brightest pixel of a generated image: 255, or less if sums would exceed 32 bits.
[[nodiscard]] inline int brightest(std::int64_t rows, std::int64_t cols) {
  return static_cast<int>(
      std::min<std::uint64_t>(255, detail::largest_sum / static_cast<std::uint64_t>(rows * cols)));
}

/// Throws usage_error if the sum of all pixels is 2^32 or more; the message uses `name`.
inline void require_fit(grey_image const& image, std::string const& name) {
  std::uint64_t const sum =
      std::accumulate(image.pixels.begin(), image.pixels.end(), std::uint64_t{0});
  if (sum > detail::largest_sum)
    throw usage_error(name + ": its pixels sum up to " + std::to_string(sum) +
                      ", sums of sat have 32 bits");
}

/// The table, row by row, without tiles.
[[nodiscard]] inline std::vector<std::uint32_t> sum_up(grey_image const& image) {
  auto const cols = static_cast<std::size_t>(image.cols);
  std::vector<std::uint32_t> sums(image.pixels.size());
  std::uint32_t row_sum = 0;
  for (std::size_t k = 0; k < sums.size(); ++k) {
    row_sum = k % cols == 0 ? image.pixels[k] : row_sum + image.pixels[k];
    sums[k] = row_sum + (k < cols ? 0 : sums[k - cols]);
  }
  return sums;
}

}  // namespace gridloom::juggler::sat
