#pragma once
// Queues whose entries show by themselves whether they are written. In the published queue
// (queues.hpp), the inserter writes an entry, executes a fence and updates a count. The owner reads
// that count and the end. Here the owner polls the next entry, so a task arrives one fence and two
// accesses earlier. IQS remains, only as a hint for workers that look for a short queue.
//
// Rules, cited where they are served:
// SL.R1. An unwritten entry is empty, and all entries are empty before a run. The owner empties
//        each entry that it took. It does so before it publishes that the place is free (reserve)
//        and before it counts the task as finished.
// SL.R2. The owner sees what an inserter wrote before the insertion. A batch_fence precedes the
//        write of the entry, and another one follows the owner's read of a written entry.
// SL.R3. Entries are taken in the order of their reservation. An entry that is reserved but not
//        written yet delays all entries after it.
// SL.R4. The worker that completes the count of tasks (WK.R5 of worker.hpp) writes a sign to leave
//        after the last entry of each queue. By then the end of each queue is final, and that place
//        is empty (SL.R1).

#include "juggler/own_queue.hpp"

namespace gridloom::juggler {

/// A queue that is not a ring has one place more than there are tasks (SL.R4).
struct slot_inbox {
  static constexpr bool is_counted = false;
  static constexpr bool by_block = false;
  static constexpr std::uint32_t buffer_length = task_buffer_length;
  static constexpr std::uint32_t empty = ~0U;
  static constexpr std::uint32_t sign_to_leave = ~0U - 1U;

  /// Inserts a task. Any thread may call it at any time.
  template <class Memory>
  GRIDLOOM_FN static void insert(Memory& memory, rt_context_ref const& context, std::uint32_t queue,
                                 std::uint32_t task) {
    std::uint32_t index;
    bool const fits = reserve(memory, context, queue, index);
    memory.batch_fence();                                                // SL.R2
    if (fits) memory.store_in_batch(context.place(queue, index), task);  // SL.R2
    memory.fetch_add_relaxed(&context.inboxes[queue].iqs, 1);
  }

  /// Takes tasks like counted_inbox::take().
  template <class Memory, warp_group Warp, class Watch, class Finishes>
  GRIDLOOM_FN static std::int32_t take(Memory& memory, Warp const& warp,
                                       rt_context_ref const& context, own_queue& own,
                                       std::uint32_t* numbers, bool stops, Watch& patience,
                                       Finishes& finishes) {
    bool const leads = warp.thread_rank() == 0;
    auto const done = static_cast<std::int32_t>(own.in_work);
    // Every lane reads `in_work`, which the first lane writes below.
    warp.sync();
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
        memory.batch_fence();  // SL.R2
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
    memory.store_relaxed(context.place(queue, end), sign_to_leave);  // SL.R4
  }

 private:
  /// Returns to all lanes how many of the next entries are written, at most task_buffer_length.
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
      std::uint32_t const written = warp.ballot(number < sign_to_leave);
      if (written == 0 && base == 0) {
        if (warp.any(number == sign_to_leave)) {
          if (number == sign_to_leave)
            memory.store_relaxed(context.place(own.number, own.start), empty);  // SL.R1
          return answer::leave;
        }
        return 0;
      }
      // SL.R3: only the entries before the first unwritten one.
      std::uint32_t const consecutive =
          written == ~0U ? 32U : static_cast<std::uint32_t>(first_lane(~written));
      if (static_cast<std::uint32_t>(warp.thread_rank()) < consecutive) numbers[k] = number;
      found += consecutive;
      if (consecutive < lanes) break;
    }
    return static_cast<std::int32_t>(found);
  }
  template <class Memory>
  GRIDLOOM_FN static std::uint32_t look(Memory& memory, rt_context_ref const& context,
                                        own_queue const& own, std::uint32_t index) {
    if (index < own.dealt) return context.ready[std::size_t{index} * context.workers + own.number];
    return memory.load_in_batch(context.place(own.number, index));  // SL.R2
  }
  template <class Memory, warp_group Warp>
  GRIDLOOM_FN static void empty_places(Memory& memory, Warp const& warp,
                                       rt_context_ref const& context, own_queue const& own,
                                       std::int32_t taken) {
    for (int k = warp.thread_rank(); k < taken; k += warp.num_threads()) {
      std::uint32_t const index = own.start + static_cast<std::uint32_t>(k);
      if (index >= own.dealt)
        memory.store_relaxed(context.place(own.number, index), empty);  // SL.R1
    }
  }
};

}  // namespace gridloom::juggler
