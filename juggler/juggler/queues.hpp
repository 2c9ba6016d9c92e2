#pragma once
// Distributed queues (section 5.2): each worker takes from its own queue, and any worker inserts
// into any queue. A queue has no lock. When two counts match, its owner knows that no insertion is
// under way.
//
// Let `reserved` be the number of entries ever reserved in a queue (queueEndIndex) and `inserted`
// the number of finished insertions. Let `taken` be the number of entries that the owner is done
// with. IQS = inserted - taken. Rules, cited where they are served:
// JQ.R1. inserted <= reserved at any time, and both only grow: an insertion reserves an entry,
//        writes it, and is then counted. Only the owner changes `taken`.
// JQ.R2. The owner reads IQS, acquires, and then reads `reserved`. Each insertion counted in IQS
//        released its reservation, so `reserved` was at least that large at the first read. If IQS
//        equals reserved - taken, all entries up to `reserved` were written before the first read.
//        The paper names the comparison but not the order. The other order proves nothing. Say the
//        owner reads reserved = 1 after A reserved entry 0. Then B reserves entry 1, writes it and
//        is counted. The owner reads IQS = 1, which matches, though entry 0 is not written. After
//        reading IQS, the owner may read entries even before it reads `reserved`. It uses them only
//        if the counts match.
// JQ.R3. The owner sees what an inserter wrote before the insertion. A batch_fence precedes the
//        inserter's count, and another one follows the owner's read of IQS. All counts update one
//        word, so one read serves all of them. The owner's decrements are updates as well and break
//        nothing. A read that finds nothing has no fence: on a GPU a fence would empty the cache of
//        all blocks beside it.
// JQ.R4. A queue shorter than the graph is a ring. The owner publishes (release) how many entries
//        it has read; an inserter reads this number (acquire) before it writes. An entry whose
//        place is still in use ends the run. It is never written, so it is never counted, and by
//        JQ.R2 the owner never takes it.

#include "juggler/own_queue.hpp"

namespace gridloom::juggler {

/// The published queue. Its owner retrieves up to `Length` tasks at once. The owner's first warp does
/// so, or with `ByBlock` all its threads: the paper has the first k threads read k tasks.
template <std::uint32_t Length, bool ByBlock>
struct counted_inbox_of {
  static constexpr bool is_counted = true;
  static constexpr bool by_block = ByBlock;
  static constexpr std::uint32_t buffer_length = Length;

  /// Inserts a task: steps (2) to (4) of section 5.5. Any thread may call it at any time.
  template <class Memory>
  GRIDLOOM_FN static void insert(Memory& memory, rt_context_ref const& context, std::uint32_t queue,
                                 std::uint32_t task) {
    std::uint32_t index;
    if (!reserve(memory, context, queue, index)) return;  // JQ.R1, JQ.R4
    memory.store_relaxed(context.place(queue, index), task);
    memory.batch_fence();                                       // JQ.R3
    memory.fetch_add_in_batch(&context.inboxes[queue].iqs, 1);  // JQ.R1, JQ.R3
  }

  /// Takes the next tasks of the worker's own queue into `numbers`, at most buffer_length. Returns
  /// their number, or an `answer`. Called by the owner's first warp, or by all its threads as
  /// block_lanes. If the first thread passes `stops`, the worker must leave. When the queue is
  /// empty, that thread calls finishes(memory), which returns whether all tasks of the run are done.
  template <class Memory, thread_group Warp, class Watch, class Finishes>
  GRIDLOOM_FN static std::int32_t take(Memory& memory, Warp const& warp,
                                       rt_context_ref const& context, own_queue& own,
                                       std::uint32_t* numbers, bool stops, Watch& patience,
                                       Finishes& finishes) {
    bool const leads = warp.thread_rank() == 0;
    std::int32_t iqs = answer::leave;
    for (unsigned attempt = 0;; ++attempt) {
      if (leads && !stops) iqs = wait(memory, warp, context, own, patience, finishes);
      iqs = warp.shuffle(iqs, 0);
      // Read before warp.sync(): every lane reads `written`, which the first lane writes below.
      bool const is_known = own.written != own.start;
      warp.sync();  // JQ.R2, JQ.R3
      constexpr auto most = static_cast<std::int32_t>(buffer_length);
      std::int32_t const got = iqs < most ? iqs : most;
      for (int k = warp.thread_rank(); k < got; k += warp.num_threads())
        numbers[k] = entry(memory, context, own, own.start + static_cast<std::uint32_t>(k));
      bool is_settled = true;
      if (leads && got > 0 && !is_known)
        is_settled = settled(memory, context.inboxes[own.number], own, iqs);  // JQ.R2
      if (warp.shuffle(is_settled ? 1U : 0U, 0) != 0) return got;
      if (!leads) continue;
      stops = asks_watchdog(attempt) && patience.stop(memory, wait_kind::queue, own.number,
                                                      static_cast<std::uint32_t>(iqs), iqs + 1U);
      if (stops) iqs = answer::leave;
      warp.pause(attempt);
    }
  }

  /// Tells the owner of a queue to leave. Called after all insertions of the run.
  template <class Memory>
  GRIDLOOM_FN static void dismiss(Memory& memory, rt_context_ref const& context,
                                  std::uint32_t queue) {
    memory.store_relaxed(&context.inboxes[queue].iqs, -1);
  }

 private:
  /// Waits for tasks. Returns the number of available tasks, or an `answer`. Called by one thread.
  template <class Memory, thread_group Warp, class Watch, class Finishes>
  GRIDLOOM_FN static std::int32_t wait(Memory& memory, Warp const& warp,
                                       rt_context_ref const& context, own_queue& own,
                                       Watch& patience, Finishes& finishes) {
    inbox_words& mine = context.inboxes[own.number];
    if (own.written != own.start) {
      // Some tasks did not fit into the last buffer. IQS is reduced, but need not be read.
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
  /// Reads the worker's own IQS, and subtracts the finished tasks in the same access.
  template <class Memory>
  GRIDLOOM_FN static std::int32_t count(Memory& memory, inbox_words& mine, own_queue& own) {
    auto const done = static_cast<std::int32_t>(own.in_work);
    own.in_work = 0;
    std::int32_t const iqs = done == 0 ? memory.load_in_batch(&mine.iqs)
                                       : memory.fetch_add_in_batch(&mine.iqs, -done) - done;
    if (iqs > 0) memory.batch_fence();  // JQ.R2, JQ.R3
    return iqs;
  }
  /// Whether all entries reserved so far are written. `iqs` is the result of count().
  template <class Memory>
  GRIDLOOM_FN static bool settled(Memory& memory, inbox_words const& mine, own_queue& own,
                                  std::int32_t iqs) {
    std::uint32_t const end = memory.load_relaxed(&mine.queue_end_index);  // JQ.R2
    if (end - own.start != static_cast<std::uint32_t>(iqs)) return false;
    own.written = end;
    return true;
  }
};
using counted_inbox = counted_inbox_of<task_buffer_length, false>;
using counted_inbox_by_block = counted_inbox_of<block_buffer_length, true>;

/// All threads of a block as the group that retrieves. It has no lanes to exchange values, so a
/// shuffle goes through shared memory. Two words in turns save a synchronisation: a word is written
/// again only after the shuffle in between, by which time all threads have read it.
template <thread_group Block>
class block_lanes {
 public:
  GRIDLOOM_FN block_lanes(Block const& block, std::uint32_t* words)
      : block_(block), words_(words) {}
  GRIDLOOM_FN int thread_rank() const { return block_.thread_rank(); }
  GRIDLOOM_FN int num_threads() const { return block_.num_threads(); }
  GRIDLOOM_FN int index() const { return block_.index(); }
  GRIDLOOM_FN int count() const { return block_.count(); }
  GRIDLOOM_FN void sync() const { block_.sync(); }
  GRIDLOOM_FN void pause(unsigned attempt) const { block_.pause(attempt); }
  template <class T>
  GRIDLOOM_FN T shuffle(T value, int rank) const {
    std::uint32_t& word = words_[uses_++ & 1U];
    if (thread_rank() == rank) word = static_cast<std::uint32_t>(value);
    block_.sync();
    return static_cast<T>(word);
  }

 private:
  Block const& block_;
  std::uint32_t* words_;
  mutable std::uint32_t uses_ = 0;
};

}  // namespace gridloom::juggler
