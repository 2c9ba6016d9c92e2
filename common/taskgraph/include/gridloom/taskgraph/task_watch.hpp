#pragma once
// How a worker that always has tasks notices that time is up.

#include <cstdint>

#include "gridloom/clock.hpp"
#include "gridloom/watchdog.hpp"

namespace gridloom {

/// The watchdog of a worker that always has tasks. It checks the time every few tens of
/// microseconds, in which many short tasks run. Used by one thread.
class task_watch {
 public:
  GRIDLOOM_FN explicit task_watch(watch& patience) : patience_(patience), looked_(now_ticks()) {}
  /// Whether to leave. If so, notes that the worker executed `executed` of `part` tasks in
  /// `section`.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool stops(Memory& memory, std::uint32_t section,
                                       std::uint32_t executed, std::uint32_t part) {
    constexpr std::uint64_t ticks_between_looks = 1U << 16U;
    if (now_ticks() - looked_ < ticks_between_looks) return false;
    looked_ = now_ticks();
    return patience_.stop(memory, wait_kind::own_work, section, executed, part);
  }

 private:
  watch& patience_;
  std::uint64_t looked_;
};

}  // namespace gridloom
