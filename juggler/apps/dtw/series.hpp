#pragma once
// Series and the serial version of dynamic time warping.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "apps/dtw/cells.hpp"
#include "apps/strips/tile_grid.hpp"

namespace gridloom::juggler::dtw {

/// Makes a random walk. Unlike independent random numbers, it has shapes that can be matched.
[[nodiscard]] std::vector<double> make_series(std::int64_t length, std::uint64_t seed);

/// Reads series `number`, from 1 on, of a text file in the form of the UCR archive. Each line has
/// one series, with its class first. Commas, tabs or spaces separate numbers. Several blanks
/// separate like one, but an empty field beside a comma is refused. NaN at the end of a line is
/// padding and is left out. Throws usage_error naming file and line.
[[nodiscard]] std::vector<double> read_series(std::string const& file, std::int64_t number);

/// Costs outside the matrix: infinite, because no match begins there, except before both series.
template <class Real>
[[nodiscard]] strips::borders<side<Real>> outside(std::size_t rows, std::size_t cols) {
  side<Real> const none{std::numeric_limits<Real>::infinity()};
  return {std::vector(cols, none), std::vector(rows, none), {Real{0}}};
}

/// Calls visit(i, j, cost) for each pair of elements, row by row, from these costs on.
template <class Real, class Visit>
void warp(std::span<Real const> x, std::span<Real const> y, strips::borders<side<Real>> from,
          Visit const& visit) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    Real diagonal = i == 0 ? from.corner.cost : from.left[i - 1].cost;
    Real left = from.left[i].cost;
    for (std::size_t j = 0; j < y.size(); ++j) {
      Real& above = from.above[j].cost;
      Real const least = std::min({above, left, diagonal});
      diagonal = above;
      above = left = std::abs(x[i] - y[j]) + least;
      visit(i, j, left);
    }
  }
}
template <class Real, class Visit>
void warp(std::span<Real const> x, std::span<Real const> y, Visit const& visit) {
  warp(x, y, outside<Real>(x.size(), y.size()), visit);
}

}  // namespace gridloom::juggler::dtw
