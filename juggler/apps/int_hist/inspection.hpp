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
[[nodiscard]] inspected<tile_place> inspect_int_hist(app const& of);

/// The pixels tile after tile, with 0 outside the image.
[[nodiscard]] std::vector<std::uint8_t> to_tiles(tiling const& cut, grey_image const& image);

/// The counts of one bin, row by row, without tiles.
[[nodiscard]] std::vector<std::uint32_t> count_bin(grey_image const& image, int bins, int bin);

}  // namespace gridloom::juggler::int_hist
