#pragma once
// Series and the serial version of dynamic time warping.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace gridloom::juggler::dtw {

/// Makes a random walk. Unlike independent random numbers, it has shapes that can be matched.
[[nodiscard]] std::vector<double> make_series(std::int64_t length, std::uint64_t seed);

/// Reads series `number`, from 1 on, of a text file in the form of the UCR archive. Each line has
/// one series, with its class first. Commas, tabs or spaces separate numbers. Several blanks
/// separate like one, but an empty field beside a comma is refused. NaN at the end of a line is
/// padding and is left out. Throws usage_error naming file and line.
[[nodiscard]] std::vector<double> read_series(std::string const& file, std::int64_t number);

/// Calls visit(i, j, cost) for each pair of elements, row by row.
template <class Real, class Visit>
void warp(std::span<Real const> x, std::span<Real const> y, Visit const& visit) {
  constexpr Real none = std::numeric_limits<Real>::infinity();
  std::vector<Real> above(y.size(), none);
  for (std::size_t i = 0; i < x.size(); ++i) {
    Real diagonal = i == 0 ? Real{0} : none;
    Real left = none;
    for (std::size_t j = 0; j < y.size(); ++j) {
      Real const least = std::min({above[j], left, diagonal});
      diagonal = above[j];
      above[j] = left = std::abs(x[i] - y[j]) + least;
      visit(i, j, left);
    }
  }
}

}  // namespace gridloom::juggler::dtw
