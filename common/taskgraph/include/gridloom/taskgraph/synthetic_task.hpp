#pragma once
// Parts of task bodies for measuring schedulers. One keeps its worker busy for a chosen time. The
// other computes a value that shows whether the task ran after its predecessors.

#include <cstdint>

#include "gridloom/clock.hpp"

namespace gridloom {

/// Keeps the calling thread busy for this many ticks of `now_ticks()`.
GRIDLOOM_FN inline void keep_busy(std::uint64_t ticks) {
  std::uint64_t const begin = now_ticks();
  while (now_ticks() - begin < ticks) {
  }
}

/// Computes the result of a task from its number and the results of its predecessors, in a fixed
/// order. Another order or a missing result changes the value.
class recurrence {
 public:
  GRIDLOOM_FN explicit recurrence(std::uint32_t task) : value_(task * 2654435761U + 12345U) {}
  GRIDLOOM_FN void add(std::uint32_t predecessor_value) {
    value_ = (value_ ^ predecessor_value) * 2246822519U;
    value_ ^= value_ >> 15;
  }
  GRIDLOOM_FN std::uint32_t value() const { return value_; }

 private:
  std::uint32_t value_;
};

}  // namespace gridloom
