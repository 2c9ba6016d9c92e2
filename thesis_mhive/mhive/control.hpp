#pragma once
// Decides which phase of a megakernel's run is current, when it ends, and when the run ends
// (chapters 4.2 and 6.2). In the other schedulers a controller decides this (time_sliced.hpp,
// controller_plan.hpp), but the megakernel has none. The gate is a word that holds the current
// phase.
//
// Rules of order, cited where they apply:
// CT.R1. Counts. `total` is the number of tasks that were enqueued and have not finished.
//     `pending[p]` is the same for the task types of phase p. Both are raised before an item is put
//     into its queue and lowered after its task has finished. So no count falls to 0 while one of
//     its tasks is queued or runs. A task that enqueues or releases others raises the counts before
//     its own end lowers them. Tasks in a waiting storage are not counted. A block lowers counts
//     late, by several tasks at once, but always before it checks for the end of a phase. So counts
//     may be too high for a while, but never too low. A batch_fence before lowering releases what
//     the tasks wrote.
// CT.R2. Termination. Once total is 0, it stays 0, because only tasks enqueue and release tasks,
//     and none is left. (Reading several counts one after the other would not suffice: a task could
//     move between two reads.) Tasks that still wait for dependencies then wait forever, which is
//     an error.
// CT.R3. Check after a claim. The phase may change between a worker's look at the gate and its
//     claim of an item. The item may even belong to a later turn of its phase. So the worker reads
//     the gate again after the claim. Producers raise the queue's count after a fence, and claims
//     acquire it (WQ.R1); tickets are given in the order of turns. So a worker that claims an item
//     of a later turn also sees the gate of that turn, and puts the item back. If the gate shows
//     the item's phase, the phase cannot end before the item's task, because pending[p] counts it.
// CT.R4. A worker that has just moved the gate to p skips this check for items that were queued
//     before. pending[p] counts them, so p lasts until their tasks end. The worker recognises them
//     by the ticket: the head of the queue has not changed since it read the head before the move.
//     If the worker's own tasks were the last of the phase before p, it claims before the gate has
//     moved. It read the head before it lowered the count. So these items were queued while the
//     earlier phase lasted, and whoever moves the gate moves it to p.
// CT.R5. End of a phase. While p is current, only tasks of p and phaseless tasks run. Without
//     phaseless tasks, pending[p] = 0 holds until p is current again.
// CT.R6. With phaseless tasks, one of them may raise pending[p] after a worker read 0. So a phase
//     is closed in two steps: the gate is marked `closing`, then pending[p] is read again. This and
//     the check of a claim each have a full fence in the middle. So either the check reads
//     `closing`, or the second reading of pending[p] sees the raise for the claimed item. In the
//     second case pending[p] is not 0, and the phase stays open.
// CT.R7. The gate's word holds a number that grows at every change of phase. So a late
//     compare-and-swap fails, even if its worker slept through a whole cycle. For the same reason
//     the gate is read before the counts, with a batch_fence between: counts older than the gate
//     would belong to another turn. A block need not read it while a task of a phase is still counted
//     for it: the gate has the word under which the task was claimed (CT.R3), or is closing.
// CT.R8. Tasks of a phase see what tasks of earlier phases wrote. Lowering a count releases these
//     writes (CT.R1). The worker that moves the gate reads the counts; a batch_fence then acquires
//     the writes, and the gate releases them. Reading the gate after a claim acquires them.
//
// Cost. Six accesses to L2 lie between the last task of a phase and the first of the next, and
// each waits for the one before. They are a producer's ticket, its slot's room, the queues' words,
// the counts, the claim with the gate, and the slot. A releasing fence costs about as much as an
// access, so it is placed where the code waits for an access anyway: before the counts (CT.R1) with
// the queues' words, and before the gate (CT.R8) with the claim. Acquiring is part of the access.

#include <cstdint>

#include "gridloom/portable.hpp"
#include "mhive/phases.hpp"

namespace gridloom::mhive {

/// Reasons that stop a run before its end. Only the first one is kept.
enum class fault_kind : std::uint32_t {
  none,
  /// Detail: index of the task type.
  queue_full,
  /// Detail: index of the task type.
  storage_full,
  /// Detail: the device's error number.
  launch_failed,
  /// A task asked for the end, which is no error.
  stopped,
};

struct count_word {
  alignas(line_bytes) std::int64_t count;
};

/// The words of one run, in device memory. All but the counts are zero at the start.
struct control_words {
  alignas(line_bytes) std::uint64_t gate;
  alignas(line_bytes) std::int64_t total;
  /// The kind in the lower half, and the detail in the upper half.
  alignas(line_bytes) std::uint64_t fault;
};

/// The gate's word holds the number of phase changes, the current phase and the state.
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
  /// With a single phase the total suffices, because the phase ends when the run ends.
  static constexpr bool counts_phases = Queue::num_phases > 1;
  static constexpr bool closes_gate = counts_phases && Queue::num_phaseless > 0;

  control_words* words = nullptr;
  /// Array of one count per phase.
  count_word* pending = nullptr;

  /// Counts `n` items of `phase` (-1: phaseless). Call it before they are put into their queue. Any
  /// thread.
  template <class Memory>
  GRIDLOOM_FN void raise(Memory& memory, int phase, std::int64_t n) const {
    memory.fetch_add_relaxed(&words->total, n);
    if (counts_phases && phase >= 0) memory.fetch_add_relaxed(&pending[phase].count, n);
  }
  /// Reads the gate's word, which may be slightly out of date. A batch_fence after this call orders
  /// the read before later accesses.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN std::uint64_t glance(Memory& memory) const {
    return memory.load_in_batch(&words->gate);
  }

  // The gate is moved in two steps: `finish` or `advance` returns its new word, and `move` tries to
  // write that word. `seen` is the gate's word as read before. A result equal to `seen` does not
  // move the gate. Called by one thread.

  /// Lowers the counts, after `phaseless` phaseless tasks and `phased` tasks of the current phase
  /// have finished. Called after a batch_fence, so the writes of these tasks come before the change
  /// (CT.R1), and the read of the gate does, too (CT.R7).
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN std::uint64_t finish(Memory& memory, std::uint64_t seen,
                                                 std::int64_t phaseless,
                                                 std::int64_t phased) const {
    int const current = gate::phase(seen);
    std::int64_t const all = phaseless + phased;
    // The updates are issued together. A branch between them would wait for the first.
    std::int64_t const before = memory.fetch_sub_in_batch(&words->total, all);
    std::int64_t phased_before = 0;
    std::int64_t after = 0;
    if constexpr (counts_phases) {
      phased_before = memory.fetch_sub_in_batch(&pending[current].count, phased);
      after = memory.load_in_batch(&pending[following(current)].count);
    }
    // A worker that closes the gate reads the counts again.
    if (gate::state(seen) != gate::open) return seen;
    if (before == all) return end_of(seen);
    if (phased == 0 || phased_before != phased) return seen;
    // The next phase's count was read before this phase was known to have ended. If that count was
    // not 0, its tasks still exist. If it was 0, all counts must be read again.
    return after != 0 ? next_of(seen, following(current)) : advance(memory, seen);
  }

  /// Returns the gate's new word if the current phase has ended: that of the next phase with tasks,
  /// or of the end. Called by a worker that has lowered the counts of all tasks that it finished.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN std::uint64_t advance(Memory& memory, std::uint64_t seen) const {
    if (gate::state(seen) != gate::open) return seen;
    memory.batch_fence();  // CT.R7
    std::int64_t const total = memory.load_in_batch(&words->total);
    std::int64_t const left =
        counts_phases ? memory.load_in_batch(&pending[gate::phase(seen)].count) : 1;
    memory.batch_fence();  // CT.R5
    if (total == 0) return end_of(seen);
    if (left != 0) return seen;
    // The other counts are read only after the current phase is known to have no tasks. One of its
    // last tasks may have made tasks of a phase that had none before.
    int const next = next_with_tasks(memory, gate::phase(seen));
    // If `next` is below 0, only phaseless tasks are left.
    return next < 0 ? seen : next_of(seen, next);
  }

  /// Whether every worker that moves the gate from `seen` moves it to `to`, if the caller's own tasks
  /// were the last of the phase and `to` has a task that was queued before they ended (CT.R4).
  [[nodiscard]] GRIDLOOM_FN static bool is_sure(std::uint64_t seen, std::uint64_t to) {
    return counts_phases && !closes_gate && gate::state(to) == gate::open &&
           gate::phase(to) == following(gate::phase(seen));
  }
  /// Moves the gate from `seen` to `to`, unless the gate has changed since `seen` was read. Returns
  /// the gate's new word as far as the caller knows it. All threads that read the gate later see
  /// what the counts made visible to this thread.
  template <class Memory>
  GRIDLOOM_FN std::uint64_t move(Memory& memory, std::uint64_t seen, std::uint64_t to) const {
    if (to == seen) return seen;
    memory.batch_fence();  // CT.R8
    if (!closes_gate || gate::state(to) == gate::ended) return change(memory, seen, to);
    std::uint64_t const closing = gate::word(gate::changes(seen), gate::phase(seen), gate::closing);
    if (change(memory, seen, closing) != closing) return seen;
    memory.full_fence();                                                            // CT.R6
    bool const over = memory.load_acquire(&pending[gate::phase(seen)].count) == 0;  // CT.R8
    memory.store_release(&words->gate, over ? to : seen);                           // CT.R8
    return over ? to : seen;
  }

  /// Fence between two accesses: the claim of items of phase `p`, which acquires, and the read of
  /// the gate.
  template <class Memory>
  GRIDLOOM_FN void fence_after_claim(Memory& memory, int p) const {
    if (closes_gate && p >= 0) memory.full_fence();  // CT.R6
  }
  /// Whether the claimed items of phase `p` may run. If so, the writes of tasks of earlier phases
  /// are visible. Waits while another worker closes the gate, which takes that worker three
  /// accesses. Sets `word` to the gate's word if `p` is a phase and there are several.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool may_run(Memory& memory, int p, std::uint64_t& word) const {
    if (!counts_phases || p < 0) return true;
    word = memory.load_acquire(&words->gate);  // CT.R3, CT.R8
    for (unsigned attempt = 0; gate::state(word) == gate::closing; ++attempt) {
      give_way(attempt);
      word = memory.load_acquire(&words->gate);  // CT.R3, CT.R8
    }
    return gate::state(word) == gate::open && gate::phase(word) == p;
  }

  /// Records a fault, if the run has none yet. The caller then sets the watchdog's stop word.
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

  // Returns the nearest phase after `current` that has tasks, or -1.
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
