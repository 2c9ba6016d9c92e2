#include "gridloom/host_waiting.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include "gridloom/clock.hpp"

namespace gridloom {

namespace {

// Measured on two cores of an EPYC under Linux 6.18. A yield to another worker takes a microsecond.
// A yield to another program costs the rest of a time slice, and more each time. But a sleeping
// thread soon gets its core back. So workers yield, but after a long yield they sleep for a while.
constexpr std::uint64_t yield_ns = 500'000;
constexpr std::uint64_t long_yield_ns = 1'000'000;
constexpr std::uint64_t without_yields_ns = 30'000'000;
constexpr std::uint64_t spin_ns = 20'000;
// A nap is a small part of the time waited so far, so the end of the wait is soon noticed.
constexpr std::uint64_t part_of_wait = 32;
constexpr std::uint64_t shortest_nap_ns = 5'000;
constexpr std::uint64_t longest_nap_ns = 200'000;

// State of the current wait and of the yields of a thread.
struct wait_state {
  unsigned last_attempt = ~0U;
  std::uint64_t begin_ns = 0;
  std::uint64_t may_yield_ns = 0;
};
thread_local wait_state waiting;

void nap(std::uint64_t ns) {
#if defined(__linux__)
  // By default Linux extends a nap by up to 50 us.
  thread_local bool const is_exact = prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL) == 0;
  static_cast<void>(is_exact);
#endif
  std::this_thread::sleep_for(std::chrono::nanoseconds{ns});
}

}  // namespace

void wait_longer(unsigned attempt) {
  std::uint64_t const now = now_ns();
  if (attempt <= waiting.last_attempt) waiting.begin_ns = now;
  waiting.last_attempt = attempt;
  std::uint64_t const waited = now - waiting.begin_ns;
  if (now >= waiting.may_yield_ns && waited < yield_ns) {
    std::this_thread::yield();
    std::uint64_t const back = now_ns();
    if (back - now > long_yield_ns) waiting.may_yield_ns = back + without_yields_ns;
  } else if (waited < spin_ns) {
    spin_once();
  } else {
    nap(std::clamp(waited / part_of_wait, shortest_nap_ns, longest_nap_ns));
  }
}

void host_barrier::arrive_and_wait() {
  // HB.R1. The last worker to arrive acquires what all others released.
  // HB.R2. Its release of the next meeting number passes all this on.
  // HB.R3. It resets the count before this release, so no worker counts for the next meeting too
  //     early.
  std::uint32_t const meeting = meeting_.load(std::memory_order_relaxed);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == workers_) {  // HB.R1
    arrived_.store(0, std::memory_order_relaxed);
    meeting_.store(meeting + 1, std::memory_order_release);  // HB.R2, HB.R3
    return;
  }
  for (unsigned attempt = 0; meeting_.load(std::memory_order_acquire) == meeting;  // HB.R2
       ++attempt) {
    give_way(attempt);
  }
}

}  // namespace gridloom
