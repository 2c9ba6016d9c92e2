#pragma once
// The serial version computes all elements by the recurrences of cells.hpp. It keeps one row of H
// and one of F.

#include <algorithm>
#include <cstdint>
#include <limits>
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

/// The best element of an alignment of x (rows) and y (columns), which hold letter numbers. Calls
/// visit(i, j, scored) for each element, row by row.
template <class Visit>
best_cell align(std::span<std::uint8_t const> x, std::span<std::uint8_t const> y, scoring const& by,
                Visit const& visit) {
  constexpr int none = std::numeric_limits<int>::min() / 2;
  std::vector<int> score_above(y.size() + 1, 0);
  std::vector<int> down(y.size(), none);
  best_cell best = no_cell;
  for (std::size_t i = 0; i < x.size(); ++i) {
    int diagonal = 0;
    int left = 0;
    int along = none;
    for (std::size_t j = 0; j < y.size(); ++j) {
      along = std::max(along - by.gap_extend, left - by.gap_open - by.gap_extend);
      down[j] = std::max(down[j] - by.gap_extend, score_above[j + 1] - by.gap_open - by.gap_extend);
      int score = std::max({0, diagonal + by.of(x[i], y[j]), along, down[j]});
      diagonal = score_above[j + 1];
      score_above[j + 1] = left = score;
      if (score > best.score)
        best = {score, static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)};
      int const opened = score - by.gap_open - by.gap_extend;
      visit(i, j,
            scored{score, std::max(along - by.gap_extend, opened),
                   std::max(down[j] - by.gap_extend, opened)});
    }
  }
  return best;
}

}  // namespace gridloom::juggler::sw
