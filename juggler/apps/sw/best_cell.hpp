#pragma once
// The element with the highest score.

#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom::juggler::sw {

/// {0, -1, -1} if no score is above 0.
struct best_cell {
  std::int32_t score;
  std::int32_t i;
  std::int32_t j;

  friend bool operator==(best_cell const&, best_cell const&) = default;
};

inline constexpr best_cell no_cell{0, -1, -1};

/// The better of two. Among equal scores, the one in the smallest row, and there in the smallest
/// column. Without branches.
[[nodiscard]] GRIDLOOM_FN inline bool is_before(best_cell const& a, best_cell const& b) {
  bool const is_left = (a.i == b.i) & (a.j < b.j);
  return (a.score > b.score) | ((a.score == b.score) & ((a.i < b.i) | is_left));
}

}  // namespace gridloom::juggler::sw
