#pragma once
// Our policies, local then shorter. A worker keeps the first task that a task frees, and executes
// it next without a queue if its own queue is empty. Each other freed task goes to the shorter of
// two queues.
//
// LF loses when one worker frees many tasks: its neighbours get them, busy or not. GRR loses what
// is in the worker's caches, and each step of a chain passes through a queue. Here a chain stays
// with its worker. Of two queues picked at random, the shorter is rarely long (Azar et al.,
// "Balanced Allocations", 1994). IQS serves as the length. It also counts the tasks being executed.
//
// Differences from the loop of worker.hpp, with its rules WK.R1 to WK.R8:
// LT.R1. Decrements of counters release and acquire by themselves. They replace the fence before
//        the decrements (WK.R1) and save a fence on the way to a kept child.
// LT.R2. A thread keeps a task by writing it to the first place of the task buffer. Before that,
//        the block synchronised after the cycle's last task, and each thread copied what it needs
//        of that task (WK.R3). The block synchronises before the kept task is executed.
// LT.R3. A worker checks its queue after at most 64 tasks in a row. The queue's length that it has
//        read may be out of date.

#include "juggler/ours/slots.hpp"
#include "juggler/worker.hpp"

namespace gridloom::juggler {

/// The shared memory of a worker that keeps tasks.
template <class TaskData, class Inbox>
struct keeping_scratch : worker_scratch<TaskData, Inbox> {
  /// Ordinal of the kept task, which is executed next.
  std::uint32_t kept;
};

/// A worker that may keep the first task that a task frees. `Policy::look` returns candidate queues
/// for a child, and `Policy::queue` chooses one of them.
template <class Policy, class TaskData>
class keeping_worker : private worker_ref<Policy, TaskData> {
  using base = worker_ref<Policy, TaskData>;
  using typename base::family;
  using typename base::inbox;
  using typename base::task_type;

 public:
  using scratch = keeping_scratch<TaskData, typename Policy::inbox>;

  GRIDLOOM_FN keeping_worker(rt_context_ref const& context, app_context_ref<TaskData> const& app,
                             std::uint32_t number, scratch& shared)
      : base(context, app, number, shared), keeping_(shared) {}

  /// Runs the work cycles, like worker_ref::work().
  template <class Memory, thread_group Block, class Watch, class Steps>
  GRIDLOOM_FN void work(Memory& memory, Block const& block, Watch& patience, Steps& steps) {
    auto const warp = block.warp();
    // The first warp retrieves.
    bool const retrieves = block.thread_rank() == warp.thread_rank();
    if (block.thread_rank() == 0) {
      this->begin();
      keeping_.kept = 0;
    }
    block.sync();
    std::uint32_t ordinal = 0;
    for (std::uint32_t cycles = 0;; ++cycles) {
      if (retrieves) this->retrieve(memory, warp, cycles, steps.stops(memory), patience);
      block.sync();  // WK.R1
      std::int32_t cycle = keeping_.cycle;
      if (cycle == answer::leave) break;
      bool stopped = false;
      for (std::int32_t k = 0; k < cycle; ++k) {
        task_type const& next = keeping_.task_buffer[k];
        family const children = this->children_of(block, next);
        steps.execute(keeping_.numbers[k], next);  // WK.R1, LT.R2
        resolve(memory, block, children, {this->number_, ordinal, cycles}, k + 1 == cycle);
        ++ordinal;
        if constexpr (base::template looks_after_each_task<Block>) {
          stopped = steps.stops(memory);  // WK.R8
          if (stopped) break;
        }
        if (k + 1 < cycle) continue;
        block.sync();  // LT.R2
        if (keeping_.kept != ordinal) break;
        k = -1;
        cycle = 1;
      }
      if (stopped) break;
    }
    if (block.thread_rank() == 0) this->end(memory);
  }

 private:
  /// The limit of LT.R3. A power of two.
  static constexpr std::uint32_t most_kept = 64;

  /// Decrements and inserts like worker_ref::resolve(). Writes a kept task into the buffer's first
  /// place. After the next synchronisation, `kept` says whether there is one.
  template <class Memory, thread_group Block>
  GRIDLOOM_FN void resolve(Memory& memory, Block const& block, family const& children,
                           freeing_task by, bool ends_cycle) {
    auto const warp = block.warp();
    auto const rank = static_cast<std::uint32_t>(block.thread_rank());
    if (rank == 0) this->begin_task_count(by);
    std::uint32_t const first_of_warp = rank - static_cast<std::uint32_t>(warp.thread_rank());
    for (std::uint32_t base_rank = 0; base_rank + first_of_warp < children.size;
         base_rank += static_cast<std::uint32_t>(block.num_threads())) {
      std::uint32_t child = children.mine;
      if (base_rank != 0 && base_rank + rank < children.size)
        child = this->app_.children[children.begin + base_rank + rank];
      typename Policy::hint seen{};
      task_type next{};
      bool freed = false;
      if (base_rank + rank < children.size) {
        // Reads the task during the decrement, whose latency hides the read.
        next = this->app_.task_list[child];
        seen = Policy::look(memory, this->context_, by, base_rank + rank);
        freed =
            memory.fetch_sub_acq_rel(this->context_.open_parents + child, 1U) == 1;  // LT.R1, WK.R2
      }
      hand_on(memory, warp, freed, child, next, seen, by, ends_cycle);
    }
  }

  template <class Memory, warp_group Warp, class Hint>
  GRIDLOOM_FN void hand_on(Memory& memory, Warp const& warp, bool freed, std::uint32_t child,
                           task_type const& next, Hint const& seen, freeing_task by,
                           bool ends_cycle) {
    std::uint32_t const givers = warp.ballot(freed);
    if (givers == 0) return;
    std::uint32_t number = 0;
    if (warp.thread_rank() == 0)
      number = block_memory{}.fetch_add_relaxed(&keeping_.policy.freed_of_task[by.ordinal & 1U],
                                                static_cast<std::uint32_t>(count_lanes(givers)));
    number = warp.shuffle(number, 0);
    if (!freed) return;
    number += static_cast<std::uint32_t>(count_lanes(givers & lanes_below(warp.thread_rank())));
    bool const others_wait = seen.own_length > static_cast<std::int32_t>(keeping_.queue.in_work);
    if (number == 0 && ends_cycle && !others_wait && (by.ordinal + 1) % most_kept != 0) {  // LT.R3
      keeping_.numbers[0] = child;                                                         // LT.R2
      keeping_.task_buffer[0] = next;
      keeping_.kept = by.ordinal + 1;
      return;
    }
    inbox::insert(memory, this->context_, Policy::queue(seen), child);  // WK.R1
  }

  scratch& keeping_;
};

/// The published queues, with workers that keep tasks.
struct local_then_shorter {
  static constexpr char const* name = "lts";
  using inbox = counted_inbox;
  template <class Policy, class TaskData>
  using worker = keeping_worker<Policy, TaskData>;

  /// Two queues, their lengths, and the length of the worker's own queue.
  struct hint {
    std::uint32_t first;
    std::uint32_t second;
    std::int32_t first_length;
    std::int32_t second_length;
    std::int32_t own_length;
  };
  /// The candidate queues for child number `child` of the current task.
  template <class Memory>
  GRIDLOOM_FN static hint look(Memory& memory, rt_context_ref const& context, freeing_task by,
                               std::uint32_t child) {
    // The first candidates of one task's children are consecutive queues, so no two children
    // compete there. They start at a queue hashed from the task. The second candidate is hashed
    // from the child.
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
  GRIDLOOM_FN static std::uint32_t queue(hint const& seen) {
    return seen.second_length < seen.first_length ? seen.second : seen.first;
  }

 private:
  /// The upper half of the product x × `below`, a number less than `below`.
  GRIDLOOM_FN static std::uint32_t scaled(std::uint32_t x, std::uint32_t below) {
    return static_cast<std::uint32_t>(std::uint64_t{x} * below >> 32U);
  }
};

/// The same policy with queues whose owner polls each entry (slots.hpp).
struct local_then_shorter_slots : local_then_shorter {
  static constexpr char const* name = "lts-slots";
  using inbox = slot_inbox;
};

}  // namespace gridloom::juggler
