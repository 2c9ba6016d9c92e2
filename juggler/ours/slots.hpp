#pragma once
// Queues whose entries say by themselves whether they are there. The published queue (queues.hpp)
// tells its owner by a count, after the entry and a fence, and has it read the queue's end besides.
// Here the owner polls the entry that is next: a task is on its way for one fence and two accesses
// less. IQS is kept as a hint for who looks for a short queue, and nothing is ordered by it.
//
// Rules, cited where they are served:
// H1. An entry that nobody has written is empty. Before a run all are; the owner empties each that it
//     took, and does so before it publishes that its place is free (reserve), or counts its task as
//     finished.
// H2. What an inserter did and saw before comes with the entry: a batch_fence stands between that and
//     writing it, and another one behind the owner's read of an entry that is there.
// H3. Entries are taken in the order of their reservation. One that was reserved and is not written
//     yet holds up those behind it, for as long as its inserter takes.
// H4. Who knows that all tasks are finished (T2 of worker.hpp) writes a sign to leave where the next
//     entry would be. The end of each queue is final by then, and its place empty (H1).

#include "juggler/own_queue.hpp"

namespace gridloom::juggler {

/// Ours. A queue that is no ring has one place more than there are tasks (H4).
struct slot_inbox {
  static constexpr bool is_counted = false;
  static constexpr std::uint32_t empty = ~0U;
  static constexpr std::uint32_t sign_to_leave = ~0U - 1U;

  /// One task into a queue. Any thread, at any time.
  template <class Memory>
  GRIDLOOM_FN static void insert(Memory& memory, rt_context_ref const& context, std::uint32_t queue,
                                 std::uint32_t task) {
    std::uint32_t index;
    bool const fits = reserve(memory, context, queue, index);
    memory.batch_fence();                                                // H2
    if (fits) memory.store_in_batch(context.place(queue, index), task);  // H2
    memory.fetch_add_relaxed(&context.inboxes[queue].iqs, 1);
  }

  /// As of counted_inbox.
  template <class Memory, warp_group Warp, class Watch, class Finishes>
  GRIDLOOM_FN static std::int32_t take(Memory& memory, Warp const& warp,
                                       rt_context_ref const& context, own_queue& own,
                                       std::uint32_t* numbers, bool stops, Watch& patience,
                                       Finishes& finishes) {
    bool const leads = warp.thread_rank() == 0;
    auto const done = static_cast<std::int32_t>(own.in_work);
    warp.sync();  // compilers read it by all lanes, where the first one alone needs it, and it writes
    if (leads && done != 0) {
      memory.fetch_add_relaxed(&context.inboxes[own.number].iqs, -done);
      own.in_work = 0;
    }
    for (unsigned attempt = 0;; ++attempt) {
      std::int32_t found = stops ? answer::leave : 0;
      found = warp.shuffle(found, 0);
      if (found == 0) found = peek(memory, warp, context, own, numbers);
      if (found == 0 && leads) {
        if (finishes(memory)) {
          found = answer::dismiss;
        } else if (asks_watchdog(attempt) &&
                   patience.stop(memory, wait_kind::queue, own.number, 0, 1)) {
          found = answer::leave;
        }
      }
      found = warp.shuffle(found, 0);
      if (found > 0) {
        memory.batch_fence();  // H2
        warp.sync();
        empty_places(memory, warp, context, own, found);
      }
      if (found != 0) return found;
      warp.pause(attempt);
    }
  }

  template <class Memory>
  GRIDLOOM_FN static void dismiss(Memory& memory, rt_context_ref const& context,
                                  std::uint32_t queue) {
    std::uint32_t const end = memory.load_relaxed(&context.inboxes[queue].queue_end_index);
    memory.store_relaxed(context.place(queue, end), sign_to_leave);  // H4
  }

 private:
  /// How many of the next entries are there, up to a buffer of them; all lanes get the answer.
  template <class Memory, warp_group Warp>
  GRIDLOOM_FN static std::int32_t peek(Memory& memory, Warp const& warp,
                                       rt_context_ref const& context, own_queue const& own,
                                       std::uint32_t* numbers) {
    auto const lanes = static_cast<std::uint32_t>(warp.num_threads());
    std::uint32_t const most =
        context.queue_length < task_buffer_length ? context.queue_length : task_buffer_length;
    std::uint32_t found = 0;
    for (std::uint32_t base = 0; base < most; base += lanes) {
      std::uint32_t const k = base + static_cast<std::uint32_t>(warp.thread_rank());
      std::uint32_t number = empty;
      if (k < most && (context.is_ring || own.start + k < context.queue_length))
        number = look(memory, context, own, own.start + k);
      std::uint32_t const there = warp.ballot(number < sign_to_leave);
      if (there == 0 && base == 0) {
        if (warp.any(number == sign_to_leave)) {
          if (number == sign_to_leave)
            memory.store_relaxed(context.place(own.number, own.start), empty);  // H1
          return answer::leave;
        }
        return 0;
      }
      // H3: those before the first that is not there.
      std::uint32_t const in_a_row =
          there == ~0U ? 32U : static_cast<std::uint32_t>(first_lane(~there));
      if (static_cast<std::uint32_t>(warp.thread_rank()) < in_a_row) numbers[k] = number;
      found += in_a_row;
      if (in_a_row < lanes) break;
    }
    return static_cast<std::int32_t>(found);
  }
  template <class Memory>
  GRIDLOOM_FN static std::uint32_t look(Memory& memory, rt_context_ref const& context,
                                        own_queue const& own, std::uint32_t index) {
    if (index < own.dealt) return context.ready[std::size_t{index} * context.workers + own.number];
    return memory.load_in_batch(context.place(own.number, index));  // H2
  }
  template <class Memory, warp_group Warp>
  GRIDLOOM_FN static void empty_places(Memory& memory, Warp const& warp,
                                       rt_context_ref const& context, own_queue const& own,
                                       std::int32_t taken) {
    for (int k = warp.thread_rank(); k < taken; k += warp.num_threads()) {
      std::uint32_t const index = own.start + static_cast<std::uint32_t>(k);
      if (index >= own.dealt) memory.store_relaxed(context.place(own.number, index), empty);  // H1
    }
  }
};

}  // namespace gridloom::juggler
