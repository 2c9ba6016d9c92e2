#pragma once
// What the two ways to hand tasks over (queues.hpp, slots.hpp) have in common: the owner's side of a
// queue, and a place in it for an inserter.

#include "gridloom/group.hpp"
#include "gridloom/watchdog.hpp"
#include "juggler/rt_context.hpp"

namespace gridloom::juggler {

/// Tasks that a worker retrieves at once: the lanes of a warp.
inline constexpr std::uint32_t task_buffer_length = 32;

/// The owner's side, kept in the shared memory of its block.
struct own_queue {
  /// Whose it is.
  std::uint32_t number;
  /// Entries that it began with.
  std::uint32_t dealt;
  /// queueStartIndex: entries taken.
  std::uint32_t start;
  /// Entries that are known to be written.
  std::uint32_t written;
  /// Entries taken that IQS still counts.
  std::uint32_t in_work;
};

/// What retrieval has instead of a number of tasks.
namespace answer {
inline constexpr std::int32_t leave = -1;
/// The caller counted the last task: it lets all others leave.
inline constexpr std::int32_t dismiss = -2;
}  // namespace answer

/// Whether a waiting loop asks the watchdog in this turn.
GRIDLOOM_FN inline bool asks_watchdog(unsigned attempt) {
  return (attempt & (cheap_turns - 1)) == cheap_turns - 1;
}

/// Reserves the next entry of a queue, step (2) of section 5.5; false where the queue is too short,
/// which ends the run. Places that are used again are free then: the owner publishes (release) how
/// many entries it has taken, and who reserves one reads that (acquire) before it writes.
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

/// Entry `index` of the own queue.
template <class Memory>
[[nodiscard]] GRIDLOOM_FN std::uint32_t entry(Memory& memory, rt_context_ref const& context,
                                              own_queue const& own, std::uint32_t index) {
  if (index < own.dealt) return context.ready[std::size_t{index} * context.workers + own.number];
  return memory.load_relaxed(context.place(own.number, index));
}

}  // namespace gridloom::juggler
