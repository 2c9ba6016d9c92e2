#pragma once
// The inspection loop of integral histograms, and the serial version.

#include <cstdint>
#include <vector>

#include "apps/grid/image.hpp"
#include "apps/int_hist/app.hpp"
#include "apps/sat/inspection.hpp"
#include "juggler/inspection.hpp"

namespace gridloom::juggler::int_hist {

/// Adds the tasks of a summed area table for each bin, all bins of a tile in one task. The arrays in
/// `of` are only addresses and are not read.
[[nodiscard]] inline inspected<tile_place> inspect_int_hist(
    app const& of, range_matching matching = range_matching::overlapping) {
  return sat::inspect_sat(of.cut, of.counts, of.row_counts, matching, of.bins);
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
