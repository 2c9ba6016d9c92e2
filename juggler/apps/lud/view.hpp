#pragma once
// Views of parts of matrices stored by rows.

#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom::juggler::lud {

/// A part of a tile, or of a copy of one.
struct view {
  double* first;
  int stride;
  int rows;
  int cols;

  GRIDLOOM_FN double& at(int row, int col) const {
    return first[static_cast<std::int64_t>(row) * stride + col];
  }
  /// The part that begins at an element, with at most this number of rows and columns.
  GRIDLOOM_FN view part(int row, int col, int most_rows, int most_cols) const {
    int const down = rows - row;
    int const across = cols - col;
    return {first + static_cast<std::int64_t>(row) * stride + col, stride,
            down < most_rows ? down : most_rows, across < most_cols ? across : most_cols};
  }
  GRIDLOOM_FN view from(int row, int col) const { return part(row, col, rows, cols); }
};

}  // namespace gridloom::juggler::lud
