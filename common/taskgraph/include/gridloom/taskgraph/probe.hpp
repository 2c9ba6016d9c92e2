#pragma once
// Probes, which observe a run. Schedulers make every access to shared words through their probe,
// and tell the probe when a task begins and ends. `silent_probe` compiles to nothing. `full_probe`
// counts accesses (Fig. 3 of the paper), writes a trace, issues order tickets and injects delays.
// Each of these works only if its array is given.

#include <cstdint>

#include "gridloom/atomic.hpp"
#include "gridloom/clock.hpp"
#include "gridloom/trace.hpp"

namespace gridloom {

/// Times at which a task began and ended, on one global clock of tickets. All tickets are distinct.
struct order_ticket {
  std::uint32_t begun;
  std::uint32_t ended;
  /// Number of times that the task ran.
  std::uint32_t times;
};

/// The arrays that a probe writes. A null pointer switches a part off.
struct probe_ref {
  /// Counts of accesses, summed over all workers.
  access_counts* counts = nullptr;
  /// Next ticket.
  std::uint32_t* ticket_clock = nullptr;
  /// Array of one ticket per task.
  order_ticket* tickets = nullptr;
  trace_ref trace;
  /// Seed of the delays; 0: no delays.
  std::uint32_t delay_seed = 0;

  bool operator==(probe_ref const&) const = default;
};

/// Observes nothing and costs nothing.
struct silent_probe : direct_memory {
  GRIDLOOM_FN silent_probe(probe_ref const&, int /*worker*/) {}
  GRIDLOOM_FN void begin(std::uint32_t) {}
  GRIDLOOM_FN void end(std::uint32_t) {}
  GRIDLOOM_FN void flush() {}
};

/// Hook of `full_probe`: counts accesses, and delays workers at random, which makes rare
/// interleavings frequent.
struct delaying_counts : access_counts {
  std::uint32_t random = 0;

  GRIDLOOM_FN void before(access kind, void const* word) {
    access_counts::before(kind, word);
    if (random != 0) delay();
  }
  GRIDLOOM_FN void delay() {
    random ^= random << 13;
    random ^= random >> 17;
    random ^= random << 5;
    if ((random & 31U) != 0) return;
    std::uint64_t const begin = now_ticks();
    while (now_ticks() - begin < (random >> 20)) {
    }
  }
};

/// Observes everything. Belongs to one thread, which has number `worker` in the trace.
class full_probe : public hooked_memory<delaying_counts> {
 public:
  GRIDLOOM_FN full_probe(probe_ref const& to, int worker) : to_(to), worker_(worker) {
    if (to.delay_seed != 0)
      random = (to.delay_seed + static_cast<std::uint32_t>(worker)) * 2654435761U | 1U;
  }
  GRIDLOOM_FN void begin(std::uint32_t task) {
    if (to_.tickets != nullptr) {
      direct_memory direct;
      direct.fetch_add_relaxed(&to_.tickets[task].times, 1U);
      // Acquire-release makes the order of tickets agree with the order of the tasks' effects.
      to_.tickets[task].begun = direct.fetch_add_acq_rel(to_.ticket_clock, 1U);
    }
    begun_ns_ = to_.trace.on() ? now_ns() : 0;
  }
  GRIDLOOM_FN void end(std::uint32_t task) {
    if (to_.trace.on()) to_.trace.record(worker_, {task, 0, begun_ns_, now_ns()});
    if (to_.tickets != nullptr)
      to_.tickets[task].ended = direct_memory{}.fetch_add_acq_rel(to_.ticket_clock, 1U);
  }
  /// Adds this thread's counts to the sums. Called last.
  GRIDLOOM_FN void flush() {
    if (to_.counts == nullptr) return;
    direct_memory direct;
    direct.fetch_add_relaxed(&to_.counts->loads, loads);
    direct.fetch_add_relaxed(&to_.counts->stores, stores);
    direct.fetch_add_relaxed(&to_.counts->atomics, atomics);
    direct.fetch_add_relaxed(&to_.counts->compare_exchanges, compare_exchanges);
  }

 private:
  probe_ref to_;
  int worker_;
  std::uint64_t begun_ns_ = 0;
};

}  // namespace gridloom
