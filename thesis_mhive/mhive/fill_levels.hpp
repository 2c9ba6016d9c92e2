#pragma once
// Fill levels of the queues, for the host's controller of time-sliced kernels: how many tickets
// were given out, and how many wait.

#include <array>
#include <cstdint>
#include <span>

#include "mhive/phases.hpp"
#include "mhive/work_queue.hpp"

namespace gridloom::mhive {

template <class Queue>
class fill_levels {
 public:
  /// Reads the tails of all queues. Call it when no task runs.
  void read(std::span<queue_words const, Queue::num_types> words) {
    for (std::size_t t = 0; t < words.size(); ++t) tails_[t] = words[t].tail;
  }
  /// Returns the number of tickets of the task type that were not given out.
  [[nodiscard]] std::uint32_t waiting(int type) const {
    return tails_[static_cast<std::size_t>(type)] - heads_[static_cast<std::size_t>(type)];
  }
  /// Gives out `n` tickets and returns the first.
  std::uint32_t take(int type, std::uint32_t n) {
    std::uint32_t const first = heads_[static_cast<std::size_t>(type)];
    heads_[static_cast<std::size_t>(type)] += n;
    return first;
  }
  /// Whether the phase has tasks (-1: phaseless types).
  [[nodiscard]] bool has_tasks(int phase) const {
    for (int type = 0; type < Queue::num_types; ++type) {
      if (Queue::phase_of(type) == phase && waiting(type) > 0) return true;
    }
    return false;
  }
  /// Returns the phase to run next: the current one while it has tasks, otherwise the next one in
  /// circular order that has tasks. Returns the current one if only phaseless tasks are left, and
  /// -1 if no task is left.
  [[nodiscard]] int phase_after(int current) const {
    constexpr int phases = Queue::num_phases;
    for (int step = 0; step < phases; ++step) {
      int const phase = current + step < phases ? current + step : current + step - phases;
      if (has_tasks(phase)) return phase;
    }
    return has_tasks(-1) ? current : -1;
  }

 private:
  std::array<std::uint32_t, Queue::num_types> heads_{};
  std::array<std::uint32_t, Queue::num_types> tails_{};
};

}  // namespace gridloom::mhive
