#pragma once
// Which phase runs, when it ends, and when everything has ended: the megakernel's side, where no
// controller knows it. (The other schedulers have one, see time_sliced.hpp, controller_plan.hpp.)
//
// Rules, cited where they are served:
// C1. Counts. `total` counts tasks that were enqueued and have not finished; `pending[p]` the same
//     for the task types of phase p. Both are raised before an item is put into its queue and
//     lowered after its task has finished, so neither ever falls to 0 while such a task is queued
//     or runs. A task that enqueues others raises the counts before its own end lowers them; so
//     does one that releases others from a waiting storage. Tasks in a waiting storage are not
//     counted. Counts are lowered late (a block lowers them by several tasks at once, and always
//     before it looks for the end of a phase), which keeps them too high for a while and never too
//     low. A batch_fence before lowering releases what the tasks wrote.
// C2. Termination: total = 0 once means total = 0 for ever. Only tasks enqueue and release, and
//     there is none. (Looking at several counts one after the other would not do: a task could move
//     behind the reader.) Tasks that then still wait for dependencies wait for ever: an error.
// C3. A claim is checked: between a worker's look at the gate and its claim of an item, the phase
//     may change, and the item may be one that a task of the new phase made for the next turn. So
//     the gate is looked at again after the claim. Producers raise the queue's count after a fence,
//     claims acquire it (Q1 of work_queue.hpp), and tickets are given in the order of turns, so
//     whoever claims an item that was made in a later turn also sees that turn's gate, and puts the
//     item back. If the gate shows the item's phase, the phase cannot end before the item's task:
//     pending[p] counts it.
// C4. Who has just moved the gate to p itself need not look again if the items that it claims were
//     there before: pending[p] has counted them since, so p lasts until their tasks have ended. It
//     knows by the ticket: the head of the queue is where it was when it looked, before the move.
// C5. End of a phase: while p is the current phase, tasks of p and phaseless ones run. Without
//     phaseless ones, pending[p] = 0 lasts until p is current again.
// C6. With phaseless ones: a phaseless task may raise pending[p] after somebody saw 0. So a phase is
//     closed in two steps: the gate is marked `closing`, then pending[p] is read again. Both this
//     and the check of a claim have a full fence in their middle. So either the claim's check reads
//     `closing`, or its item's raise of pending[p] comes before the second reading, which then is
//     not 0, and the phase stays open.
// C7. The gate's word has a number of its own that grows at every change of phase, so a late
//     compare-and-swap of a worker that slept through a whole cycle fails. That is also why the gate
//     is read before the counts and never after: counts older than the gate would belong to another
//     turn. A batch_fence stands between the two.
// C8. What tasks of a phase wrote, those of the next see: C1 releases it with the counts, a
//     batch_fence after the counts acquires it and releases it with the gate, and the look at the
//     gate after a claim acquires that.
//
// Cost. On the way from the last task of a phase to the first of the next there are six accesses to
// L2 one after the other: a producer's ticket, its slot's room, the counts, the gate, the claim,
// the slot. Fences that release cost about as much as an access, so they stand where an access is
// waited for anyway; what only acquires is part of the access.

#include <cstdint>

#include "gridloom/portable.hpp"
#include "mhive/phases.hpp"

namespace gridloom::mhive {

/// What stops a run besides its end. The first one that is raised is kept.
enum class fault_kind : std::uint32_t {
  none,
  /// Detail: index of the task type.
  queue_full,
  /// Detail: index of the task type.
  storage_full,
  /// Detail: the device's error number.
  launch_failed,
  /// A task asked for it: no error.
  stopped,
};

struct count_word {
  alignas(line_bytes) std::int64_t count;
};

/// The words of one run, in device memory; all zero at its start but for the counts.
struct control_words {
  alignas(line_bytes) std::uint64_t gate;
  alignas(line_bytes) std::int64_t total;
  /// The kind in the lower half, the detail in the upper.
  alignas(line_bytes) std::uint64_t fault;
};

/// The gate's word: number of phase changes, current phase, state.
namespace gate {
inline constexpr std::uint64_t open = 0;
inline constexpr std::uint64_t closing = 1;
inline constexpr std::uint64_t ended = 2;

GRIDLOOM_FN inline std::uint64_t word(std::uint64_t changes, int phase, std::uint64_t state) {
  return changes << 16U | static_cast<std::uint64_t>(phase) << 2U | state;
}
GRIDLOOM_FN inline std::uint64_t changes(std::uint64_t word) { return word >> 16U; }
GRIDLOOM_FN inline int phase(std::uint64_t word) { return static_cast<int>(word >> 2U & 0x3fffU); }
GRIDLOOM_FN inline std::uint64_t state(std::uint64_t word) { return word & 3U; }
}  // namespace gate

/// View of the control words for the task types of `Queue`, a phase_queue.
template <class Queue>
struct control_ref {
  /// A single phase never ends before the run does: the total says it all.
  static constexpr bool counts_phases = Queue::num_phases > 1;
  static constexpr bool closes_gate = counts_phases && Queue::num_phaseless > 0;

  control_words* words = nullptr;
  /// One a phase.
  count_word* pending = nullptr;

  /// Before `n` items of this phase (-1: phaseless) are put into their queue. Any thread.
  template <class Memory>
  GRIDLOOM_FN void raise(Memory& memory, int phase, std::int64_t n) const {
    memory.fetch_add_relaxed(&words->total, n);
    if (counts_phases && phase >= 0) memory.fetch_add_relaxed(&pending[phase].count, n);
  }
  /// The gate's word as it is now or was a moment ago; comes before what a batch_fence separates
  /// from it, as `finish` does.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN std::uint64_t glance(Memory& memory) const {
    return memory.load_in_batch(&words->gate);
  }

  // The gate is moved in two steps: `finish` or `advance` says where to, `move` tries it. `seen` is
  // the gate's word, looked at before; a result that equals it means to leave it. One thread.

  /// After `phaseless` phaseless tasks and `phased` tasks of the current phase have finished; what
  /// they wrote comes before.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN std::uint64_t finish(Memory& memory, std::uint64_t seen,
                                                 std::int64_t phaseless,
                                                 std::int64_t phased) const {
    memory.batch_fence();  // C1, C7
    int const current = gate::phase(seen);
    std::int64_t const all = phaseless + phased;
    // All at once, and no branch in between: it would wait.
    std::int64_t const before = memory.fetch_sub_in_batch(&words->total, all);
    std::int64_t phased_before = 0;
    std::int64_t after = 0;
    if constexpr (counts_phases) {
      phased_before = memory.fetch_sub_in_batch(&pending[current].count, phased);
      after = memory.load_in_batch(&pending[following(current)].count);
    }
    if (gate::state(seen) != gate::open) return seen;  // being closed: its closer looks again
    if (before == all) return end_of(seen);
    if (phased == 0 || phased_before != phased) return seen;
    // The next phase's count was read before it was sure that this one has ended; what was there
    // then, is there still. Nothing was there: look again, at all.
    return after != 0 ? next_of(seen, following(current)) : advance(memory, seen);
  }

  /// The next phase that has tasks, or the end, if the current phase has ended. By a worker that
  /// has lowered the counts of all it finished.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN std::uint64_t advance(Memory& memory, std::uint64_t seen) const {
    if (gate::state(seen) != gate::open) return seen;
    memory.batch_fence();  // C7
    std::int64_t const total = memory.load_in_batch(&words->total);
    std::int64_t const left =
        counts_phases ? memory.load_in_batch(&pending[gate::phase(seen)].count) : 1;
    memory.batch_fence();  // C5: the counts of other phases are looked at after this one's
    if (total == 0) return end_of(seen);
    if (left != 0) return seen;
    // Only now that the current phase is known to have no tasks: one of its last may have made
    // tasks of a phase that had none before.
    int const next = next_with_tasks(memory, gate::phase(seen));
    return next < 0 ? seen : next_of(seen, next);  // below 0: only phaseless ones are left
  }

  /// Moves the gate from `seen` to `to`, which was made from it, if it still stands at `seen`;
  /// returns where it is then, as far as the caller knows. What the counts made visible to this
  /// thread becomes visible to all who look at the gate.
  template <class Memory>
  GRIDLOOM_FN std::uint64_t move(Memory& memory, std::uint64_t seen, std::uint64_t to) const {
    if (to == seen) return seen;
    memory.batch_fence();  // C8
    if (!closes_gate || gate::state(to) == gate::ended) return change(memory, seen, to);
    std::uint64_t const closing = gate::word(gate::changes(seen), gate::phase(seen), gate::closing);
    if (change(memory, seen, closing) != closing) return seen;
    memory.full_fence();                                                            // C6
    bool const over = memory.load_acquire(&pending[gate::phase(seen)].count) == 0;  // C8
    memory.store_release(&words->gate, over ? to : seen);                           // C8
    return over ? to : seen;
  }

  /// Between the claim of items of phase `p`, which acquires, and the look at the gate.
  template <class Memory>
  GRIDLOOM_FN void fence_after_claim(Memory& memory, int p) const {
    if (closes_gate && p >= 0) memory.full_fence();  // C6
  }
  /// Whether the items of phase `p` that the caller has claimed may run; what tasks of earlier
  /// phases wrote is visible then. Waits while the gate is being closed, which takes its closer
  /// three accesses.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool may_run(Memory& memory, int p) const {
    if (!counts_phases || p < 0) return true;
    std::uint64_t word = memory.load_acquire(&words->gate);  // C3, C8
    for (unsigned attempt = 0; gate::state(word) == gate::closing; ++attempt) {
      give_way(attempt);
      word = memory.load_acquire(&words->gate);  // C3, C8
    }
    return gate::state(word) == gate::open && gate::phase(word) == p;
  }

  /// Keeps the first fault of a run. The caller raises the watchdog's stop word.
  template <class Memory>
  GRIDLOOM_FN void fail(Memory& memory, fault_kind kind, int detail) const {
    std::uint64_t const fault =
        static_cast<std::uint64_t>(kind) | static_cast<std::uint64_t>(detail) << 32U;
    static_cast<void>(memory.compare_exchange_relaxed(&words->fault, std::uint64_t{0}, fault));
  }

 private:
  GRIDLOOM_FN static int following(int phase) {
    return phase + 1 < Queue::num_phases ? phase + 1 : 0;
  }

  GRIDLOOM_FN static std::uint64_t end_of(std::uint64_t seen) {
    return gate::word(gate::changes(seen), gate::phase(seen), gate::ended);
  }
  GRIDLOOM_FN static std::uint64_t next_of(std::uint64_t seen, int phase) {
    return gate::word(gate::changes(seen) + 1, phase, gate::open);
  }
  template <class Memory>
  GRIDLOOM_FN std::uint64_t change(Memory& memory, std::uint64_t from, std::uint64_t to) const {
    return memory.exchange_if_in_batch(&words->gate, from, to) == from ? to : from;
  }

  // The nearest phase after `current` that has tasks, or -1.
  template <class Memory>
  GRIDLOOM_FN int next_with_tasks(Memory& memory, int current) const {
    std::int64_t counts[Queue::num_phases > 0 ? Queue::num_phases : 1];
    for (int p = 0; p < Queue::num_phases; ++p) counts[p] = memory.load_in_batch(&pending[p].count);
    int next = -1;
    int nearest = Queue::num_phases;
    for (int p = 0; p < Queue::num_phases; ++p) {
      int const distance = p > current ? p - current : p - current + Queue::num_phases;
      if (p != current && counts[p] != 0 && distance < nearest) {
        next = p;
        nearest = distance;
      }
    }
    return next;
  }
};

}  // namespace gridloom::mhive
