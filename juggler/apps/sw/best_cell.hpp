#pragma once
// The element with the highest score.

#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom::juggler::sw {

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

}  // namespace gridloom::juggler::sw
