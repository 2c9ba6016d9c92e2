#pragma once
// The serial version computes all elements by the recurrences of cells.hpp. It keeps one row of H
// and one of F.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "apps/sw/cells.hpp"
#include "apps/sw/scoring.hpp"

namespace gridloom::juggler::sw {

/// An element: H, and the scores of gaps that end at the next element of the row and of the column.
struct scored {
  int score;
  int along;
  int down;
};

/// What elements outside the matrix pass on.
[[nodiscard]] inline strips::borders<side> outside(std::size_t rows, std::size_t cols,
                                                   scoring const& by) {
  side const none{0, -by.gap_open - by.gap_extend};
  return {std::vector(cols, none), std::vector(rows, none), none};
}

/// The best element of an alignment of x (rows) and y (columns), which hold letter numbers, from
/// these elements on. Calls visit(i, j, scored) for each element, row by row.
template <class Visit>
best_cell align(std::span<std::uint8_t const> x, std::span<std::uint8_t const> y, scoring const& by,
                strips::borders<side> from, Visit const& visit) {
  best_cell best = no_cell;
  for (std::size_t i = 0; i < x.size(); ++i) {
    int diagonal = i == 0 ? from.corner.score : from.left[i - 1].score;
    int along = from.left[i].gap;
    for (std::size_t j = 0; j < y.size(); ++j) {
      side& above = from.above[j];
      int const score = std::max({0, diagonal + by.of(x[i], y[j]), along, above.gap});
      int const opened = score - by.gap_open - by.gap_extend;
      diagonal = above.score;
      along = std::max(along - by.gap_extend, opened);
      above = {score, std::max(above.gap - by.gap_extend, opened)};
      if (score > best.score)
        best = {score, static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)};
      visit(i, j, scored{score, along, above.gap});
    }
  }
  return best;
}
template <class Visit>
best_cell align(std::span<std::uint8_t const> x, std::span<std::uint8_t const> y, scoring const& by,
                Visit const& visit) {
  return align(x, y, by, outside(x.size(), y.size(), by), visit);
}

}  // namespace gridloom::juggler::sw
