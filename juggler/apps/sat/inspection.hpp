#pragma once
// The inspection loop of summed area tables, their inputs, and the serial version.

#include <cstdint>
#include <string>
#include <vector>

#include "apps/grid/image.hpp"
#include "apps/sat/app.hpp"
#include "juggler/inspection.hpp"

namespace gridloom::juggler::sat {

/// Adds one task per tile, which waits for the tiles above it and to its left. The arrays are only
/// addresses and are not read.
[[nodiscard]] inspected<tile_place> inspect_sat(tiling cut, std::uint32_t const* sums,
                                                std::uint32_t const* row_sums);

/// The brightest pixel of a generated image: 255, or less if sums would exceed 32 bits.
[[nodiscard]] int brightest(std::int64_t rows, std::int64_t cols);

/// Throws usage_error if the sum of all pixels is 2^32 or more; the message uses `name`.
void require_fit(grey_image const& image, std::string const& name);

/// The pixels tile after tile, with 0 outside the image.
[[nodiscard]] std::vector<std::uint32_t> to_tiles(tiling const& cut, grey_image const& image);

/// The table, row by row, without tiles.
[[nodiscard]] std::vector<std::uint32_t> sum_up(grey_image const& image);

}  // namespace gridloom::juggler::sat
