#pragma once
// A worker (section 5): a persistent block with a queue of its own. In a work cycle it retrieves up to
// a buffer of ready tasks, executes each by all of its threads, counts the children of each down, and
// inserts those that became ready into the workers' queues.
//
// Queues are argued in queues.hpp (Q1 to Q4) and slots.hpp (H1 to H4). Rules of dependences, cited
// where they are served:
// D1. A task sees what its parents wrote. The block that executed a parent meets, and a batch_fence
//     comes before the count-down of its children. Who counts a child down to 0 comes after all
//     others that did; a batch_fence stands between that and handing it on, within insert (Q3, H2).
//     Where a worker may keep a child, count-downs release and acquire by themselves: a fence less on
//     the way to it. The block meets between retrieval and execution.
// D2. A child is handed on once: counts only fall, so one count-down finds 1.
// D3. The task buffer is written by retrieval, or by who keeps a task, after the block met behind the
//     last task of the cycle; each thread has copied what it needs of that task by then.
//
// Termination. The paper lets who finds all IQS zero end the run. They are read one after the other:
// a task that moves from a queue not yet read to one read before is not seen, and workers leave too
// early. Here finished tasks are counted.
// T1. A worker adds the tasks that it executed to `finished` when it finds its queue empty, after it
//     has taken them out of its own IQS, or emptied their entries (H1).
// T2. When `finished` is all tasks, nobody changes a queue any more, and all owners can be told to
//     leave, by an IQS of -1 or by H4. Each insertion was of a task that was executed since, by an
//     owner who acquired it (Q3, H2), and each owner's change comes before an addition (T1).
//     Additions are acquire-release updates of one word, so who makes it all tasks comes after all of
//     these.
// T3. A worker leaves when it is told, with nothing in hand: it has just found its queue empty.
// T4. Somebody makes it all tasks. While tasks are left one is executed or in a queue, since a graph
//     has no cycle, and owners look again and again. Who has none left adds what it executed.
// T5. All waiting is bounded: by T2, or by the watchdog, which is also looked at by a worker that
//     always has tasks: before it retrieves some, and one of a single thread, which needs no meeting
//     for it, after each task. What it leaves in its buffer is lost with the run.

#include <type_traits>

#include "juggler/app_store.hpp"
#include "juggler/policies.hpp"

namespace gridloom::juggler {

/// The shared memory of a worker.
template <class TaskData>
struct worker_scratch {
  own_queue queue;
  policy_words policy;
  /// Of this cycle, or one of `answer`.
  std::int32_t cycle;
  /// Tasks executed, and those of them that are in `finished`.
  std::uint32_t executed;
  std::uint32_t reported;
  /// Ordinal of the task that is to be executed next because it was kept.
  std::uint32_t kept;
  std::uint32_t numbers[task_buffer_length];
  task<TaskData> task_buffer[task_buffer_length];
};

/// Adds a worker's tasks to those of the run.
struct finished_tasks {
  rt_context_ref const& context;
  std::uint32_t const& executed;
  std::uint32_t& reported;

  /// Whether all are finished by it. By one thread.
  template <class Memory>
  GRIDLOOM_FN bool operator()(Memory& memory) {
    std::uint32_t const more = executed - reported;
    if (more == 0) return false;
    reported = executed;
    return memory.fetch_add_acq_rel(&context.words->finished, more) + more ==
           context.tasks;  // T1, T2
  }
};

/// One worker. Private members are called by all threads of its block, unless they say otherwise.
template <class Policy, class TaskData>
class worker_ref {
  using inbox = typename Policy::inbox;
  using task_type = task<TaskData>;
  struct none {};
  /// A worker of the host. On a GPU a look would cost each task a meeting.
  template <class Block>
  static constexpr bool looks_after_each_task = std::is_base_of_v<thread_of_one, Block>;
  /// What is read of a child that the worker may keep.
  using kept_task = std::conditional_t<Policy::keeps, task_type, none>;

 public:
  GRIDLOOM_FN worker_ref(rt_context_ref const& context, app_context_ref<TaskData> const& app,
                         std::uint32_t number, worker_scratch<TaskData>& shared)
      : context_(context), app_(app), number_(number), shared_(shared) {}

  /// The work cycles, to the end of the run. `steps.stops(memory)`: whether a worker that always has
  /// tasks is to leave; the first thread's answer counts. `steps.execute(number, task)` executes one
  /// by all threads, which meet at its end.
  template <class Memory, thread_group Block, class Watch, class Steps>
  GRIDLOOM_FN void work(Memory& memory, Block const& block, Watch& patience, Steps& steps) {
    auto const warp = block.warp();
    bool const retrieves = block.thread_rank() == warp.thread_rank();  // the first warp
    if (block.thread_rank() == 0) begin();
    block.sync();
    std::uint32_t ordinal = 0;
    for (std::uint32_t cycles = 0;; ++cycles) {
      if (retrieves) retrieve(memory, warp, cycles, steps.stops(memory), patience);
      block.sync();  // D1
      std::int32_t cycle = shared_.cycle;
      if (cycle == answer::leave) break;
      bool stopped = false;
      for (std::int32_t k = 0; k < cycle; ++k) {
        task_type const& next = shared_.task_buffer[k];
        family const children = children_of(block, next);
        steps.execute(shared_.numbers[k], next);  // D1, D3
        resolve(memory, block, children, {number_, ordinal, cycles}, k + 1 == cycle);
        ++ordinal;
        if constexpr (looks_after_each_task<Block>) {
          stopped = steps.stops(memory);  // T5
          if (stopped) break;
        }
        if constexpr (Policy::keeps) {
          if (k + 1 < cycle) continue;
          block.sync();  // D1, D3
          if (shared_.kept != ordinal) break;
          k = -1;
          cycle = 1;
        }
      }
      if (stopped) break;
    }
    if (block.thread_rank() == 0) end(memory);
  }

 private:
  /// Tasks executed in a row without a look at the queue, at most: a power of two.
  static constexpr std::uint32_t most_kept = 64;

  /// By one thread, before the block meets for the first time.
  GRIDLOOM_FN void begin() {
    shared_.queue = {
        number_, rt_context_ref::dealt(number_, context_.ready_tasks, context_.workers), 0, 0, 0};
    shared_.policy = {number_, {0, 0}, {0, 0}};
    shared_.executed = shared_.reported = shared_.kept = 0;
  }

  /// Section 5.3, by the first warp: the next tasks into the buffer; `cycle` says how many. `stops`
  /// of its first thread means leave. `cycles` were before: other warps may still be in the last one.
  template <class Memory, warp_group Warp, class Watch>
  GRIDLOOM_FN void retrieve(Memory& memory, Warp const& warp, std::uint32_t cycles, bool stops,
                            Watch& patience) {
    own_queue& own = shared_.queue;
    finished_tasks finishes{context_, shared_.executed, shared_.reported};
    std::int32_t got =
        inbox::take(memory, warp, context_, own, shared_.numbers, stops, patience, finishes);
    if (got == answer::dismiss) {
      warp.sync();  // T2: for all lanes
      for (auto q = static_cast<std::uint32_t>(warp.thread_rank()); q < context_.workers;
           q += static_cast<std::uint32_t>(warp.num_threads())) {
        if (q != number_) inbox::dismiss(memory, context_, q);  // T2
      }
      got = answer::leave;
    }
    for (int k = warp.thread_rank(); k < got; k += warp.num_threads())
      shared_.task_buffer[k] = app_.task_list[shared_.numbers[k]];
    warp.sync();
    if (warp.thread_rank() != 0) return;
    shared_.cycle = got;
    shared_.policy.freed_of_cycle[cycles & 1U] = 0;
    if (got <= 0) return;
    own.start += static_cast<std::uint32_t>(got);
    own.in_work += static_cast<std::uint32_t>(got);
    if (context_.is_ring)
      memory.store_release(&context_.inboxes[number_].queue_start_index, own.start);  // Q4, H1
  }

  /// The children of a task as this thread needs them after its execution: asked for before it,
  /// which hides the access.
  struct family {
    std::uint32_t size;
    std::uint32_t begin;
    /// The child of this thread's rank.
    std::uint32_t mine;
  };
  template <thread_group Block>
  [[nodiscard]] GRIDLOOM_FN family children_of(Block const& block, task_type const& of) const {
    auto const rank = static_cast<std::uint32_t>(block.thread_rank());
    std::uint32_t const begin = of.children_start_index;
    return {of.n_children, begin, rank < of.n_children ? app_.children[begin + rank] : no_task};
  }

  /// Sections 5.4 and 5.5, after the task was executed and the block has met: the task's children
  /// are counted down, and those that are ready handed on. Tasks and cycles of `by` are numbered
  /// from 0. One that it is to execute next is put into the buffer's first place, which `kept` says
  /// after a meeting.
  template <class Memory, thread_group Block>
  GRIDLOOM_FN void resolve(Memory& memory, Block const& block, family const& children,
                           freeing_task by, bool ends_cycle) {
    auto const warp = block.warp();
    auto const rank = static_cast<std::uint32_t>(block.thread_rank());
    auto const lane = static_cast<std::uint32_t>(warp.thread_rank());
    if (rank == 0) {
      shared_.executed = by.ordinal + 1;
      shared_.policy.freed_of_task[(by.ordinal + 1) & 1U] = 0;
    }
    std::uint32_t const first_of_warp = rank - lane;
    if constexpr (!Policy::keeps) {
      if (first_of_warp < children.size) memory.batch_fence();  // D1
    }
    for (std::uint32_t base = 0; base + first_of_warp < children.size;
         base += static_cast<std::uint32_t>(block.num_threads())) {
      std::uint32_t child = children.mine;
      if (base != 0 && base + rank < children.size)
        child = app_.children[children.begin + base + rank];
      bool const has = base + rank < children.size;
      decltype(Policy::look(memory, context_, by, child)) seen{};
      kept_task next{};
      bool freed = false;
      if (has) {
        // Asked for beside the count-down, whose time hides it.
        if constexpr (Policy::keeps) next = app_.task_list[child];
        seen = Policy::look(memory, context_, by, base + rank);
        freed = count_down(memory, context_.open_parents + child) == 1;  // D1, D2
      }
      hand_on(memory, warp, freed, child, next, seen, by, ends_cycle);
    }
  }

  /// How many parents a child waited for.
  template <class Memory>
  GRIDLOOM_FN static std::uint32_t count_down(Memory& memory, std::uint32_t* open_parents) {
    if constexpr (Policy::keeps) {
      return memory.fetch_sub_acq_rel(open_parents, 1U);
    } else {
      return memory.fetch_sub_in_batch(open_parents, 1U);
    }
  }

  /// By one thread after the last meeting: what the worker executed.
  template <class Memory>
  GRIDLOOM_FN void end(Memory& memory) {
    context_.inboxes[number_].executed = shared_.executed;
    // Where the watchdog ended the run.
    if (shared_.executed != shared_.reported)
      memory.fetch_add_relaxed(&context_.words->finished, shared_.executed - shared_.reported);
  }

  /// The tasks that the threads of a warp have freed, by the policy.
  template <class Memory, warp_group Warp, class Hint>
  GRIDLOOM_FN void hand_on(Memory& memory, Warp const& warp, bool freed, std::uint32_t child,
                           [[maybe_unused]] kept_task const& next, Hint const& seen,
                           freeing_task by, bool ends_cycle) {
    std::uint32_t const givers = warp.ballot(freed);
    if (givers == 0) return;
    std::uint32_t number = 0;
    if (warp.thread_rank() == 0)
      number = Policy::number(memory, context_, shared_.policy, by,
                              static_cast<std::uint32_t>(count_lanes(givers)));
    number = warp.shuffle(number, 0);
    if (!freed) return;
    number += static_cast<std::uint32_t>(count_lanes(givers & lanes_below(warp.thread_rank())));
    if constexpr (Policy::keeps) {
      bool const waits = seen.own_length > static_cast<std::int32_t>(shared_.queue.in_work);
      if (number == 0 && ends_cycle && !waits && (by.ordinal + 1) % most_kept != 0) {
        shared_.numbers[0] = child;  // D3
        shared_.task_buffer[0] = next;
        shared_.kept = by.ordinal + 1;
        return;
      }
    }
    std::uint32_t const queue = Policy::queue(context_, by, number, seen);
    inbox::insert(memory, context_, queue, child);  // D1
  }

  rt_context_ref const& context_;
  app_context_ref<TaskData> const& app_;
  std::uint32_t number_;
  worker_scratch<TaskData>& shared_;
};

}  // namespace gridloom::juggler
