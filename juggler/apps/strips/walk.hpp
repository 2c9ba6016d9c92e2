#pragma once
// How a block goes over a tile whose elements need those above, to the left and between.
//
// A tile is cut into strips of columns. A lane of a warp has `columns` neighbouring columns of a strip
// in registers and goes down their rows, one row behind the lane to its left, from which it takes what
// passes between columns by a shuffle: so the lanes are on an anti-diagonal. Warps work on neighbouring
// strips in a pipeline; what passes between strips goes through shared memory.
//
// The block meets after each phase of 32 steps. Rules of order:
// W1. A strip begins at least two phases after the one to its left. That one's last lane is 31 rows
//     behind its first, so what a phase reads of it, one row ahead included, was written before.
// W2. A strip reads one line and writes the other. It writes a row at least one phase after the strip
//     before read it.

#include "apps/strips/tile_grid.hpp"
#include "gridloom/group.hpp"
#include "gridloom/portable.hpp"

namespace gridloom::juggler::strips {

inline constexpr int most_lanes = 32;
inline constexpr int phase_steps = 32;

/// Reading one row ahead needs no test this way; what stands there is not used.
template <class Side>
struct side_lines {
  Side of[2][largest_tile + most_lanes];
};

/// How the threads of a block share the strips. Threads of a warp that is not full have no part, but
/// where it is the only one.
struct crew {
  int lanes;
  int warps;
  /// Of the calling thread; a warp without a part has a number that is none.
  int lane;
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

/// What a lane knows of its strip.
struct strip_part {
  /// Rows of the strip; its first row in the matrix.
  int rows;
  std::int64_t first_row;
  /// The lane that has the strip's last column, and which of its columns that is.
  int last_lane;
  int last_column;
};

/// Registers of a lane: its columns, and what it passed to the right in the row before.
template <class Cells>
struct lane_state {
  typename Cells::lane own;
  typename Cells::side passed;
};

/// Steps of a warp down its strip. `Whole`: all lanes are at rows of the strip in all of them, and the
/// strip's last column is the last one of a lane. `Closed`: the strip's neighbours are the matrix's
/// borders, and it leaves nothing (see floor.hpp); `in` and `out` are not used.
///
/// Cells, of an application:
/// - `columns`: of a lane; `side`: what passes from an element to its right and lower neighbours.
/// - `above()`, `beside()`, `corner()`: what comes from outside of the matrix.
/// - `row(i)`: what a row has of its own; may be asked for 32 rows before the first one, and for 64
///   behind the last one.
/// - `step<Capture>(lane, row, at, passing, column, captured)`: goes one row on; `passing` comes from
///   the left and is left for the right, and `captured` is what passed behind a column.
/// - `rises(lane)`, after each row: whether there is something to `note(lane, at)`, which is rare.
template <bool Whole, bool Closed, class Cells, warp_group Warp>
GRIDLOOM_FN void walk_steps(Warp const& warp, Cells const& cells, crew const& who,
                            strip_part const& strip, int first, int end,
                            typename Cells::side const* in, typename Cells::side* out,
                            lane_state<Cells>& mine) {
  using side = typename Cells::side;
  bool const is_first = who.lane == 0;
  bool const is_last = who.lane == strip.last_lane;
  int const left_lane = is_first ? 0 : who.lane - 1;
  int const column = is_last ? strip.last_column : Cells::columns - 1;
  auto row = cells.row(strip.first_row + first - who.lane);
  side entering = Closed ? cells.beside() : in[first];
  for (int step = first; step < end; ++step) {
    int const at = step - who.lane;
    auto const next_row = cells.row(strip.first_row + at + 1);
    side const next_entering = Closed ? entering : in[step + 1];  // W1
    side passing = mine.passed.from(warp, left_lane);
    if (is_first) passing = entering;
    if (Whole || (at >= 0 && at < strip.rows)) {
      side captured = passing;
      cells.template step<!Whole>(mine.own, row, at, passing, column, captured);
      mine.passed = passing;
      if (!Closed && is_last) out[at] = Whole ? passing : captured;  // W2
    }
    // By all lanes together: a few instructions that are skipped, where each by itself would carry
    // what is rarely done along.
    if (warp.any(cells.rises(mine.own))) [[unlikely]]
      cells.note(mine.own, at);
    row = next_row;
    entering = next_entering;
  }
}

/// Brings a lane to the top of its strip. `top` is the last row of the tile above, from the lane's
/// first column on, or null where there is none; `valid` of its columns are in the matrix.
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
  cells.take(mine.own, above, corner);
  mine.passed = corner;
}

/// The strips of a tile one after the other, as a warp comes to them.
class strip_turns {
 public:
  /// Strips of so many columns each, of rows that take so many phases.
  GRIDLOOM_FN strip_turns(crew const& who, int rows, int cols, int strip_cols)
      : strips_((cols + strip_cols - 1) / strip_cols),
        length_((rows + who.lanes - 1 + phase_steps - 1) / phase_steps),
        warps_(who.warps),
        round_(length_ < 2 * who.warps ? 2 * who.warps : length_),
        strip_(who.warp),
        at_(-2 * who.warp) {}  // W1

  [[nodiscard]] GRIDLOOM_FN int phases() const {
    int const last = strips_ - 1;
    return last / warps_ * round_ + 2 * (last % warps_) + length_;
  }
  [[nodiscard]] GRIDLOOM_FN int strips() const { return strips_; }
  /// The warp's strip in this phase; whether it is at work there, and where.
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
  int length_;
  int warps_;
  int round_;
  int strip_;
  int at_;
};

}  // namespace gridloom::juggler::strips
