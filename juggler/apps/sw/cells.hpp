#pragma once
// The cells of a local alignment (Smith and Waterman 1981) with affine gaps (Gotoh 1982), for
// walk.hpp. A gap of k letters costs open + k extend.
//
//   H(i, j) = max(0, H(i - 1, j - 1) + s(x_i, y_j), E(i, j), F(i, j))
//   E(i, j + 1) = max(E(i, j) - extend, H(i, j) - open - extend)     along a row
//   F(i + 1, j) = max(F(i, j) - extend, H(i, j) - open - extend)     down a column
//
// An element takes five operations, and two elements share one more to find the best score. Scores
// are bytes. For each letter of the alphabet, a warp keeps the scores of its columns in shared
// memory (a query profile). The four scores of a lane are in one word.

#include <cstdint>

#include "apps/strips/walk.hpp"
#include "apps/sw/operations.hpp"
#include "gridloom/portable.hpp"

namespace gridloom::juggler::sw {

// The element with the highest score.

/// If no score is above 0, the value is {0, -1, -1}.
struct best_cell {
  std::int32_t score;
  std::int32_t i;
  std::int32_t j;

  friend bool operator==(best_cell const&, best_cell const&) = default;
};

inline constexpr best_cell no_cell{0, -1, -1};

/// Whether a is better than b. Among equal scores, the smallest row wins, and then the smallest
/// column. Written without branches.
[[nodiscard]] GRIDLOOM_FN inline bool is_before(best_cell const& a, best_cell const& b) {
  bool const is_left = (a.i == b.i) & (a.j < b.j);
  return (a.score > b.score) | ((a.score == b.score) & ((a.i < b.i) | is_left));
}

/// The largest number of letters of an alphabet.
inline constexpr int most_letters = 28;

/// The values that an element passes to a neighbour: H, and E or F of that neighbour.
struct side {
  std::int32_t score;
  std::int32_t gap;

  template <warp_group Warp>
  [[nodiscard]] GRIDLOOM_FN side from(Warp const& warp, int lane) const {
    return {warp.shuffle(score, lane), warp.shuffle(gap, lane)};
  }
  friend bool operator==(side const&, side const&) = default;
};

/// A lane's scores with one letter, in one word: lanes with different letters use different banks.
struct packed_scores {
  std::uint32_t bytes;
};

template <int Columns>
struct cells {
  static_assert(Columns <= 4);
  static constexpr int columns = Columns;
  /// The largest number of warps that work on one tile.
  static constexpr int most_warps = strips::warps_of_tile(Columns);
  static constexpr bool may_rise = true;
  using side = sw::side;
  using value = std::uint8_t;
  using early = std::uint8_t;
  using row = packed_scores;

  struct shared {
    packed_scores profile[most_warps][most_letters][strips::most_lanes];
    best_cell best[most_warps];
  };
  struct lane {
    packed_scores const* profile;
    int score[Columns];
    /// The scores before the last step.
    int old[Columns];
    /// For each column: E of the next column, and F of the next row.
    int along[Columns];
    int gap[Columns];
    /// Scores after each step of a group, and the highest of them.
    int seen[strips::group_steps][Columns];
    int highest;
    /// The best cell of the tiles above and to the left, and of the lane's own columns so far.
    best_cell best;
    /// -gap_extend, the change of a score for each letter of a gap.
    int extended;
    /// The strip's first row, and the lane's first column.
    std::int32_t first_row, first_col;
  };

  /// The sequences as letter numbers. `x` is padded with 0 as rows.hpp requires.
  std::uint8_t const* x;
  std::uint8_t const* y;
  /// s(a, b) = scores[a * most_letters + b]
  std::int8_t const* scores;
  int letters;
  int gap_open;
  int gap_extend;
  /// One element per tile: the best cell of all tiles above and to the left, including the tile
  /// itself. The method `floor` has one element per strip.
  best_cell* best;

  GRIDLOOM_FN side above() const { return {0, -gap_open - gap_extend}; }
  GRIDLOOM_FN side beside() const { return above(); }
  GRIDLOOM_FN side corner() const { return above(); }
  GRIDLOOM_FN std::uint8_t row_value(std::int64_t i) const { return x[i]; }
  GRIDLOOM_FN std::uint8_t look(std::uint8_t const& at) const { return at; }
  GRIDLOOM_FN packed_scores read(lane const& mine, std::uint8_t const&, std::uint8_t letter) const {
    return mine.profile[letter * strips::most_lanes];
  }

  /// Starts with the best cells of earlier tiles, so new best cells are rare from the beginning.
  GRIDLOOM_FN void begin(lane& mine, tile_place of, strips::tile_grid const& grid) const {
    begin_alone(mine);
    std::int64_t const tile = of.i * grid.across() + of.j;
    if (of.i > 0) consider(mine, best[tile - grid.across()], true);
    if (of.j > 0) consider(mine, best[tile - 1], true);
  }
  GRIDLOOM_FN void begin_alone(lane& mine) const { mine.best = no_cell; }

  /// Makes the profile of a strip. A column outside the matrix has the lowest score with all
  /// letters, so no element there exceeds all others.
  template <warp_group Warp>
  GRIDLOOM_FN void prepare(Warp const& warp, strips::crew const& team, std::int64_t first_row,
                           std::int64_t first, int valid, shared& own, lane& mine) const {
    packed_scores* const profile = &own.profile[team.warp][0][team.lane];
    int letter_of[Columns];
    GRIDLOOM_UNROLL
    for (int c = 0; c < Columns; ++c) letter_of[c] = c < valid ? y[first + c] : -1;
    for (int a = 0; a < letters; ++a) {
      packed_scores made{0};
      GRIDLOOM_UNROLL
      for (int c = 0; c < Columns; ++c) {
        int const b = letter_of[c];
        std::int8_t const score = b < 0 ? std::int8_t{-128} : scores[a * most_letters + b];
        made.bytes |= std::uint32_t{static_cast<std::uint8_t>(score)} << (8U * c);
      }
      profile[a * strips::most_lanes] = made;
    }
    // A lane reads only what it wrote, but the warp must continue together.
    warp.sync();
    mine.profile = profile;
    // A shuffled value stays in a register. Otherwise the compiler loads it from constant memory
    // for each element, which has to wait.
    mine.extended = warp.shuffle(-gap_extend, team.lane);
    mine.first_row = static_cast<std::int32_t>(first_row);
    mine.first_col = static_cast<std::int32_t>(first);
  }
  GRIDLOOM_FN void take(lane& mine, side const (&above)[Columns]) const {
    GRIDLOOM_UNROLL
    for (int c = 0; c < Columns; ++c) {
      mine.score[c] = mine.old[c] = above[c].score;
      mine.gap[c] = mine.along[c] = above[c].gap;
    }
  }

  template <bool Whole, class RowOf>
  GRIDLOOM_FN void step(lane& mine, int number, RowOf const& row_of, side const& left,
                        side const& diagonal, int at, int rows) const {
    if (number == 0) mine.highest = 0;
    GRIDLOOM_UNROLL
    for (int c = Columns - 1; c >= 0; --c) {
      int const matched = add_byte(row_of(c).bytes, c, c == 0 ? diagonal.score : mine.old[c - 1]);
      int const along = c == 0 ? left.gap : mine.along[c - 1];
      int const score = max3_or_0(matched, along, mine.gap[c]);
      int const opened = score - (gap_open + gap_extend);
      mine.old[c] = mine.score[c];
      if (Whole || strips::is_row(at - c, rows)) {
        mine.score[c] = score;
        mine.along[c] = add_max(along, mine.extended, opened);
        mine.gap[c] = add_max(mine.gap[c], mine.extended, opened);
      }
      mine.seen[number][c] = mine.score[c];
    }
    GRIDLOOM_UNROLL
    for (int c = 0; c < Columns; c += 2)
      mine.highest = max3(mine.highest, mine.score[c], mine.score[c + 1]);
  }
  /// rises() says whether a group of steps may have a new best cell; note() keeps it. Equal scores
  /// count as well, because elements are not visited row by row. note() skips columns that are not
  /// at a row of the strip.
  GRIDLOOM_FN bool rises(lane const& mine) const {
    return mine.highest >= (mine.best.score > 1 ? mine.best.score : 1);
  }
  GRIDLOOM_FN void note(lane& mine, int at, int rows) const {
    if (!rises(mine)) return;
    GRIDLOOM_UNROLL
    for (int u = 0; u < strips::group_steps; ++u) {
      GRIDLOOM_UNROLL
      for (int c = 0; c < Columns; ++c) {
        best_cell const seen{mine.seen[u][c], mine.first_row + at + u - c, mine.first_col + c};
        consider(mine, seen, strips::is_row(at + u - c, rows));
      }
    }
  }
  GRIDLOOM_FN side right(lane const& mine, int c) const { return {mine.score[c], mine.along[c]}; }
  GRIDLOOM_FN side bottom(lane const& mine, int c) const { return {mine.score[c], mine.gap[c]}; }

  template <thread_group Block>
  GRIDLOOM_FN void end_tile(Block const& block, strips::crew const& team, lane const& mine,
                            tile_place of, strips::tile_grid const& grid, shared& own) const {
    if (team.works()) {
      best_cell const found = best_of(block.warp(), team, mine);
      if (team.lane == 0) own.best[team.warp] = found;
    }
    block.sync();
    if (block.thread_rank() != 0) return;
    best_cell found = own.best[0];
    for (int warp = 1; warp < team.warps; ++warp) {
      if (is_before(own.best[warp], found)) found = own.best[warp];
    }
    best[of.i * grid.across() + of.j] = found;
  }
  /// Keeps the best cell of a strip without neighbours: see floor.hpp.
  template <warp_group Warp>
  GRIDLOOM_FN void end_alone(Warp const& warp, strips::crew const& team, lane const& mine,
                             std::int64_t strip) const {
    best_cell const found = best_of(warp, team, mine);
    if (team.lane == 0) best[strip] = found;
  }

 private:
  GRIDLOOM_FN static void consider(lane& mine, best_cell const& other, bool there) {
    bool const is_better = there & is_before(other, mine.best);
    mine.best.score = is_better ? other.score : mine.best.score;
    mine.best.i = is_better ? other.i : mine.best.i;
    mine.best.j = is_better ? other.j : mine.best.j;
  }
  template <warp_group Warp>
  GRIDLOOM_FN static best_cell best_of(Warp const& warp, strips::crew const& team,
                                       lane const& mine) {
    best_cell found = mine.best;
    for (int distance = 1; distance < team.lanes; distance *= 2) {
      int const other = team.lane + distance < team.lanes ? team.lane + distance : team.lane;
      best_cell const theirs{warp.shuffle(found.score, other), warp.shuffle(found.i, other),
                             warp.shuffle(found.j, other)};
      if (is_before(theirs, found)) found = theirs;
    }
    return found;
  }
};

}  // namespace gridloom::juggler::sw
