#pragma once
// Adaptive quadrature on [0, 1] by Simpson's rule. An interval is split while the rule changes too
// much between the whole interval and its halves.
//
// The functions use additions, multiplications, divisions and square roots only, and sources that
// include this header are compiled without contraction. So each machine gets the same values and
// splits the same intervals.

#include <cmath>
#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom::mhive::dynamic {

/// An interval of length 2^-depth, and the function at five points at equal distances.
struct interval {
  /// Number of the interval from the left · 64 + depth.
  std::uint64_t place;
  double at[5];
};

/// An integral. Copied to kernels by value.
struct quadrature {
  using node_type = interval;
  /// Intervals are not split any further at this depth, where points are still exact.
  static constexpr std::uint32_t max_depth = 50;
  /// Leaves add whole multiples of 1 / unit. Integrals are below 4, so that their sum fits 63 bits.
  static constexpr double unit = 0x1p60;

  /// The function has 2^(levels - 1) peaks; with 0 it is the square root, which is singular at 0.
  std::uint32_t levels = 0;
  /// An interval is accepted if its estimated error is at most `tolerance` times its length. So the
  /// estimated errors of all intervals add up to at most `tolerance`.
  double tolerance = 1e-9;

  static constexpr double peak_width = 1e-3;

  /// The integral's known value.
  [[nodiscard]] double exact() const {
    return levels == 0 ? 2.0 / 3 : 2 * std::atan(0.5 / peak_width);
  }

  GRIDLOOM_FN double function(double x) const {
    if (levels == 0) return std::sqrt(x);
    double const scaled = x * static_cast<double>(1U << (levels - 1));
    double const from_peak = scaled - static_cast<double>(static_cast<std::uint64_t>(scaled)) - 0.5;
    return peak_width / (from_peak * from_peak + peak_width * peak_width);
  }
  GRIDLOOM_FN interval root() const {
    interval made{};
    for (std::uint32_t i = 0; i < 5; ++i) made.at[i] = function(0.25 * i);
    return made;
  }
  GRIDLOOM_FN std::uint32_t children(interval const& of) const {
    std::uint32_t const level = depth(of);
    // Larger intervals are always split, because their points would miss all peaks.
    if (levels > 0 && level <= levels) return 2;
    double const change = halves(of) - whole(of);
    return (change < 0 ? -change : change) <= 15 * tolerance || level >= max_depth ? 0 : 2;
  }
  GRIDLOOM_FN interval child(interval const& of, std::uint32_t place) const {
    std::uint32_t const level = depth(of) + 1;
    std::uint64_t const number = 2 * (of.place / 64) + place;
    interval made{64 * number + level, {}};
    GRIDLOOM_UNROLL
    for (std::uint32_t i = 0; i < 5; ++i) {
      // Every second point is one of the parent's.
      made.at[i] = i % 2 == 0 ? (place == 0 ? of.at[i / 2] : of.at[2 + i / 2])
                              : function(static_cast<double>(4 * number + i) * length(level + 2));
    }
    return made;
  }
  GRIDLOOM_FN std::uint32_t depth(interval const& of) const {
    return static_cast<std::uint32_t>(of.place % 64);
  }
  /// The integral over the interval by the halves, with Richardson's correction.
  GRIDLOOM_FN std::int64_t value(interval const& leaf) const {
    double const mean = halves(leaf) + (halves(leaf) - whole(leaf)) / 15;
    return static_cast<std::int64_t>(mean * length(depth(leaf)) * unit);
  }

 private:
  // Simpson's rule for the mean of the function over the interval.
  GRIDLOOM_FN static double whole(interval const& of) {
    return (of.at[0] + 4 * of.at[2] + of.at[4]) / 6;
  }
  GRIDLOOM_FN static double halves(interval const& of) {
    return (of.at[0] + 4 * (of.at[1] + of.at[3]) + 2 * of.at[2] + of.at[4]) / 12;
  }
  // 2^-level.
  GRIDLOOM_FN static double length(std::uint32_t level) {
    return 1.0 / static_cast<double>(std::uint64_t{1} << level);
  }
};

}  // namespace gridloom::mhive::dynamic
