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

#include "juggler/own_queue.hpp"

namespace gridloom::juggler {

/// The published way.
struct counted_inbox {
  static constexpr bool is_counted = true;

  /// One task into a queue: steps (2) to (4) of section 5.5. Any thread, at any time.
  template <class Memory>
  GRIDLOOM_FN static void insert(Memory& memory, rt_context_ref const& context, std::uint32_t queue,
                                 std::uint32_t task) {
    std::uint32_t index;
    if (!reserve(memory, context, queue, index)) return;  // Q1, Q4
    memory.store_relaxed(context.place(queue, index), task);
    memory.batch_fence();                                       // Q3
    memory.fetch_add_in_batch(&context.inboxes[queue].iqs, 1);  // Q1, Q3
  }

  /// The next tasks of the own queue into `numbers`, up to a buffer of them: how many, or an `answer`.
  /// By the first warp of the owner. `stops` of its first thread means leave; `finishes(memory)` is
  /// called by that thread when the queue is empty, and says whether all tasks of the run are done.
  template <class Memory, warp_group Warp, class Watch, class Finishes>
  GRIDLOOM_FN static std::int32_t take(Memory& memory, Warp const& warp,
                                       rt_context_ref const& context, own_queue& own,
                                       std::uint32_t* numbers, bool stops, Watch& patience,
                                       Finishes& finishes) {
    bool const leads = warp.thread_rank() == 0;
    std::int32_t iqs = answer::leave;
    for (unsigned attempt = 0;; ++attempt) {
      if (leads && !stops) iqs = wait(memory, warp, context, own, patience, finishes);
      iqs = warp.shuffle(iqs, 0);
      // Before the lanes meet: compilers read it by all of them, and the first one writes it below.
      bool const is_known = own.written != own.start;
      warp.sync();  // Q2, Q3: for all lanes
      constexpr auto most = static_cast<std::int32_t>(task_buffer_length);
      std::int32_t const got = iqs < most ? iqs : most;
      for (int k = warp.thread_rank(); k < got; k += warp.num_threads())
        numbers[k] = entry(memory, context, own, own.start + static_cast<std::uint32_t>(k));
      bool is_settled = true;
      if (leads && got > 0 && !is_known)
        is_settled = settled(memory, context.inboxes[own.number], own, iqs);  // Q2
      if (warp.shuffle(is_settled ? 1U : 0U, 0) != 0) return got;
      if (!leads) continue;
      stops = asks_watchdog(attempt) && patience.stop(memory, wait_kind::queue, own.number,
                                                      static_cast<std::uint32_t>(iqs), iqs + 1U);
      if (stops) iqs = answer::leave;
      warp.pause(attempt);
    }
  }

  /// Lets the owner of a queue leave; after the last insertion of the run.
  template <class Memory>
  GRIDLOOM_FN static void dismiss(Memory& memory, rt_context_ref const& context,
                                  std::uint32_t queue) {
    memory.store_relaxed(&context.inboxes[queue].iqs, -1);
  }

 private:
  /// By one thread: IQS where it is positive, tasks that are known to be there, or an `answer`.
  template <class Memory, warp_group Warp, class Watch, class Finishes>
  GRIDLOOM_FN static std::int32_t wait(Memory& memory, Warp const& warp,
                                       rt_context_ref const& context, own_queue& own,
                                       Watch& patience, Finishes& finishes) {
    inbox_words& mine = context.inboxes[own.number];
    if (own.written != own.start) {
      // What did not fit into the buffer. IQS is brought up to date, but need not be read.
      memory.fetch_add_relaxed(&mine.iqs, -static_cast<std::int32_t>(own.in_work));
      own.in_work = 0;
      return static_cast<std::int32_t>(own.written - own.start);
    }
    for (unsigned attempt = 0;; ++attempt) {
      std::int32_t const iqs = count(memory, mine, own);
      if (iqs != 0) return iqs > 0 ? iqs : answer::leave;
      if (finishes(memory)) return answer::dismiss;
      if (asks_watchdog(attempt) && patience.stop(memory, wait_kind::queue, own.number, 0, 1))
        return answer::leave;
      warp.pause(attempt);
    }
  }
  /// IQS of the own queue, out of which what is done with is taken by the same access.
  template <class Memory>
  GRIDLOOM_FN static std::int32_t count(Memory& memory, inbox_words& mine, own_queue& own) {
    auto const done = static_cast<std::int32_t>(own.in_work);
    own.in_work = 0;
    std::int32_t const iqs = done == 0 ? memory.load_in_batch(&mine.iqs)
                                       : memory.fetch_add_in_batch(&mine.iqs, -done) - done;
    if (iqs > 0) memory.batch_fence();  // Q2, Q3
    return iqs;
  }
  /// Whether all entries that were reserved by now are written, where `iqs` is what count() found.
  template <class Memory>
  GRIDLOOM_FN static bool settled(Memory& memory, inbox_words const& mine, own_queue& own,
                                  std::int32_t iqs) {
    std::uint32_t const end = memory.load_relaxed(&mine.queue_end_index);  // Q2: after IQS
    if (end - own.start != static_cast<std::uint32_t>(iqs)) return false;
    own.written = end;
    return true;
  }
};

}  // namespace gridloom::juggler
