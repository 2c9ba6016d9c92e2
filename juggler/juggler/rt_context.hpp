#pragma once
// RT_CONTEXT (Listing 6): the state of a run in device memory that its workers share, besides the
// tasks. rt_owner.hpp owns it.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "gridloom/portable.hpp"

namespace gridloom::juggler {

/// The words of one worker's queue that other workers or the host access. The paper keeps one array
/// per kind of word, so unrelated workers share cache lines. Here each worker has its own line.
struct inbox_words {
  /// Number of entries ever reserved, including those dealt before the launch.
  alignas(line_bytes) std::uint32_t queue_end_index;
  /// Input queue size: entries that are written and not yet done. -1 tells the owner to leave.
  std::int32_t iqs;
  /// Number of entries that the owner has read. Only written if the queue is a ring.
  std::uint32_t queue_start_index;
  /// Number of tasks that the worker has executed; written when it leaves.
  std::uint32_t executed;
};

struct rt_words {
  /// Number of tasks that workers have reported as executed, with their children inserted.
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
  /// Whether queue_length < tasks, so places are reused.
  bool is_ring;
  /// Number of tasks that are ready at the start, and the array of their numbers.
  std::uint32_t ready_tasks;
  std::uint32_t const* ready;
  std::uint32_t* queues;
  /// Array of one inbox per worker.
  inbox_words* inboxes;
  /// nDependeeParents: array of one word per task, the number of its unfinished parents.
  std::uint32_t* open_parents;
  rt_words* words;
  /// The watchdog's word: a nonzero value ends the run.
  std::uint32_t* stop;

  /// Number of ready tasks in a queue at the start. The r-th ready task is entry r / workers of
  /// queue r mod workers. Workers read these tasks from the host's list, so no kernel fills the
  /// queues before a run.
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
