#pragma once
// Local alignment (Smith and Waterman 1981) with affine gaps (Gotoh 1982), as walk.hpp goes over it.
// A gap of k letters costs open + k extend.
//
//   H(i, j) = max(0, H(i - 1, j - 1) + s(x_i, y_j), E(i, j), F(i, j))
//   E(i, j + 1) = max(E(i, j) - extend, H(i, j) - open - extend)     along a row
//   F(i + 1, j) = max(F(i, j) - extend, H(i, j) - open - extend)     down a column
//
// Five operations an element, and one for two to find the best. Scores are bytes: a warp has those of
// its columns for each letter of a row in shared memory (a query profile), a lane's four in a word.

#include <cstdint>

#include "apps/strips/walk.hpp"
#include "apps/sw/best_cell.hpp"
#include "apps/sw/operations.hpp"

namespace gridloom::juggler::sw {

/// Letters of an alphabet at most.
inline constexpr int most_letters = 28;

/// What passes between elements: H, and E or F for the next one.
struct side {
  std::int32_t score;
  std::int32_t gap;

  template <warp_group Warp>
  [[nodiscard]] GRIDLOOM_FN side from(Warp const& warp, int lane) const {
    return {warp.shuffle(score, lane), warp.shuffle(gap, lane)};
  }
  friend bool operator==(side const&, side const&) = default;
};

/// Scores of a lane's columns with one letter.
template <int Columns>
struct alignas(Columns) packed_scores {
  std::uint32_t of_four[Columns / 4];
};

template <int Columns>
struct cells {
  static_assert(Columns % 4 == 0);
  static constexpr int columns = Columns;
  /// Warps that have a strip of a tile.
  static constexpr int most_warps = strips::largest_tile / (strips::most_lanes * Columns);
  using side = sw::side;

  struct shared {
    packed_scores<Columns> profile[most_warps][most_letters][strips::most_lanes];
    best_cell best[most_warps];
  };
  struct lane {
    packed_scores<Columns> const* profile;
    int score[Columns];
    /// F of the next row.
    int gap[Columns];
    int corner;
    /// In the strip: the highest score, its row in the strip, its column in the lane.
    int best, best_row, best_column;
    /// The highest of it and the last row.
    int highest;
    /// In the tile, so far.
    best_cell before;
  };

  /// Numbers of letters. Where rows begin there is room for what walk.hpp asks for around them.
  std::uint8_t const* x;
  std::uint8_t const* y;
  /// s(a, b) = scores[a * most_letters + b]
  std::int8_t const* scores;
  int letters;
  int gap_open;
  int gap_extend;
  /// One a tile: the best of all tiles above and to the left, itself included. The floor has one a
  /// strip.
  best_cell* best;

  GRIDLOOM_FN side above() const { return {0, -gap_open - gap_extend}; }
  GRIDLOOM_FN side beside() const { return above(); }
  GRIDLOOM_FN side corner() const { return above(); }
  GRIDLOOM_FN std::uint8_t row(std::int64_t i) const { return x[i]; }

  GRIDLOOM_FN void begin(lane& mine) const { mine.before = no_cell; }

  /// The profile of a strip. A column that is not in the matrix has the lowest score with all letters,
  /// so that no element there is above all that are.
  template <warp_group Warp>
  GRIDLOOM_FN void prepare(Warp const& warp, strips::crew const& who, std::int64_t first, int valid,
                           shared& own, lane& mine) const {
    packed_scores<Columns>* const profile = &own.profile[who.warp][0][who.lane];
    int letter_of[Columns];
    GRIDLOOM_UNROLL
    for (int c = 0; c < Columns; ++c) letter_of[c] = c < valid ? y[first + c] : -1;
    for (int a = 0; a < letters; ++a) {
      packed_scores<Columns> made;
      GRIDLOOM_UNROLL
      for (int word = 0; word < Columns / 4; ++word) {
        made.of_four[word] = 0;
        GRIDLOOM_UNROLL
        for (int byte = 0; byte < 4; ++byte) {
          int const b = letter_of[4 * word + byte];
          std::int8_t const score = b < 0 ? std::int8_t{-128} : scores[a * most_letters + b];
          made.of_four[word] |= std::uint32_t{static_cast<std::uint8_t>(score)} << (8U * byte);
        }
      }
      profile[a * strips::most_lanes] = made;
    }
    // A lane reads what it wrote; those of the warp go on together.
    warp.sync();
    mine.profile = profile;
    mine.best = 0;
    mine.highest = 0;
    mine.best_row = -1;
    mine.best_column = 0;
  }
  GRIDLOOM_FN void take(lane& mine, side const (&above)[Columns], side const& corner) const {
    GRIDLOOM_UNROLL
    for (int c = 0; c < Columns; ++c) {
      mine.score[c] = above[c].score;
      mine.gap[c] = above[c].gap;
    }
    mine.corner = corner.score;
  }

  template <bool Capture>
  GRIDLOOM_FN void step(lane& mine, std::uint8_t letter, int, side& passing, int column,
                        side& captured) const {
    packed_scores<Columns> const with = mine.profile[letter * strips::most_lanes];
    int diagonal = mine.corner;
    mine.corner = passing.score;
    int along = passing.gap;
    GRIDLOOM_UNROLL
    for (int c = 0; c < Columns; ++c) {
      int const matched = add_byte(with.of_four[c / 4], c % 4, diagonal);
      int const score = max3_or_0(matched, along, mine.gap[c]);
      diagonal = mine.score[c];
      mine.score[c] = score;
      int const opened = score - (gap_open + gap_extend);
      along = add_max(along, -gap_extend, opened);
      mine.gap[c] = add_max(mine.gap[c], -gap_extend, opened);
      if (Capture && c == column) captured = {score, along};
    }
    passing = {mine.score[Columns - 1], along};
    mine.highest = mine.best;
    GRIDLOOM_UNROLL
    for (int c = 0; c < Columns; c += 2)
      mine.highest = max3(mine.highest, mine.score[c], mine.score[c + 1]);
  }
  /// Whether the row that was gone has a new best, and the keeping of it: rare.
  GRIDLOOM_FN bool rises(lane const& mine) const { return mine.highest > mine.best; }
  GRIDLOOM_FN void note(lane& mine, int at) const {
    if (mine.highest <= mine.best) return;
    mine.best = mine.highest;
    mine.best_row = at;
    GRIDLOOM_UNROLL
    for (int c = Columns - 1; c >= 0; --c) {
      if (mine.score[c] == mine.best) mine.best_column = c;
    }
  }
  GRIDLOOM_FN side bottom(lane const& mine, int c) const { return {mine.score[c], mine.gap[c]}; }

  GRIDLOOM_FN void end_strip(lane& mine, std::int64_t first_row, std::int64_t first_col) const {
    if (mine.best_row < 0) return;
    best_cell const found{mine.best, static_cast<std::int32_t>(first_row + mine.best_row),
                          static_cast<std::int32_t>(first_col + mine.best_column)};
    if (is_before(found, mine.before)) mine.before = found;
  }

  template <thread_group Block>
  GRIDLOOM_FN void end_tile(Block const& block, strips::crew const& who, lane const& mine,
                            strips::tile_place of, strips::tile_grid const& grid,
                            shared& own) const {
    if (who.works()) {
      best_cell const found = best_of(block.warp(), who, mine);
      if (who.lane == 0) own.best[who.warp] = found;
    }
    block.sync();
    if (block.thread_rank() != 0) return;
    best_cell found = no_cell;
    std::int64_t const tile = of.i * grid.across() + of.j;
    auto const consider = [&](best_cell const& other) {
      if (is_before(other, found)) found = other;
    };
    for (int warp = 0; warp < who.warps; ++warp) consider(own.best[warp]);
    if (of.i > 0) consider(best[tile - grid.across()]);
    if (of.j > 0) consider(best[tile - 1]);
    best[tile] = found;
  }
  /// Of a strip that stands alone: see floor.hpp.
  template <warp_group Warp>
  GRIDLOOM_FN void end_alone(Warp const& warp, strips::crew const& who, lane const& mine,
                             std::int64_t strip) const {
    best_cell const found = best_of(warp, who, mine);
    if (who.lane == 0) best[strip] = found;
  }

 private:
  template <warp_group Warp>
  GRIDLOOM_FN static best_cell best_of(Warp const& warp, strips::crew const& who,
                                       lane const& mine) {
    best_cell found = mine.before;
    for (int distance = 1; distance < who.lanes; distance *= 2) {
      int const other = who.lane + distance < who.lanes ? who.lane + distance : who.lane;
      best_cell const theirs{warp.shuffle(found.score, other), warp.shuffle(found.i, other),
                             warp.shuffle(found.j, other)};
      if (is_before(theirs, found)) found = theirs;
    }
    return found;
  }
};

}  // namespace gridloom::juggler::sw
