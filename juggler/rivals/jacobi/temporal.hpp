#pragma once
// A rival without tasks. In one launch each block keeps its tile in shared memory over all steps,
// and exchanges the tile's border with its neighbours after each step. The device must hold one
// block per tile at once. It is PERKS (Zhang et al., 2023) for a field that fits on the chip.

#include <memory>

#include "apps/jacobi/app.hpp"
#include "juggler/executor.hpp"

namespace gridloom::juggler::jacobi {

/// Two tiles of this size, with the cells around them, fill an H200's shared memory.
inline constexpr int largest_kept_tile = 112;

/// A field, tile by tile, and the number of steps.
struct field_ref {
  double* cells;
  tiling cut;
  int steps;
};

/// Makes an executor; a run computes all steps. Throws unsupported if a tile exceeds a block's
/// shared memory, or if there are more tiles than resident blocks.
[[nodiscard]] std::unique_ptr<executor> make_temporal(device& machine,
                                                      execution_settings const& settings,
                                                      field_ref const& field);

}  // namespace gridloom::juggler::jacobi
