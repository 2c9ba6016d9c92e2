#pragma once
// When a run's time is up, on the clock of the machine that executes it: for kernels that are
// launched while the run is under way, and so cannot count from their own begin.

#include <cstdint>
#include <sstream>

#include "gridloom/clock.hpp"
#include "gridloom/device.hpp"
#include "gridloom/error.hpp"

namespace gridloom::mhive {

/// Tells the time.
struct clock_kernel {
  static constexpr int max_threads = 1;
  static constexpr bool persistent = false;
  using scratch = no_scratch;

  std::uint64_t* now;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block /*block*/, scratch& /*none*/) const {
    *now = now_ns();
  }
};

/// The machine's now_ns() in so many nanoseconds. Costs a launch and a copy.
template <class Machine>
[[nodiscard]] std::uint64_t deadline_in(Machine& machine, std::uint64_t nanoseconds) {
  auto const now = machine.template allocate<std::uint64_t>(1);
  machine.launch({1, 1}, clock_kernel{now.data()});
  return machine.copy_to_host(now)[0] + nanoseconds;
}

/// For kernels that are timed as a whole: throws run_error when they took longer than the limit.
inline void require_in_time(double ms, double limit_s) {
  if (ms <= limit_s * 1e3) return;
  std::ostringstream text;
  text << "timeout after " << limit_s << " s";
  throw run_error(text.str());
}

/// Whether the run's time is up; then it is stopped for all. One thread.
template <class Memory, class Dog>
[[nodiscard]] GRIDLOOM_FN bool past(Memory& memory, std::uint64_t deadline_ns, Dog const& dog) {
  if (now_ns() < deadline_ns) return false;
  memory.store_relaxed(dog.stop, std::uint32_t{1});
  return true;
}

}  // namespace gridloom::mhive
