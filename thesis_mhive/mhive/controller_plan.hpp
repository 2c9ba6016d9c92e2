#pragma once
// The decisions of a controller on the device (chapters 3.4 and 6.3). In each round it decides
// which queues give out tasks, whether the phase has ended, and whether the run has ended. The
// controller that launches kernels and the controller with resident workers share this code.
//
// Only the controller gives out tickets, so it knows their number. It first checks whether any task
// runs. If no task runs, the tails of the queues are exact, because only tasks enqueue. Then a
// phase whose queues are empty has ended, and the run is over when all queues are empty.

#include <cstdint>

#include "mhive/type_dispatch.hpp"
#include "mhive/type_kernel.hpp"

namespace gridloom::mhive {

/// The words of a controller, in the shared memory of its block.
template <class Queue>
struct controller_words {
  /// For each type, the number of tickets given out.
  std::uint32_t heads[Queue::num_types];
  /// For each type, the number of tickets not yet given out, as last read.
  std::uint32_t waiting[Queue::num_types];
  std::int32_t phase;
  std::uint32_t changes;
  /// 1: no task is left. 2: the run was stopped.
  std::uint32_t over;
  /// 0 before the first decision. That decision moves to the first phase with tasks, but does not
  /// count as a change of phase.
  std::uint32_t begun;
  /// 1 if some queue that may run has enough tasks for several blocks.
  std::uint32_t efficient;

  /// Initialises the words. One thread, at the start.
  GRIDLOOM_FN void reset() {
    for (int t = 0; t < Queue::num_types; ++t) heads[t] = waiting[t] = 0;
    phase = 0;
    changes = 0;
    over = 0;
    begun = 0;
  }
  /// Reads the queue with this index. Called by one thread per queue, after the check whether any
  /// task runs.
  template <class Memory>
  GRIDLOOM_FN void look(Memory& memory, run_words<Queue>& words, int type) {
    waiting[type] = memory.load_relaxed(&words.queues[type].tail) - heads[type];
  }
  /// Whether the type has tasks that may run now.
  GRIDLOOM_FN bool ready(int type) const {
    int const own = Queue::phase_of(type);
    return (own < 0 || own == phase) && waiting[static_cast<unsigned>(type)] > 0;
  }
  /// Whether the type's tasks are worth a launch. While some queues fill several blocks, only those
  /// are served.
  GRIDLOOM_FN bool should_serve(int type) const {
    return ready(type) && (efficient == 0 || fills_blocks(type));
  }

  /// Makes the decisions of a round, with one thread, after all queues were read. `idle`: no task
  /// was running before the queues were read. If the current phase has no tasks, moves to the next
  /// phase with tasks. If no phase has tasks, the run is over.
  GRIDLOOM_FN void decide(bool idle) {
    if (idle && !has_tasks(phase)) {
      int next = -1;
      for (int step = 1; step < Queue::num_phases && next < 0; ++step) {
        int const p =
            phase + step < Queue::num_phases ? phase + step : phase + step - Queue::num_phases;
        if (has_tasks(p)) next = p;
      }
      if (next >= 0) {
        phase = next;
        changes += begun;
      } else if (!has_tasks(-1)) {
        over = 1;
      }
    }
    begun = 1;
    efficient = 0;
    for (int t = 0; t < Queue::num_types; ++t) {
      if (ready(t) && fills_blocks(t)) efficient = 1;
    }
  }

 private:
  GRIDLOOM_FN bool has_tasks(int p) const {
    for (int t = 0; t < Queue::num_types; ++t) {
      if (Queue::phase_of(t) == p && waiting[t] > 0) return true;
    }
    return false;
  }
  GRIDLOOM_FN bool fills_blocks(int type) const {
    std::uint32_t workers = 1;
    with_type<Queue>(type, [&](auto tag) {
      workers = static_cast<std::uint32_t>(workers_of_block<typename decltype(tag)::type>);
    });
    return waiting[type] >= 2 * workers;
  }
};

}  // namespace gridloom::mhive
