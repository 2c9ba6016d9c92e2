#pragma once
// The inspection loop of the heat simulation, and the serial version.

#include <vector>

#include "apps/heat/app.hpp"
#include "juggler/inspection.hpp"

namespace gridloom::juggler::heat {

/// Adds one task per tile and time step. `u` is only an address and is not read.
[[nodiscard]] inspected<tile_place> inspect_heat(tiling cut, int steps, double const* u);

/// Computes `steps` steps of a field stored by rows, without tiles.
void simulate(std::int64_t rows, int steps, std::vector<double>& u);

}  // namespace gridloom::juggler::heat
