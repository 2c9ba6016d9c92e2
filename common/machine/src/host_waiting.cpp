#include "gridloom/host_waiting.hpp"

#include <sched.h>
#include <algorithm>
#include <chrono>
#include <thread>

#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include "gridloom/clock.hpp"
#include "gridloom/portable.hpp"

namespace gridloom {

namespace {

// Measured on two cores of an EPYC under Linux 6.18 with `scripts/host_waiting`. What is worth
// knowing of the system: beside another program a yield costs the rest of a time slice, each time
// more of it, while a sleeper is soon back on its core. So workers that have a core each spin, then
// nap, and never yield; where workers share cores, whoever waits stands in a peer's way, and
// yields at once.
constexpr std::uint64_t spin_ns = 30'000;
constexpr std::uint64_t yield_ns = 500'000;
// A nap is a small part of the time waited before: what comes is noticed late by as little.
constexpr std::uint64_t part_of_wait = 32;
constexpr std::uint64_t shortest_nap_ns = 5'000;
constexpr std::uint64_t longest_nap_ns = 200'000;

std::atomic<bool> crowded{false};

// The wait that a thread is in.
struct wait_state {
  unsigned last_attempt = ~0U;
  std::uint64_t begin_ns = 0;
};
thread_local wait_state waiting;

int usable_cores() {
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof(usable), &usable) == 0) return CPU_COUNT(&usable);
  return static_cast<int>(std::thread::hardware_concurrency());
}

void nap(std::uint64_t ns) {
#if defined(__linux__)
  // By default Linux lets a nap take 50 us more.
  thread_local bool const is_exact = prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL) == 0;
  static_cast<void>(is_exact);
#endif
  std::this_thread::sleep_for(std::chrono::nanoseconds{ns});
}

}  // namespace

void expect_host_workers(int workers) {
  static int const cores = usable_cores();
  crowded.store(workers > cores, std::memory_order_relaxed);
}

void wait_longer(unsigned attempt) {
  bool const shares = crowded.load(std::memory_order_relaxed);
  std::uint64_t const now = now_ns();
  if (attempt <= waiting.last_attempt) waiting.begin_ns = now;
  waiting.last_attempt = attempt;
  std::uint64_t const waited = now - waiting.begin_ns;
  if (!shares && waited < spin_ns) {
    spin_once();
  } else if (shares && waited < yield_ns) {
    std::this_thread::yield();
  } else {
    nap(std::clamp(waited / part_of_wait, shortest_nap_ns, longest_nap_ns));
  }
}

void host_barrier::arrive_and_wait() {
  // B1: the last to arrive acquires what all others released; B2: its release of the next meeting
  // hands all of it on. B3: it resets the count before, so nobody counts for the next one early.
  std::uint32_t const meeting = meeting_.load(std::memory_order_relaxed);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == workers_) {  // B1
    arrived_.store(0, std::memory_order_relaxed);
    meeting_.store(meeting + 1, std::memory_order_release);  // B2, B3
    return;
  }
  for (unsigned attempt = 0; meeting_.load(std::memory_order_acquire) == meeting;
       ++attempt) {  // B2
    give_way(attempt);
  }
}

}  // namespace gridloom
