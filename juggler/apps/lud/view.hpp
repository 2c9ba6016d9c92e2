#pragma once
// Parts of matrices, by rows.

#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom::juggler::lud {

/// Elements by rows: a part of a tile, or a copy of one.
struct view {
  double* first;
  /// Elements from one row to the next.
  int stride;
  int rows;
  int cols;

  GRIDLOOM_FN double& at(int row, int col) const {
    return first[static_cast<std::int64_t>(row) * stride + col];
  }
  /// The part from an element on, with at most this number of rows and columns.
  GRIDLOOM_FN view part(int row, int col, int most_rows, int most_cols) const {
    int const down = rows - row;
    int const across = cols - col;
    return {first + static_cast<std::int64_t>(row) * stride + col, stride,
            down < most_rows ? down : most_rows, across < most_cols ? across : most_cols};
  }
  GRIDLOOM_FN view from(int row, int col) const { return part(row, col, rows, cols); }
};

}  // namespace gridloom::juggler::lud
