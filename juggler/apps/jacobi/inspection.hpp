#pragma once
// The inspection loop of Jacobi iteration, and the serial version.

#include <vector>

#include "apps/jacobi/app.hpp"
#include "juggler/inspection.hpp"

namespace gridloom::juggler::jacobi {

/// Adds two tasks per tile and step. The arrays are only addresses and are not read.
[[nodiscard]] inspected<tile_place> inspect_jacobi(tiling cut, int steps, double const* u,
                                                   double const* next);

/// Computes `steps` steps of a field stored by rows, without tiles.
void iterate(std::int64_t rows, int steps, std::vector<double>& field);

}  // namespace gridloom::juggler::jacobi
