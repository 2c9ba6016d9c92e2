#pragma once
// The time limit of a run, as a time on the clock of the executing machine. It serves kernels that
// are launched during the run, which cannot measure from their own start.

#include <chrono>
#include <cstdint>

#include "gridloom/clock.hpp"
#include "gridloom/device.hpp"
#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"

namespace gridloom::mhive {

/// Stores the machine's time.
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

/// Returns the machine's now_ns() plus `nanoseconds`. Cost: a launch and a copy.
template <class Machine>
[[nodiscard]] std::uint64_t deadline_in(Machine& machine, std::uint64_t nanoseconds) {
  auto const now = machine.template allocate<std::uint64_t>(1);
  machine.launch({1, 1}, clock_kernel{now.data()});
  return machine.copy_to_host(now)[0] + nanoseconds;
}

/// A limit for kernels that check the deadline themselves and give up without a message.
struct time_limit {
  template <class Machine>
  time_limit(Machine& machine, double seconds)
      : limit_s(seconds),
        deadline_ns(deadline_in(machine, static_cast<std::uint64_t>(seconds * 1e9))) {}

  /// Call it after the kernels have ended. Throws timeout_error if one of them may have given up.
  void require_kept() const {
    std::chrono::duration<double> const passed = std::chrono::steady_clock::now() - begin;
    if (passed.count() < limit_s) return;
    throw timeout_error(timeout_text(limit_s));
  }

  // The host's clock is read before the machine's. So no kernel gives up earlier than `limit_s`
  // after this time.
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  double limit_s;
  std::uint64_t deadline_ns;
};

/// Whether the deadline has passed. If so, stops the run for all workers. Called by one thread.
template <class Memory, class Dog>
[[nodiscard]] GRIDLOOM_FN bool past(Memory& memory, std::uint64_t deadline_ns, Dog const& dog) {
  if (now_ns() < deadline_ns) return false;
  memory.store_relaxed(dog.stop, std::uint32_t{1});
  return true;
}

}  // namespace gridloom::mhive
