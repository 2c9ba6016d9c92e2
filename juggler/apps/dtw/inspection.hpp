#pragma once
// The inspection loop of dynamic time warping, its inputs, and the serial version.

#include <cstdint>
#include <vector>

#include "apps/dtw/app.hpp"
#include "juggler/inspection.hpp"

namespace gridloom::juggler::dtw {

/// A tile a task. `costs` is a name for the matrix's storage and is not read.
[[nodiscard]] inspected<task_data> inspect_dtw(blocking const& cut, double const* costs);

/// A random walk, which has something to match.
[[nodiscard]] std::vector<double> make_series(std::int64_t length, std::uint64_t seed);

/// The matrix row by row, without tiles.
[[nodiscard]] std::vector<double> warp(std::vector<double> const& x, std::vector<double> const& y);

}  // namespace gridloom::juggler::dtw
