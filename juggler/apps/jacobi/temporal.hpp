#pragma once
// A rival that is no task runtime: one launch in which each block keeps its tile in shared memory over
// all steps, and trades the tile's border with its neighbours after each. It takes fields that the
// blocks of a device hold at once. (PERKS of Zhang et al., 2023, for a field on chip.)

#include <memory>

#include "apps/jacobi/app.hpp"
#include "juggler/executor.hpp"

namespace gridloom::juggler::jacobi {

/// Two of them, with the cells around, are what an H200's multiprocessor has of shared memory.
inline constexpr int largest_kept_tile = 112;

/// A field, tile by tile, that is to take so many steps.
struct field_ref {
  double* cells;
  tiling cut;
  int steps;
};

/// A run takes all steps. Throws unsupported where a tile is larger than what a block keeps, or there
/// are more tiles than blocks at once.
[[nodiscard]] std::unique_ptr<executor> make_temporal(device& machine,
                                                      execution_settings const& settings,
                                                      field_ref const& field);

}  // namespace gridloom::juggler::jacobi
