#pragma once
// How a block computes a tile whose elements depend on those above, to the left, and above left.
//
// A tile is cut into strips of columns. A lane of a warp keeps `columns` neighbouring columns of a
// strip in registers. Each column is one row behind the column to its left: at step t, column g of
// the strip is at row t - g. So the columns of a warp are on an anti-diagonal, and the elements of
// one step are independent. A step takes as long as one element and one shuffle, for any number of
// columns. Lanes exchange values by that shuffle. Warps work on neighbouring strips in a pipeline
// and exchange values through shared memory.
//
// The block synchronises after each phase of 32 steps. Rules of order:
// WA.R1. A strip of n columns writes row r for the next strip at step r + n - 1. The next strip
//        starts ceil((n + 31) / 32) phases later. In its phase p it reads at most row 32 p + 31,
//        which is written by then.
// WA.R2. Shared memory holds two lines with one value per row of the tile. A strip reads the line
//        of the strip at its left and writes the other one. It reads row r in its phase r / 32. The
//        next strip writes row r to the same line at its step r or later, and starts at least one
//        phase later.

#include "apps/strips/rows.hpp"
#include "apps/strips/tile_grid.hpp"
#include "gridloom/group.hpp"
#include "gridloom/portable.hpp"

namespace gridloom::juggler::strips {

inline constexpr int phase_steps = 32;

/// The two lines of WA.R2. They are read in groups of rows; elements after the last row are not
/// used.
template <class Side>
struct side_lines {
  Side of[2][largest_tile + group_steps];
};

/// How the threads of a block share the strips. A partial warp has no part, unless it is the only
/// one.
struct crew {
  int lanes;
  int warps;
  int lane;
  /// The calling thread's warp. A warp without a part has a number of at least `warps`.
  int warp;

  [[nodiscard]] GRIDLOOM_FN bool works() const { return warp < warps; }
  [[nodiscard]] GRIDLOOM_FN bool leads() const { return lane == 0 && works(); }
};

template <thread_group Block>
GRIDLOOM_FN crew crew_of(Block const& block, int most_warps) {
  int const threads = block.num_threads();
  int const lanes = threads < most_lanes ? threads : most_lanes;
  int const warps = threads / lanes;
  return {lanes, warps < most_warps ? warps : most_warps, block.thread_rank() % lanes,
          block.thread_rank() / lanes};
}

/// A lane's view of its strip.
struct strip_part {
  int rows;
  int last_lane;
  /// The index of the strip's last column among the columns of that lane.
  int last_column;
};

/// The registers of a lane.
template <class Cells>
struct lane_state {
  typename Cells::lane own;
  /// The value to the left of the first column in the previous step, which is the diagonal now.
  typename Cells::side came;
  /// The value from the lane to the left for the current step.
  typename Cells::side coming;
  row_window<Cells> rows;
};

/// Executes the steps of a warp down its strip, from `first` to `end`, both multiples of
/// group_steps. `staged` has the strip's rows from `base` on, a multiple of group_steps.
/// - `Whole`: in all these steps, all columns are at rows of the strip. The strip's last column is
///   the last column of a lane. Otherwise, columns that are not at a row of the strip are left
///   unchanged.
/// - `Closed`: the strip has no neighbours and writes nothing (see floor.hpp); `in` and `out` are
///   not used.
///
/// An application provides Cells with these members:
/// - `columns`: the number of columns per lane.
/// - `side`: the value that an element passes to its right and lower neighbours.
/// - `above()`, `beside()`, `corner()`: the values outside the matrix.
/// - The members for rows: see rows.hpp.
/// - `take(lane, above)`: moves a lane to the top of its strip, below the values `above`.
/// - `step<Whole>(lane, number, row_of, left, diagonal, at, rows)`: moves all columns one row down,
///   from the last column to the first. The first column is at row `at` and has the neighbours
///   `left` and `diagonal`. `row_of(c)` is the row data of column c; `number` counts the steps of a
///   group.
/// - `right(lane, c)`: the value that column c passes to the right.
/// - `rises(lane)`: if `may_rise`, called after each group. Returns whether to call `note(lane, at,
///   rows)`, which is rare. `at` is that of the group's first step.
template <bool Whole, bool Closed, class Cells, warp_group Warp>
GRIDLOOM_FN void walk_steps(Warp const& warp, Cells const& cells, crew const& team,
                            strip_part const& strip, int first, int end,
                            row_lines<Cells> const& staged, int base,
                            typename Cells::side const* in, typename Cells::side* out,
                            lane_state<Cells>& mine) {
  using side = typename Cells::side;
  constexpr int last = Cells::columns - 1;
  bool const is_first = team.lane == 0;
  bool const is_last = team.lane == strip.last_lane;
  int const left_lane = is_first ? 0 : team.lane - 1;
  int const read_end = end < strip.rows ? end : strip.rows;
  side entering[group_steps];
  GRIDLOOM_UNROLL
  for (int u = 0; u < group_steps; ++u)
    entering[u] = Closed || first >= read_end ? cells.beside() : in[first + u];
  auto const* rows_at = staged.at(team.lane, first - base);
  for (int step = first; step < end; step += group_steps) {
    int const at = step - team.lane * Cells::columns;
    GRIDLOOM_UNROLL
    for (int u = 0; u < group_steps; ++u) {
      side const left = is_first ? entering[u] : mine.coming;
      if (!Closed && step + group_steps < read_end)
        entering[u] = in[step + group_steps + u];  // WA.R1
      cells.template step<Whole>(
          mine.own, u, [&](int c) { return mine.rows.of(u, c); }, left, mine.came, at + u,
          strip.rows);
      mine.came = left;
      side leaving = cells.right(mine.own, last);
      mine.coming = leaving.from(warp, left_lane);
      mine.rows.next(cells, mine.own, rows_at, u);
      if (Closed) continue;
      if (!Whole) {
        GRIDLOOM_UNROLL
        for (int c = 0; c < last; ++c)
          if (c == strip.last_column) leaving = cells.right(mine.own, c);
      }
      int const row = at + u - (Whole ? last : strip.last_column);
      if (is_last && (Whole || is_row(row, strip.rows))) out[row] = leaving;  // WA.R2
    }
    rows_at += row_lines<Cells>::further(group_steps);
    if constexpr (Cells::may_rise) {
      // All lanes branch together and mostly skip a few instructions. A branch of single lanes
      // would add rarely used instructions to every step.
      if (warp.any(cells.rises(mine.own))) [[unlikely]]
        cells.note(mine.own, at, strip.rows);
    }
  }
}

/// Moves a lane to the top of its strip. `top` is the last row of the tile above, from the lane's
/// first column on; null if there is none. `valid` of its columns are in the matrix. The strip's
/// first lane uses the corner; other lanes get theirs from the steps before their first row.
template <class Cells>
GRIDLOOM_FN void take_top(Cells const& cells, typename Cells::side const* top, bool leftmost,
                          int valid, lane_state<Cells>& mine) {
  using side = typename Cells::side;
  side above[Cells::columns];
  GRIDLOOM_UNROLL
  for (int c = 0; c < Cells::columns; ++c)
    above[c] = top != nullptr && c < valid ? top[c] : cells.above();
  side corner = leftmost ? cells.beside() : cells.above();
  if (top == nullptr && leftmost) corner = cells.corner();
  if (top != nullptr && !leftmost && valid > 0) corner = top[-1];
  cells.take(mine.own, above);
  mine.came = mine.coming = corner;
}

/// The strips of a tile, in the order in which a warp processes them.
class strip_turns {
 public:
  GRIDLOOM_FN strip_turns(crew const& team, int rows, int cols, int strip_cols)
      : strips_((cols + strip_cols - 1) / strip_cols),
        steps_(rows + (cols < strip_cols ? cols : strip_cols) - 1),
        length_((steps_ + phase_steps - 1) / phase_steps),
        lag_((strip_cols + 2 * phase_steps - 2) / phase_steps),  // WA.R1
        warps_(team.warps),
        round_(length_ < lag_ * team.warps ? lag_ * team.warps : length_),
        strip_(team.warp),
        at_(-lag_ * team.warp) {}

  [[nodiscard]] GRIDLOOM_FN int phases() const {
    int const last = strips_ - 1;
    return last / warps_ * round_ + lag_ * (last % warps_) + length_;
  }
  [[nodiscard]] GRIDLOOM_FN int strips() const { return strips_; }
  /// Steps of a strip, until its last column in the tile has passed the last row.
  [[nodiscard]] GRIDLOOM_FN int steps() const { return steps_; }
  /// strip(): the warp's strip. works(): whether the warp works on it now. at(): the strip's phase.
  [[nodiscard]] GRIDLOOM_FN int strip() const { return strip_; }
  [[nodiscard]] GRIDLOOM_FN bool works() const {
    return at_ >= 0 && at_ < length_ && strip_ < strips_;
  }
  [[nodiscard]] GRIDLOOM_FN int at() const { return at_; }
  [[nodiscard]] GRIDLOOM_FN bool begins() const { return at_ == 0; }
  [[nodiscard]] GRIDLOOM_FN bool ends() const { return at_ == length_ - 1; }
  GRIDLOOM_FN void next() {
    if (++at_ != round_) return;
    at_ = 0;
    strip_ += warps_;
  }

 private:
  int strips_;
  int steps_;
  int length_;
  int lag_;
  int warps_;
  int round_;
  int strip_;
  int at_;
};

}  // namespace gridloom::juggler::strips
