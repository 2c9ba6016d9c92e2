#pragma once
// Distributed queues (section 5.2): each worker takes from its own, any worker inserts into any. A
// queue has no lock. Its owner knows by two counts that no insertion is under way.
//
// Let R be the entries ever reserved in a queue (queueEndIndex), F those whose insertion is finished,
// S those that the owner is done with; IQS = F - S. Rules, cited where they are served:
// Q1. F <= R at any time, and both only grow: an insertion reserves, writes, and is then counted. S
//     is known to the owner, who alone changes it.
// Q2. The owner reads IQS, acquires, and reads R after it. Let F1 and R2 be what it finds. F1 <= R1 <= R2 by
//     Q1, where R1 is what R was at the first read: each insertion counted in F1 released its
//     reservation. If IQS = R2 - S, then F1 = R2: all entries up to R2 were written before the first
//     read. The paper names the comparison and not the order. Read the other way round it proves
//     nothing: R = 1 is read while A has reserved entry 0; B reserves entry 1, writes it and is
//     counted; IQS = 1 is read; they match, and entry 0 has not been written. Entries may be read
//     beside R, after IQS, if they are only used when it matches.
// Q3. What an inserter did and saw before comes with its entry: a batch_fence stands between that and
//     the count, and a batch_fence behind the owner's read of IQS. Counts are updates of one word, so
//     one read serves all of them. The owner's decrements are updates, too, and break nothing. A look
//     that finds nothing has no fence: on a GPU it would empty the cache of all blocks beside it.
// Q4. A queue shorter than the graph is a ring. The owner publishes (release) how many entries it has
//     read; an inserter reads that (acquire) before it writes. An entry whose place was not free when
//     looked at ends the run: it is never written, so it is never counted, and by Q2 the owner never
//     takes anything for it.

#include "juggler/rt_context.hpp"

namespace gridloom::juggler {

/// The owner's side, kept in the shared memory of its block.
struct own_queue {
  /// queueStartIndex: entries read.
  std::uint32_t start;
  /// Entries that are known to be written (Q2).
  std::uint32_t written;
  /// Entries read that IQS still counts.
  std::uint32_t in_work;
};

/// One task into a queue: steps (2) to (4) of section 5.5. Any thread, at any time; false where the
/// queue is too short.
template <class Memory>
[[nodiscard]] GRIDLOOM_FN bool insert(Memory& memory, rt_context_ref const& context,
                                      std::uint32_t queue, std::uint32_t task) {
  inbox_words& to = context.inboxes[queue];
  std::uint32_t const index = memory.fetch_add_relaxed(&to.queue_end_index, 1U);  // Q1
  if (context.is_ring &&
      index - memory.load_acquire(&to.queue_start_index) >= context.queue_length) {  // Q4
    memory.store_relaxed(&context.words->overflowed, 1U + queue);
    memory.store_relaxed(context.stop, 1U);
    return false;
  }
  memory.store_relaxed(context.place(queue, index), task);
  memory.batch_fence();                   // Q3
  memory.fetch_add_in_batch(&to.iqs, 1);  // Q1, Q3
  return true;
}

/// The index-th entry of a queue, which is written (Q2).
template <class Memory>
[[nodiscard]] GRIDLOOM_FN std::uint32_t entry(Memory& memory, rt_context_ref const& context,
                                              std::uint32_t queue, std::uint32_t index) {
  if (index < rt_context_ref::dealt(queue, context.ready_tasks, context.workers))
    return context.ready[std::size_t{index} * context.workers + queue];
  return memory.load_relaxed(context.place(queue, index));
}

/// IQS of the own queue, out of which what is done with is taken by the same access. One thread of the
/// owner; what it finds is for its block after the next meeting.
template <class Memory>
GRIDLOOM_FN std::int32_t count(Memory& memory, inbox_words& mine, own_queue& own) {
  auto const done = static_cast<std::int32_t>(own.in_work);
  own.in_work = 0;
  std::int32_t const iqs = done == 0 ? memory.load_in_batch(&mine.iqs)
                                     : memory.fetch_add_in_batch(&mine.iqs, -done) - done;
  if (iqs > 0) memory.batch_fence();  // Q2, Q3
  return iqs;
}

/// Whether all entries that were reserved by now are written, where `iqs` is what count() found; if
/// so, they are known to be.
template <class Memory>
[[nodiscard]] GRIDLOOM_FN bool settled(Memory& memory, inbox_words const& mine, own_queue& own,
                                       std::int32_t iqs) {
  std::uint32_t const end = memory.load_relaxed(&mine.queue_end_index);  // Q2: after IQS
  if (end - own.start != static_cast<std::uint32_t>(iqs)) return false;
  own.written = end;
  return true;
}

}  // namespace gridloom::juggler
