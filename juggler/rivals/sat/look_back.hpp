#pragma once
// A rival without tasks. In one launch each block draws the next tile, and looks back along the
// tiles to its left and above it for their sums. It is the one-pass summed area table with flags of
// Emoto et al. (2017), with the look-back of Merrill and Garland's scan (2016). If a tile's sums
// from the image's border are not ready, a block takes that tile's own sums and looks one tile
// further back.

#include <memory>

#include "apps/sat/app.hpp"
#include "juggler/executor.hpp"

namespace gridloom::juggler::sat {

inline constexpr int largest_look_back_tile = 128;

/// Pixels and sums, tile after tile.
struct table_ref {
  std::uint32_t const* pixels;
  std::uint32_t* sums;
  tiling cut;
};

/// A run computes the whole table. Throws unsupported if a tile exceeds a block's shared memory.
[[nodiscard]] std::unique_ptr<executor> make_look_back(device& machine,
                                                       execution_settings const& settings,
                                                       table_ref const& table);

}  // namespace gridloom::juggler::sat
