#pragma once
// Dynamic time warping, as walk.hpp goes over it: the cost of the best match of two series'
// beginnings, for all pairs of lengths (Sakoe and Chiba 1978).
//
//   D(i, j) = |x_i - y_j| + min(D(i - 1, j), D(i, j - 1), D(i - 1, j - 1))

#include <cmath>
#include <cstdint>

#include "apps/dtw/lesser.hpp"
#include "apps/strips/walk.hpp"

namespace gridloom::juggler::dtw {

/// What passes between elements: D.
template <class Real>
struct side {
  Real cost;

  template <warp_group Warp>
  [[nodiscard]] GRIDLOOM_FN side from(Warp const& warp, int lane) const {
    return {warp.shuffle(cost, lane)};
  }
  friend bool operator==(side const&, side const&) = default;
};

/// Real is float or double. Series are finite.
template <class Real, int Columns>
struct cells {
  static constexpr int columns = Columns;
  /// Warps that have a strip of a tile.
  static constexpr int most_warps = strips::largest_tile / (strips::most_lanes * Columns);
  using side = dtw::side<Real>;
  struct shared {};
  struct lane {
    Real y[Columns];
    Real cost[Columns];
    Real corner;
  };

  /// Where rows begin there is room for what walk.hpp asks for around them.
  Real const* x;
  Real const* y;

  /// Nothing is matched before the series begin.
  GRIDLOOM_FN side above() const { return {static_cast<Real>(HUGE_VAL)}; }
  GRIDLOOM_FN side beside() const { return above(); }
  GRIDLOOM_FN side corner() const { return {Real{0}}; }
  GRIDLOOM_FN Real row(std::int64_t i) const { return x[i]; }

  GRIDLOOM_FN void begin(lane&) const {}
  /// Columns that are not in the matrix have costs that nobody reads.
  template <warp_group Warp>
  GRIDLOOM_FN void prepare(Warp const&, strips::crew const&, std::int64_t first, int valid, shared&,
                           lane& mine) const {
    GRIDLOOM_UNROLL
    for (int c = 0; c < Columns; ++c) mine.y[c] = c < valid ? y[first + c] : Real{0};
  }
  GRIDLOOM_FN void take(lane& mine, side const (&above)[Columns], side const& corner) const {
    GRIDLOOM_UNROLL
    for (int c = 0; c < Columns; ++c) mine.cost[c] = above[c].cost;
    mine.corner = corner.cost;
  }

  template <bool Capture>
  GRIDLOOM_FN void step(lane& mine, Real value, int, side& passing, int column,
                        side& captured) const {
    Real diagonal = mine.corner;
    Real left = mine.corner = passing.cost;
    GRIDLOOM_UNROLL
    for (int c = 0; c < Columns; ++c) {
      // What does not wait for the column to the left comes first.
      Real const before = lesser(mine.cost[c], diagonal);
      Real const apart = std::fabs(value - mine.y[c]);
      diagonal = mine.cost[c];
      mine.cost[c] = left = apart + lesser(before, left);
      if (Capture && c == column) captured.cost = left;
    }
    passing.cost = left;
  }
  GRIDLOOM_FN bool rises(lane const&) const { return false; }
  GRIDLOOM_FN void note(lane&, int) const {}
  GRIDLOOM_FN side bottom(lane const& mine, int c) const { return {mine.cost[c]}; }

  GRIDLOOM_FN void end_strip(lane&, std::int64_t, std::int64_t) const {}
  template <thread_group Block>
  GRIDLOOM_FN void end_tile(Block const&, strips::crew const&, lane const&, strips::tile_place,
                            strips::tile_grid const&, shared&) const {}
  template <warp_group Warp>
  GRIDLOOM_FN void end_alone(Warp const&, strips::crew const&, lane const&, std::int64_t) const {}
};

}  // namespace gridloom::juggler::dtw
