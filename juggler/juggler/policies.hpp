#pragma once
// Scheduling policies (section 5.6): which queue a freed task goes to. The published policies
// number the freed tasks and deal them to the queues in turns. A policy only decides which worker
// executes a task, so results do not depend on it.

#include <cstdint>

#include "gridloom/block_memory.hpp"
#include "gridloom/group.hpp"
#include "juggler/queues.hpp"

namespace gridloom::juggler {

template <class Policy, class TaskData>
class worker_ref;

/// A worker's counters for its policy, in the shared memory of its block.
struct policy_words {
  /// Tasks freed by this worker, plus its number, which the paper does not have: otherwise all
  /// workers would begin with one queue.
  std::uint32_t freed;
  /// Tasks freed in the current work cycle, at index cycle % 2; the other element is 0.
  std::uint32_t freed_of_cycle[2];
  /// Tasks freed by the current task, at index ordinal % 2; the other element is 0.
  std::uint32_t freed_of_task[2];
};

/// The task that frees others: its worker, its ordinal among the worker's tasks, and the cycle.
struct freeing_task {
  std::uint32_t worker;
  std::uint32_t ordinal;
  std::uint32_t cycle;
};

/// The common part of the published policies. Each of them adds
///
///  number(memory, context, words, by, count)
///
/// which returns the number of the first of `count` freed tasks. Any thread of the worker may call
/// it. `inbox` is the kind of queue, `worker` the loop that a worker runs.
struct counting_policy {
  using inbox = counted_inbox;
  template <class Policy, class TaskData>
  using worker = worker_ref<Policy, TaskData>;

  /// The queue for the freed task with this number.
  GRIDLOOM_FN static std::uint32_t queue(rt_context_ref const& context, freeing_task,
                                         std::uint32_t number) {
    return number % context.workers;
  }
};

/// LRR: one counter per worker.
struct local_round_robin : counting_policy {
  static constexpr char const* name = "lrr";

  template <class Memory>
  GRIDLOOM_FN static std::uint32_t number(Memory&, rt_context_ref const&, policy_words& words,
                                          freeing_task, std::uint32_t count) {
    return block_memory{}.fetch_add_relaxed(&words.freed, count);
  }
};

/// GRR: one counter for all workers.
struct global_round_robin : counting_policy {
  static constexpr char const* name = "grr";

  template <class Memory>
  GRIDLOOM_FN static std::uint32_t number(Memory& memory, rt_context_ref const& context,
                                          policy_words&, freeing_task, std::uint32_t count) {
    return memory.fetch_add_relaxed(&context.words->next_queue, count);
  }
};

/// GRR whose queues are read by the first k threads of a block (section 5.3), instead of one warp.
/// A worker takes up to 128 tasks at once, and checks the time limit only between such batches.
struct global_round_robin_by_block : global_round_robin {
  static constexpr char const* name = "grr-block";
  using inbox = counted_inbox_by_block;
};

/// The common part of both readings of LF: the first freed task goes to the worker's own queue, the
/// others to the next queues. The paper does not say "first" of what.
struct own_queue_first : counting_policy {
  GRIDLOOM_FN static std::uint32_t queue(rt_context_ref const& context, freeing_task by,
                                         std::uint32_t number) {
    return (by.worker + number) % context.workers;
  }
};

/// LF by work cycle: each cycle begins with the own queue.
struct local_first : own_queue_first {
  static constexpr char const* name = "lf";

  template <class Memory>
  GRIDLOOM_FN static std::uint32_t number(Memory&, rt_context_ref const&, policy_words& words,
                                          freeing_task by, std::uint32_t count) {
    return block_memory{}.fetch_add_relaxed(&words.freed_of_cycle[by.cycle & 1U], count);
  }
};

/// LF by task: each task begins with the own queue. Most tasks of a wavefront free one child, so
/// most stay with one worker.
struct local_first_of_task : own_queue_first {
  static constexpr char const* name = "lf-task";

  template <class Memory>
  GRIDLOOM_FN static std::uint32_t number(Memory&, rt_context_ref const&, policy_words& words,
                                          freeing_task by, std::uint32_t count) {
    return block_memory{}.fetch_add_relaxed(&words.freed_of_task[by.ordinal & 1U], count);
  }
};

/// The loop that a policy's workers run.
template <class Policy, class TaskData>
using worker_of = typename Policy::template worker<Policy, TaskData>;

}  // namespace gridloom::juggler
