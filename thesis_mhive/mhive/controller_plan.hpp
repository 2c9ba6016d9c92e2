#pragma once
// What a controller on the device decides in a round (chapters 3.4 and 6.3): which queues hand out
// tasks, whether the phase has ended, whether everything has. The same for a controller that
// launches kernels and for one that has resident workers.
//
// The controller gives out the tickets and alone knows how far it got. When nothing runs - which it
// sees first - the tails of the queues are exact, because only tasks enqueue: a phase without
// waiting tasks has then ended, and a program without any is over.

#include <cstdint>

#include "mhive/type_dispatch.hpp"
#include "mhive/type_kernel.hpp"

namespace gridloom::mhive {

/// A controller's words, in the shared memory of its block.
template <class Queue>
struct controller_words {
  /// Tickets given out.
  std::uint32_t heads[Queue::num_types];
  /// Not yet, when last looked at.
  std::uint32_t waiting[Queue::num_types];
  std::int32_t phase;
  std::uint32_t changes;
  /// 1: no task is left.
  std::uint32_t over;
  /// The way to the first phase with tasks is no change of phase.
  std::uint32_t begun;
  /// 1: some queue that may run fills several blocks.
  std::uint32_t efficient;

  /// At the start of the controller, one thread.
  GRIDLOOM_FN void reset() {
    for (int t = 0; t < Queue::num_types; ++t) heads[t] = waiting[t] = 0;
    phase = 0;
    changes = 0;
    over = 0;
    begun = 0;
  }
  /// Looks at the queue of this index. One thread a queue, after the look at what runs.
  template <class Memory>
  GRIDLOOM_FN void look(Memory& memory, run_words<Queue>& words, int type) {
    waiting[type] = memory.load_relaxed(&words.queues[type].tail) - heads[type];
  }
  /// Whether the type has tasks that may run now.
  GRIDLOOM_FN bool ready(int type) const {
    int const own = Queue::phase_of(type);
    return (own < 0 || own == phase) && waiting[static_cast<unsigned>(type)] > 0;
  }
  /// Whether launches for the type are worth their cost: while some queues fill several blocks,
  /// only those are served.
  GRIDLOOM_FN bool worth_it(int type) const {
    return ready(type) && (efficient == 0 || fills_blocks(type));
  }

  /// One thread, after all have looked; `idle`: nothing ran before that. Moves to the next phase
  /// that has tasks when the current one has none, to the end when there are none at all.
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
