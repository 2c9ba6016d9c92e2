#pragma once
// The work of one lane: the cells of a few neighbouring rows, column by column.
//
// Gotoh's form of the recurrence computes three best scores per cell. H is that of any alignment
// that ends in the cell. E is that of one that ends in a gap along the row, and F along the column.
// Scores are looked up one column ahead, because loads from shared memory take longer than a cell.

#include <cstdint>

#include "gridloom/portable.hpp"
#include "sequences.hpp"

namespace gridloom::wavefront::sw {

inline constexpr int rows_of_lane = 4;
/// Number of rows of a tile, or strip. They are the rows of 32 lanes.
inline constexpr std::uint32_t strip_rows = 32 * rows_of_lane;
/// Largest number of columns of a tile, bounded by shared memory.
inline constexpr std::uint32_t most_tile_cols = 512;
/// Smaller than any score, even after further gap costs are subtracted.
inline constexpr std::int32_t lowest = -(1 << 28);

/// H and F of a cell, which the row below needs.
struct edge {
  std::int32_t h;
  std::int32_t f;
};

/// The best H and its cell in one number. Larger is better; among equal H, the first cell by rows
/// wins. The key is 0 if no H is above 0. Scores are below 2^20, cells below 2^44.
GRIDLOOM_FN inline std::uint64_t best_key(std::int32_t score, std::uint64_t cell) {
  return static_cast<std::uint64_t>(score) << 44U | ((std::uint64_t{1} << 44U) - 1 - cell);
}

class lane_rows {
 public:
  /// H and E of the previous column, initially those of the column before the first one.
  std::int32_t h[rows_of_lane];
  std::int32_t e[rows_of_lane];

  /// `query`: the residues of the rows. `row`: number of the first row. `scores`: the score table
  /// in the block's shared memory.
  GRIDLOOM_FN lane_rows(residue const* query, std::uint32_t row, std::uint32_t cols,
                        std::int8_t const* scores, gap_costs gaps)
      : scores_(scores), gaps_(gaps), first_cell_(std::uint64_t{row} * cols), cols_(cols) {
    GRIDLOOM_UNROLL
    for (int k = 0; k < rows_of_lane; ++k) {
      query_[k] = alphabet * query[row + static_cast<std::uint32_t>(k)];
      h[k] = 0;
      e[k] = lowest;
      score_[k] = no_score;
    }
  }

  /// Looks up the scores of a target residue. Called before its column.
  GRIDLOOM_FN void look_up(residue target) {
    GRIDLOOM_UNROLL
    for (int k = 0; k < rows_of_lane; ++k) score_[k] = scores_[query_[k] + target];
  }

  /// Computes one column. `diagonal`: H of the row above in the previous column. `up`: H and F of
  /// the row above in this column. `after`: the residue of the next column. Returns the last row's
  /// H and F.
  GRIDLOOM_FN edge step(std::uint32_t col, std::int32_t diagonal, edge up, residue after) {
    std::int32_t score[rows_of_lane];
    GRIDLOOM_UNROLL
    for (int k = 0; k < rows_of_lane; ++k) score[k] = score_[k];
    look_up(after);
    GRIDLOOM_UNROLL
    for (int k = 0; k < rows_of_lane; ++k) {
      std::int32_t const left = h[k];
      bool const apart = score[k] == no_score;
      std::int32_t const along = larger(e[k], left - gaps_.open) - gaps_.extend;
      std::int32_t const down = larger(up.f, up.h - gaps_.open) - gaps_.extend;
      std::int32_t const best = larger(larger(diagonal + score[k], along), larger(down, 0));
      e[k] = apart ? lowest : along;
      up = apart ? edge{0, lowest} : edge{best, down};
      h[k] = up.h;
      diagonal = left;
      if (up.h >= best_) note(up.h, col, k);
    }
    return up;
  }

  /// Best key of all columns so far.
  GRIDLOOM_FN std::uint64_t best() const {
    return best_cell_ == no_cell ? 0 : best_key(best_, best_cell_);
  }

 private:
  static constexpr std::uint64_t no_cell = ~std::uint64_t{0};

  GRIDLOOM_FN static std::int32_t larger(std::int32_t a, std::int32_t b) { return a < b ? b : a; }
  GRIDLOOM_FN void note(std::int32_t value, std::uint32_t col, int k) {
    std::uint64_t const cell = first_cell_ + static_cast<std::uint64_t>(k) * cols_ + col;
    if (value == best_ && cell > best_cell_) return;
    best_ = value;
    best_cell_ = cell;
  }

  std::int8_t const* scores_;
  gap_costs gaps_;
  std::uint32_t query_[rows_of_lane];
  std::int32_t score_[rows_of_lane];
  std::uint64_t first_cell_;
  std::uint32_t cols_;
  std::int32_t best_ = 1;
  std::uint64_t best_cell_ = no_cell;
};

/// Shared memory of a block.
struct score_table {
  std::int8_t scores[alphabet * alphabet];
};

}  // namespace gridloom::wavefront::sw
