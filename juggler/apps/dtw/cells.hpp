#pragma once
// Dynamic time warping for walk.hpp (Sakoe and Chiba 1978). D(i, j) is the cost of the best match
// of two series' first elements, up to x_i and y_j.
//
//   D(i, j) = |x_i - y_j| + min(D(i - 1, j), D(i, j - 1), D(i - 1, j - 1))

#include <cmath>
#include <cstdint>

#include "apps/dtw/lesser.hpp"
#include "apps/strips/walk.hpp"

namespace gridloom::juggler::dtw {

/// The value D that an element passes to its neighbours.
template <class Real>
struct side {
  Real cost;

  template <warp_group Warp>
  [[nodiscard]] GRIDLOOM_FN side from(Warp const& warp, int lane) const {
    return {warp.shuffle(cost, lane)};
  }
  friend bool operator==(side const&, side const&) = default;
};

/// Real is float or double. Series contain finite numbers only.
template <class Real, int Columns>
struct cells {
  static constexpr int columns = Columns;
  /// The largest number of warps that work on one tile.
  static constexpr int most_warps = strips::warps_of_tile(Columns);
  static constexpr bool may_rise = false;
  /// Whether to use added_to_least_at_once(), which takes more operations but waits less. A warp
  /// with few columns has time for them.
  static constexpr bool is_hasty = Columns < 4;
  using side = dtw::side<Real>;
  using value = Real;
  using row = Real;
  struct early {};
  struct shared {};
  struct lane {
    Real y[Columns];
    Real cost[Columns];
    /// The costs before the last step.
    Real old[Columns];
  };

  /// The two series, padded at both ends as rows.hpp requires.
  Real const* x;
  Real const* y;

  /// The cost above and beside the matrix is infinite, because no match begins there.
  GRIDLOOM_FN side above() const { return {static_cast<Real>(HUGE_VAL)}; }
  GRIDLOOM_FN side beside() const { return above(); }
  GRIDLOOM_FN side corner() const { return {Real{0}}; }
  GRIDLOOM_FN Real row_value(std::int64_t i) const { return x[i]; }
  GRIDLOOM_FN early look(Real const&) const { return {}; }
  GRIDLOOM_FN Real read(lane const&, Real const& at, early) const { return at; }

  GRIDLOOM_FN void begin(lane& mine, tile_place, strips::tile_grid const&) const {
    begin_alone(mine);
  }
  GRIDLOOM_FN void begin_alone(lane& mine) const { mine = {}; }
  /// Keeps the lane's elements of y. The costs of columns outside the matrix are never used.
  template <warp_group Warp>
  GRIDLOOM_FN void prepare(Warp const&, strips::crew const&, std::int64_t, std::int64_t first,
                           int valid, shared&, lane& mine) const {
    GRIDLOOM_UNROLL
    for (int c = 0; c < Columns; ++c) mine.y[c] = c < valid ? y[first + c] : Real{0};
  }
  GRIDLOOM_FN void take(lane& mine, side const (&above)[Columns]) const {
    GRIDLOOM_UNROLL
    for (int c = 0; c < Columns; ++c) mine.cost[c] = mine.old[c] = above[c].cost;
  }

  template <bool Whole, class RowOf>
  GRIDLOOM_FN void step(lane& mine, int, RowOf const& row_of, side const& left,
                        side const& diagonal, int at, int rows) const {
    GRIDLOOM_UNROLL
    for (int c = Columns - 1; c >= 0; --c) {
      Real const apart = std::fabs(row_of(c) - mine.y[c]);
      Real const before = c == 0 ? diagonal.cost : mine.old[c - 1];
      Real const beside = c == 0 ? left.cost : mine.cost[c - 1];
      bool const there = Whole || strips::is_row(at - c, rows);
      mine.old[c] = mine.cost[c];
      mine.cost[c] = is_hasty ? added_to_least_at_once(apart, before, mine.cost[c], beside, there)
                              : added_to_least(apart, before, mine.cost[c], beside, there);
    }
  }
  GRIDLOOM_FN side right(lane const& mine, int c) const { return {mine.cost[c]}; }
  GRIDLOOM_FN side bottom(lane const& mine, int c) const { return {mine.cost[c]}; }

  template <thread_group Block>
  GRIDLOOM_FN void end_tile(Block const&, strips::crew const&, lane const&, tile_place,
                            strips::tile_grid const&, shared&) const {}
  template <warp_group Warp>
  GRIDLOOM_FN void end_alone(Warp const&, strips::crew const&, lane const&, std::int64_t) const {}
};

}  // namespace gridloom::juggler::dtw
