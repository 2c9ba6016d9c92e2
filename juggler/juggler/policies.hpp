#pragma once
// Which queue a freed task goes to (section 5.6). The published policies number the freed tasks by
// one counter or another and go round the queues by that number. `keeps` says whether a worker may
// execute a task that it freed without a queue, `inbox` how the queues work. Results of tasks do not
// depend on the policy: it decides who executes a task, and never whether it is ready.

#include <cstdint>

#include "gridloom/block_memory.hpp"
#include "gridloom/group.hpp"
#include "juggler/queues.hpp"
#include "juggler/ours/slots.hpp"

namespace gridloom::juggler {

/// What a worker's policy counts, in the shared memory of its block.
struct policy_words {
  /// Of all tasks that this worker freed; starts at its own number, or all would begin at one queue.
  std::uint32_t freed;
  /// Of those that the present task freed, at its ordinal's parity; the other one is 0.
  std::uint32_t freed_of_task[2];
  /// The same of the present work cycle.
  std::uint32_t freed_of_cycle[2];
};

/// What policies look at before they know whether a child is freed: nothing, for most.
struct no_hint {};

/// The present task and who executed it.
struct freeing_task {
  std::uint32_t worker;
  /// Of the tasks that the worker executes.
  std::uint32_t ordinal;
  /// Of the worker's work cycles.
  std::uint32_t cycle;
};

/// What the published policies have in common: they only count. Each adds
///
///   number(memory, context, words, by, count)
///
/// the number of the first of `count` freed tasks; by any thread of the worker.
struct counting_policy {
  using inbox = counted_inbox;
  static constexpr bool keeps = false;

  /// Before a child is counted down: the child-th of the present task.
  template <class Memory>
  GRIDLOOM_FN static no_hint look(Memory&, rt_context_ref const&, freeing_task, std::uint32_t) {
    return {};
  }
  /// Where the task of such a number goes.
  GRIDLOOM_FN static std::uint32_t queue(rt_context_ref const& context, freeing_task,
                                         std::uint32_t number, no_hint) {
    return number % context.workers;
  }
};

/// LRR: a counter a worker.
struct local_round_robin : counting_policy {
  static constexpr char const* name = "lrr";

  template <class Memory>
  GRIDLOOM_FN static std::uint32_t number(Memory&, rt_context_ref const&, policy_words& words,
                                          freeing_task, std::uint32_t count) {
    return block_memory{}.fetch_add_relaxed(&words.freed, count);
  }
};

/// GRR: one counter for all.
struct global_round_robin : counting_policy {
  static constexpr char const* name = "grr";

  template <class Memory>
  GRIDLOOM_FN static std::uint32_t number(Memory& memory, rt_context_ref const& context,
                                          policy_words&, freeing_task, std::uint32_t count) {
    return memory.fetch_add_relaxed(&context.words->next_queue, count);
  }
};

/// LF: the first task that a work cycle frees to the own queue, the others to the next ones. The paper
/// does not say of what the first one is first. Of each task it cannot be: most tasks of a wavefront
/// free one, which would stay where it is, and so would the others.
struct local_first : counting_policy {
  static constexpr char const* name = "lf";

  template <class Memory>
  GRIDLOOM_FN static std::uint32_t number(Memory&, rt_context_ref const&, policy_words& words,
                                          freeing_task by, std::uint32_t count) {
    return block_memory{}.fetch_add_relaxed(&words.freed_of_cycle[by.cycle & 1U], count);
  }
  GRIDLOOM_FN static std::uint32_t queue(rt_context_ref const& context, freeing_task by,
                                         std::uint32_t number, no_hint) {
    return (by.worker + number) % context.workers;
  }
};

/// Ours: the first task that a task frees stays with its worker, who goes on with it at once, through
/// no queue, if nothing else waits for it there. Each other one goes to the shorter of two queues.
///
/// LF loses where one worker frees much: its neighbours get all of it, busy or not. GRR loses what
/// is in the caches of the worker, and pays for a queue's way at each step of a chain. Here a chain
/// stays where it is, and of two queues that anybody may get the shorter is rarely long (Azar et al.,
/// "Balanced Allocations", 1994). IQS, which is read for that, counts what is being executed, too.
struct local_then_shorter {
  static constexpr char const* name = "lts";
  using inbox = counted_inbox;
  static constexpr bool keeps = true;

  /// Two queues, and how many entries they and the own one have.
  struct hint {
    std::uint32_t first;
    std::uint32_t second;
    std::int32_t first_length;
    std::int32_t second_length;
    std::int32_t own_length;
  };
  /// Asked for beside the count-down, whose time hides it.
  template <class Memory>
  GRIDLOOM_FN static hint look(Memory& memory, rt_context_ref const& context, freeing_task by,
                               std::uint32_t child) {
    // The children of one task have first queues that follow each other, so that they never meet
    // there, from a place that is mixed anew for each task; second ones are mixed for each child.
    std::uint32_t const mixed = (by.ordinal * 2654435761U) ^ (by.worker * 2246822519U);
    std::uint32_t const first =
        (scaled(mixed * 3266489917U, context.workers) + child) % context.workers;
    std::uint32_t const mixed_child = mixed ^ (child * 2246822519U);
    std::uint32_t const second =
        scaled((mixed_child ^ mixed_child >> 15) * 668265263U, context.workers);
    return {first, second, memory.load_relaxed(&context.inboxes[first].iqs),
            memory.load_relaxed(&context.inboxes[second].iqs),
            memory.load_relaxed(&context.inboxes[by.worker].iqs)};
  }

  template <class Memory>
  GRIDLOOM_FN static std::uint32_t number(Memory&, rt_context_ref const&, policy_words& words,
                                          freeing_task by, std::uint32_t count) {
    return block_memory{}.fetch_add_relaxed(&words.freed_of_task[by.ordinal & 1U], count);
  }
  GRIDLOOM_FN static std::uint32_t queue(rt_context_ref const&, freeing_task, std::uint32_t,
                                         hint const& seen) {
    return seen.second_length < seen.first_length ? seen.second : seen.first;
  }

 private:
  /// The upper half of a product: below its second factor.
  GRIDLOOM_FN static std::uint32_t scaled(std::uint32_t x, std::uint32_t below) {
    return static_cast<std::uint32_t>(std::uint64_t{x} * below >> 32U);
  }
};

/// The same with queues that are polled entry by entry.
struct local_then_shorter_slots : local_then_shorter {
  static constexpr char const* name = "lts-slots";
  using inbox = slot_inbox;
};

}  // namespace gridloom::juggler
