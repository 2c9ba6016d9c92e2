#pragma once
// What both kinds of queues (queues.hpp, ours/slots.hpp) share: the owner's counters, and the
// reservation of an entry.

#include "gridloom/group.hpp"
#include "gridloom/watchdog.hpp"
#include "juggler/rt_context.hpp"

namespace gridloom::juggler {

/// Largest number of tasks that one warp retrieves at once: one per lane.
inline constexpr std::uint32_t task_buffer_length = 32;
/// The same for all threads of a block. A buffer takes shared memory, so it ends at 128 tasks.
inline constexpr std::uint32_t block_buffer_length = 128;

/// The owner's counters of its queue, in the shared memory of its block.
struct own_queue {
  /// The owner's number.
  std::uint32_t number;
  /// Entries that were in the queue at the start of the run.
  std::uint32_t dealt;
  /// queueStartIndex: entries taken.
  std::uint32_t start;
  /// Number of entries that are known to be written.
  std::uint32_t written;
  /// Entries taken that IQS still counts.
  std::uint32_t in_work;
};

/// Values that retrieval returns instead of a number of tasks.
namespace answer {
inline constexpr std::int32_t leave = -1;
/// The caller counted the last task and must tell all others to leave.
inline constexpr std::int32_t dismiss = -2;
}  // namespace answer

/// Whether a waiting loop checks the watchdog in this attempt.
GRIDLOOM_FN inline bool asks_watchdog(unsigned attempt) {
  return (attempt & (cheap_turns - 1)) == cheap_turns - 1;
}

/// Reserves the next entry of a queue, step (2) of section 5.5. Returns false and ends the run if
/// the queue is too short. A ring reuses only free places: the owner publishes (release) how many
/// entries it has taken, which the inserter reads (acquire) before it writes.
template <class Memory>
[[nodiscard]] GRIDLOOM_FN bool reserve(Memory& memory, rt_context_ref const& context,
                                       std::uint32_t queue, std::uint32_t& index) {
  inbox_words& to = context.inboxes[queue];
  index = memory.fetch_add_relaxed(&to.queue_end_index, 1U);
  if (!context.is_ring || index - memory.load_acquire(&to.queue_start_index) < context.queue_length)
    return true;
  memory.store_relaxed(&context.words->overflowed, 1U + queue);
  memory.store_relaxed(context.stop, 1U);
  return false;
}

/// Entry `index` of the worker's own queue.
template <class Memory>
[[nodiscard]] GRIDLOOM_FN std::uint32_t entry(Memory& memory, rt_context_ref const& context,
                                              own_queue const& own, std::uint32_t index) {
  if (index < own.dealt) return context.ready[std::size_t{index} * context.workers + own.number];
  return memory.load_relaxed(context.place(own.number, index));
}

}  // namespace gridloom::juggler
