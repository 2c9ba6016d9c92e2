#pragma once
// RT_CONTEXT (Listing 6): what the workers of a run share besides the tasks, in the memory of the
// device. rt_owner.hpp owns it.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "gridloom/portable.hpp"

namespace gridloom::juggler {

/// The words of one worker's queue that others write. The paper has one array per kind of word, in
/// which unrelated workers share cache lines; here each worker has a line of its own.
struct inbox_words {
  /// Entries ever reserved, including those given out before the launch.
  alignas(line_bytes) std::uint32_t queue_end_index;
  /// Input queue size: entries that were written and that the owner is not done with. -1 tells the
  /// owner to leave.
  std::int32_t iqs;
  /// Entries that the owner has read. Published if the queue is a ring.
  std::uint32_t queue_start_index;
  /// Tasks that the worker executed; written when it leaves.
  std::uint32_t executed;
};

struct rt_words {
  /// Number of tasks that were executed and whose children were inserted, as far as workers have
  /// reported it.
  alignas(line_bytes) std::uint32_t finished;
  /// The counter of global_round_robin.
  alignas(line_bytes) std::uint32_t next_queue;
  /// 0, or 1 + the number of a queue that was too short.
  alignas(line_bytes) std::uint32_t overflowed;
};

/// View of a run's state (`rtContext`).
struct rt_context_ref {
  /// Number of workers, nWTB in the paper.
  std::uint32_t workers;
  std::uint32_t tasks;
  /// Entries of each queue, QUEUE_LENGTH in the paper.
  std::uint32_t queue_length;
  /// Whether queue_length < tasks, so that places are used again.
  bool is_ring;
  /// Number of tasks that are ready at the start, and the array of their numbers.
  std::uint32_t ready_tasks;
  std::uint32_t const* ready;
  /// Array of workers × queue_length task numbers.
  std::uint32_t* queues;
  /// Array of one inbox per worker.
  inbox_words* inboxes;
  /// nDependeeParents: array of one word per task, the number of its unfinished parents.
  std::uint32_t* open_parents;
  rt_words* words;
  /// The watchdog's word: a value other than 0 ends the run.
  std::uint32_t* stop;

  /// Number of ready tasks that a queue begins with. The r-th ready task is entry r / workers of
  /// queue r mod workers. Workers read them from the host's list, so that no queue has to be filled
  /// before a run.
  GRIDLOOM_FN static std::uint32_t dealt(std::uint32_t queue, std::uint32_t ready_tasks,
                                         std::uint32_t workers) {
    return ready_tasks / workers + (queue < ready_tasks % workers ? 1U : 0U);
  }
  /// The place of a queue's index-th entry.
  GRIDLOOM_FN std::uint32_t* place(std::uint32_t queue, std::uint32_t index) const {
    return queues + std::size_t{queue} * queue_length + (is_ring ? index % queue_length : index);
  }
};

static_assert(std::is_trivially_copyable_v<rt_context_ref>);

}  // namespace gridloom::juggler
