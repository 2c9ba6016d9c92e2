#pragma once
// Parts of task bodies for measuring schedulers. One keeps its worker busy for a chosen time. The
// other computes a value that shows whether the task ran after its predecessors.

#include <cstdint>

#include "gridloom/clock.hpp"
#include "gridloom/taskgraph/task_durations.hpp"

namespace gridloom {

/// Durations of tasks, in ticks of `now_ticks()`.
struct drawn_ticks {
  std::uint64_t mean = 0;
  task_durations kind = task_durations::constant;
  std::uint32_t seed = 0;

  GRIDLOOM_FN std::uint64_t of(std::uint32_t task) const {
    if (kind == task_durations::constant) return mean;
    return times(duration_of(kind, seed, task));
  }
  GRIDLOOM_FN std::uint64_t times(float multiple) const {
    return static_cast<std::uint64_t>(static_cast<float>(mean) * multiple);
  }
};

/// Keeps the calling thread busy for `ticks_of()` ticks of `now_ticks()`. Finding this number is
/// part of the task, so the clock is read first.
template <class Ticks>
GRIDLOOM_FN void keep_busy_for(Ticks const& ticks_of) {
  std::uint64_t const begin = now_ticks();
  std::uint64_t const ticks = ticks_of();
  while (now_ticks() - begin < ticks) {
  }
}
GRIDLOOM_FN inline void keep_busy(std::uint64_t ticks) {
  keep_busy_for([=] { return ticks; });
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
