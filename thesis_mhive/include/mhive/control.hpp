#pragma once
// Which phase runs, when it ends, and when everything has ended.
//
// Counts. `total` counts tasks that were enqueued and have not finished; `pending[p]` the same for
// the task types of phase p. Both are raised before an item is put into its queue and lowered after
// its task has finished, so neither ever falls to 0 while such a task is queued or runs. A task
// that enqueues others raises the counts before its own end lowers them. Hence:
//
// - Termination: total = 0 once means total = 0 for ever. Only tasks enqueue, and there is none.
//   (Looking at several counts one after the other would not do: a task could move behind the
//   reader.)
// - End of a phase: while p is the current phase, tasks of p and phaseless ones run. Without
//   phaseless ones, pending[p] = 0 lasts until p is current again.
// - With phaseless ones: a phaseless task may raise pending[p] after somebody saw 0. So a phase is
//   closed in two steps: the gate is marked `closing`, then pending[p] is read again. A worker that
//   claimed an item of p reads the gate behind a full fence before it runs it. Either it reads
//   `closing` (or another phase) and puts the item back, or its item's raise of pending[p] comes
//   before the second reading, which then is not 0, and the phase stays open.
//
// The gate's word has a number of its own that grows at every change of phase, so a late
// compare-and-swap of a worker that slept through a whole cycle fails.
//
// Counts are lowered late (a worker lowers them by several tasks at once, and always before it
// looks for the end of a phase), which keeps them too high for a while and never too low.

#include <cstdint>

#include "gridloom/portable.hpp"
#include "mhive/phases.hpp"

namespace gridloom::mhive {

/// What stops a run besides its end. The first one that is raised is kept.
enum class fault_kind : std::uint32_t {
  none,
  queue_full,    // detail: index of the task type
  storage_full,  // detail: index of the task type
};

struct count_word {
  alignas(line_bytes) std::int64_t count;
};

/// The words of one run, in device memory; all zero at its start but for the counts.
struct control_words {
  alignas(line_bytes) std::uint64_t gate;
  alignas(line_bytes) std::int64_t total;
  alignas(line_bytes) std::int64_t waiting;  // tasks in waiting storages
  alignas(line_bytes) std::uint64_t fault;   // kind, detail above
};

/// The gate's word: number of phase changes, current phase, state.
namespace gate {
inline constexpr std::uint64_t open = 0;
inline constexpr std::uint64_t closing = 1;
inline constexpr std::uint64_t stopped = 2;

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
  count_word* pending = nullptr;  // one a phase

  /// Before `n` items of this phase (-1: phaseless) are put into their queue. Any thread.
  template <class Memory>
  GRIDLOOM_FN void raise(Memory& memory, int phase, std::int64_t n) const {
    memory.fetch_add_relaxed(&words->total, n);
    if (counts_phases && phase >= 0) memory.fetch_add_relaxed(&pending[phase].count, n);
  }
  /// After `n` tasks of this phase have finished; what they wrote comes before.
  template <class Memory>
  GRIDLOOM_FN void lower(Memory& memory, int phase, std::int64_t n) const {
    if (counts_phases && phase >= 0) memory.fetch_sub_acq_rel(&pending[phase].count, n);
    memory.fetch_sub_acq_rel(&words->total, n);
  }

  /// The gate, with acquire order: what tasks of earlier phases wrote is visible behind it.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN std::uint64_t look(Memory& memory) const {
    return memory.load_acquire(&words->gate);
  }

  /// Whether the item of phase `p` that the caller has claimed may run. Waits while the gate is
  /// being closed, which takes its closer three accesses.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool may_run(Memory& memory, int p) const {
    if (!closes_gate || p < 0) return true;
    memory.full_fence();
    std::uint64_t word = look(memory);
    while (gate::state(word) == gate::closing) word = look(memory);
    return gate::state(word) == gate::open && gate::phase(word) == p;
  }

  /// Goes on to the next phase that has tasks, or stops the run, if the current phase has ended.
  /// One thread of a worker that has lowered the counts of all it finished.
  template <class Memory>
  GRIDLOOM_FN void advance(Memory& memory) const {
    std::uint64_t const word = look(memory);
    if (gate::state(word) != gate::open) return;
    int const current = gate::phase(word);
    std::uint64_t const changes = gate::changes(word);
    if (memory.load_acquire(&words->total) == 0) {
      change(memory, word, gate::word(changes, current, gate::stopped));
      return;
    }
    if constexpr (counts_phases) {
      if (memory.load_acquire(&pending[current].count) != 0) return;
      int const next = next_with_tasks(memory, current);
      if (next < 0) return;  // only phaseless ones are left
      std::uint64_t const wanted = gate::word(changes + 1, next, gate::open);
      if constexpr (closes_gate) {
        if (!change(memory, word, gate::word(changes, current, gate::closing))) return;
        memory.full_fence();
        bool const ended = memory.load_acquire(&pending[current].count) == 0;
        memory.store_release(&words->gate, ended ? wanted : word);
      } else {
        change(memory, word, wanted);
      }
    }
  }

  /// Keeps the first fault of a run. The caller raises the watchdog's stop word.
  template <class Memory>
  GRIDLOOM_FN void fail(Memory& memory, fault_kind kind, int detail) const {
    std::uint64_t const fault =
        static_cast<std::uint64_t>(kind) | static_cast<std::uint64_t>(detail) << 32U;
    static_cast<void>(memory.compare_exchange_relaxed(&words->fault, std::uint64_t{0}, fault));
  }

 private:
  template <class Memory>
  GRIDLOOM_FN bool change(Memory& memory, std::uint64_t from, std::uint64_t to) const {
    // What the counts made visible to this thread becomes visible to all who look at the gate.
    return memory.compare_exchange_release(&words->gate, from, to);
  }

  template <class Memory>
  GRIDLOOM_FN int next_with_tasks(Memory& memory, int current) const {
    for (int step = 1; step < Queue::num_phases; ++step) {
      int const p = (current + step) % Queue::num_phases;
      if (memory.load_acquire(&pending[p].count) != 0) return p;
    }
    return -1;
  }
};

}  // namespace gridloom::mhive
