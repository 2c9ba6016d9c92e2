#pragma once
// A worker (section 5): a persistent block with its own queue. In each work cycle it retrieves up
// to a buffer of ready tasks and executes each with all of its threads. It then decrements
// the dependency counters of the task's children. Children that became ready go into the workers'
// queues.
//
// Rules of dependences, cited where they are served:
// WK.R1. A task sees what its parents wrote. After executing a parent, the block synchronises, and
//        a batch_fence precedes the decrements of its children's counters. The decrement to 0 comes
//        after all other decrements of that counter. A batch_fence within insert (JQ.R3, SL.R2)
//        stands between that decrement and the entry. The block synchronises between retrieval and
//        execution.
// WK.R2. A child is inserted once: counters only fall, so exactly one decrement finds 1.
// WK.R3. Retrieval writes the task buffer when the block has synchronised after the cycle's last
//        task. By then each thread has copied what it needs of that task.
//
// Termination. In the paper, a worker that finds all IQS zero ends the run. It reads them one by
// one. If a task moves from an unread queue to one already read, the worker misses it, and workers
// leave too early. Here finished tasks are counted.
// WK.R4. A worker adds the tasks that it executed to `finished` when it finds its queue empty.
//        Before that, it subtracts them from its own IQS or empties their entries (SL.R1).
// WK.R5. When `finished` equals the number of tasks, no queue changes any more. So all owners can
//        be told to leave, by an IQS of -1 or by SL.R4. Each inserted task has been executed by an
//        owner that acquired its entry (JQ.R3, SL.R2). Each owner's change of a queue comes before
//        its addition (WK.R4). Additions are acquire-release updates of one word. So the worker
//        that completes the count comes after all these changes.
// WK.R6. A worker that is told to leave has no task: it has just found its queue empty.
// WK.R7. Some worker completes the count. While tasks are left, one is being executed or is in a
//        queue, because the graph has no cycle. Owners look again and again. A worker without a
//        task adds what it executed.
// WK.R8. All waiting ends by WK.R5 or by the watchdog. A worker that always has tasks checks the
//        watchdog before it retrieves. A worker of a single thread also checks after each task,
//        which needs no synchronisation. Tasks left in its buffer are not executed then.

#include <type_traits>

#include "juggler/app_store.hpp"
#include "juggler/policies.hpp"

namespace gridloom::juggler {

/// The shared memory of a worker.
template <class TaskData, class Inbox>
struct worker_scratch {
  own_queue queue;
  policy_words policy;
  /// Number of tasks in the current cycle, or a value of `answer`.
  std::int32_t cycle;
  /// Number of tasks executed, and how many of them were added to `finished`.
  std::uint32_t executed;
  std::uint32_t reported;
  /// For block_lanes.
  std::uint32_t exchanged[2];
  std::uint32_t numbers[Inbox::buffer_length];
  task<TaskData> task_buffer[Inbox::buffer_length];
};

/// Adds the tasks that a worker executed to the run's count of finished tasks.
struct finished_tasks {
  rt_context_ref const& context;
  std::uint32_t const& executed;
  std::uint32_t& reported;

  /// Returns whether this addition completes the run. Called by one thread.
  template <class Memory>
  GRIDLOOM_FN bool operator()(Memory& memory) {
    std::uint32_t const more = executed - reported;
    if (more == 0) return false;
    reported = executed;
    return memory.fetch_add_acq_rel(&context.words->finished, more) + more ==
           context.tasks;  // WK.R4, WK.R5
  }
};

/// One worker. All threads of its block call each member, unless the member says otherwise.
template <class Policy, class TaskData>
class worker_ref {
 public:
  using scratch = worker_scratch<TaskData, typename Policy::inbox>;

  GRIDLOOM_FN worker_ref(rt_context_ref const& context, app_context_ref<TaskData> const& app,
                         std::uint32_t number, scratch& shared)
      : context_(context), app_(app), number_(number), shared_(shared) {}

  /// Runs the work cycles to the end of the run. `steps.stops(memory)` says whether a worker that
  /// always has tasks must leave; the first thread's answer counts. `steps.execute(number, task)`
  /// executes one task with all threads and synchronises the block at its end.
  template <class Memory, thread_group Block, class Watch, class Steps>
  GRIDLOOM_FN void work(Memory& memory, Block const& block, Watch& patience, Steps& steps) {
    if (block.thread_rank() == 0) begin();
    block.sync();
    std::uint32_t ordinal = 0;
    for (std::uint32_t cycles = 0;; ++cycles) {
      if constexpr (inbox::by_block) {
        retrieve(memory, block_lanes(block, shared_.exchanged), cycles, steps.stops(memory),
                 patience);
      } else if (auto const warp = block.warp(); block.thread_rank() == warp.thread_rank()) {
        retrieve(memory, warp, cycles, steps.stops(memory), patience);
      }
      block.sync();  // WK.R1
      std::int32_t const cycle = shared_.cycle;
      if (cycle == answer::leave) break;
      bool stopped = false;
      for (std::int32_t k = 0; k < cycle; ++k) {
        task_type const& next = shared_.task_buffer[k];
        family const children = children_of(block, next);
        steps.execute(shared_.numbers[k], next);  // WK.R1, WK.R3
        resolve(memory, block, children, {number_, ordinal, cycles});
        ++ordinal;
        if constexpr (looks_after_each_task<Block>) {
          stopped = steps.stops(memory);  // WK.R8
          if (stopped) break;
        }
      }
      if (stopped) break;
    }
    if (block.thread_rank() == 0) end(memory);
  }

 protected:
  using inbox = typename Policy::inbox;
  using task_type = task<TaskData>;
  /// True on the host. On a GPU, the block would have to synchronise for each check.
  template <class Block>
  static constexpr bool looks_after_each_task = std::is_base_of_v<thread_of_one, Block>;

  /// Called by one thread, before the block synchronises for the first time.
  GRIDLOOM_FN void begin() {
    shared_.queue = {
        number_, rt_context_ref::dealt(number_, context_.ready_tasks, context_.workers), 0, 0, 0};
    shared_.policy = {number_, {0, 0}, {0, 0}};
    shared_.executed = shared_.reported = 0;
  }

  /// Section 5.3: puts the next tasks into the buffer, and their number into `cycle`. Called by the
  /// first warp, or by all threads as block_lanes. If the first thread passes `stops`, the worker
  /// leaves. `cycles` is the number of earlier cycles; other warps may still be in the last of them.
  template <class Memory, thread_group Warp, class Watch>
  GRIDLOOM_FN void retrieve(Memory& memory, Warp const& warp, std::uint32_t cycles, bool stops,
                            Watch& patience) {
    own_queue& own = shared_.queue;
    finished_tasks finishes{context_, shared_.executed, shared_.reported};
    std::int32_t got =
        inbox::take(memory, warp, context_, own, shared_.numbers, stops, patience, finishes);
    if (got == answer::dismiss) {
      warp.sync();  // WK.R5
      for (auto q = static_cast<std::uint32_t>(warp.thread_rank()); q < context_.workers;
           q += static_cast<std::uint32_t>(warp.num_threads())) {
        if (q != number_) inbox::dismiss(memory, context_, q);  // WK.R5
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
      memory.store_release(&context_.inboxes[number_].queue_start_index,
                           own.start);  // JQ.R4, SL.R1
  }

  /// A task's children, of which this thread handles some. Read before the task, to hide the
  /// latency.
  struct family {
    std::uint32_t size;
    std::uint32_t begin;
    /// The child that this thread handles first.
    std::uint32_t mine;
  };
  template <thread_group Block>
  [[nodiscard]] GRIDLOOM_FN family children_of(Block const& block, task_type const& of) const {
    auto const rank = static_cast<std::uint32_t>(block.thread_rank());
    std::uint32_t const begin = of.children_start_index;
    return {of.n_children, begin, rank < of.n_children ? app_.children[begin + rank] : no_task};
  }

  /// Called by one thread after each task. The block has synchronised since the task before it, so
  /// no thread uses the counter of the next task yet.
  GRIDLOOM_FN void begin_task_count(freeing_task by) {
    shared_.executed = by.ordinal + 1;
    shared_.policy.freed_of_task[(by.ordinal + 1) & 1U] = 0;
  }

  /// Stores how many tasks the worker executed. Called by one thread after the last cycle.
  template <class Memory>
  GRIDLOOM_FN void end(Memory& memory) {
    context_.inboxes[number_].executed = shared_.executed;
    // The two counts differ if the watchdog ended the run.
    if (shared_.executed != shared_.reported)
      memory.fetch_add_relaxed(&context_.words->finished, shared_.executed - shared_.reported);
  }

  rt_context_ref const& context_;
  app_context_ref<TaskData> const& app_;
  std::uint32_t number_;
  scratch& shared_;

 private:
  /// Section 5.4: decrements the counters of the task's children and inserts those that became
  /// ready. Called after the task was executed and the block synchronised.
  template <class Memory, thread_group Block>
  GRIDLOOM_FN void resolve(Memory& memory, Block const& block, family const& children,
                           freeing_task by) {
    auto const warp = block.warp();
    auto const rank = static_cast<std::uint32_t>(block.thread_rank());
    if (rank == 0) begin_task_count(by);
    std::uint32_t const first_of_warp = rank - static_cast<std::uint32_t>(warp.thread_rank());
    if (first_of_warp < children.size) memory.batch_fence();  // WK.R1
    for (std::uint32_t base = 0; base + first_of_warp < children.size;
         base += static_cast<std::uint32_t>(block.num_threads())) {
      std::uint32_t child = children.mine;
      if (base != 0 && base + rank < children.size)
        child = app_.children[children.begin + base + rank];
      bool freed = false;
      if (base + rank < children.size)
        freed = memory.fetch_sub_in_batch(context_.open_parents + child, 1U) == 1;  // WK.R1, WK.R2
      hand_on(memory, warp, freed, child, by);
    }
  }

  /// Section 5.5: inserts the tasks that a warp has freed into the queues that the policy chooses.
  template <class Memory, warp_group Warp>
  GRIDLOOM_FN void hand_on(Memory& memory, Warp const& warp, bool freed, std::uint32_t child,
                           freeing_task by) {
    std::uint32_t const givers = warp.ballot(freed);
    if (givers == 0) return;
    std::uint32_t number = 0;
    if (warp.thread_rank() == 0)
      number = Policy::number(memory, context_, shared_.policy, by,
                              static_cast<std::uint32_t>(count_lanes(givers)));
    number = warp.shuffle(number, 0);
    if (!freed) return;
    number += static_cast<std::uint32_t>(count_lanes(givers & lanes_below(warp.thread_rank())));
    inbox::insert(memory, context_, Policy::queue(context_, by, number), child);  // WK.R1
  }
};

}  // namespace gridloom::juggler
