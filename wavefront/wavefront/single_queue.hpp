#pragma once
// Single-task queue (paper, III.B): one stack of ready tasks under one lock. A worker pops a task
// and executes it. Then it takes the lock once more and pushes the successors that have become
// ready.
//
// Rules of order, cited where they are served:
// SQ.R1. A task sees its predecessors' results. Each count-down releases them, and acquires what
//     the earlier count-downs released. The worker of the last count-down pushes the task under a
//     lock, and the worker that pops it takes that lock later (LS.R2 of locked_stack.hpp). The
//     block meets before and after the task.
// SQ.R2. A run ends when `finished` has counted all tasks. Until then a ready task is in the stack
//     or held by a worker, and no worker waits while it holds the lock.

#include "gridloom/taskgraph/task_body.hpp"
#include "wavefront/locked_stack.hpp"
#include "wavefront/support/scheduler_words.hpp"

namespace gridloom::wavefront {

template <task_graph Graph, class Probe, block_body Body>
struct single_queue_kernel {
  static constexpr bool persistent = true;
  static constexpr int max_threads = Body::max_threads;
  struct scratch : Body::scratch {
    std::uint32_t task;
  };

  Graph graph;
  Body body;
  std::uint32_t* dependencies;
  locked_stack_words* queue;
  std::uint32_t* items;
  /// Number of places, at least the largest number of tasks that are ready at once.
  std::uint32_t capacity;
  scheduler_words* words;
  watchdog_ref dog;
  probe_ref observer;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    Probe probe(observer, block.index());
    watch patience(dog, block.index(), body.takes_long());
    for (;;) {
      if (block.thread_rank() == 0) shared.task = pop(probe, patience, block.index());
      block.sync();
      std::uint32_t const task = shared.task;
      if (task == no_task) break;
      if (block.thread_rank() == 0) probe.begin(task);
      body(block, graph, task, shared);
      block.sync();
      if (block.thread_rank() == 0) {
        probe.end(task);
        finish(probe, patience, block.index(), task);
      }
    }
    if (block.thread_rank() == 0) probe.flush();
  }

 private:
  GRIDLOOM_FN locked_stack_ref stack() const { return {queue, items, capacity}; }

  GRIDLOOM_FN std::uint32_t pop(Probe& probe, watch& patience, int owner) const {
    // The limit is also checked here, for a worker that always finds a task.
    if (patience.expired(probe)) {
      patience.note(wait_kind::own_work, static_cast<std::uint32_t>(owner),
                    probe.load_relaxed(&words->finished), graph.tasks());
      return no_task;
    }
    for (unsigned attempt = 0; probe.load_relaxed(&words->finished) != graph.tasks(); ++attempt) {
      if (!stack().lock().lock(probe, owner, patience, 0)) return no_task;
      std::uint32_t task = no_task;
      bool const popped = stack().pop_locked(probe, task);
      stack().lock().unlock(probe, owner);
      if (popped) return task;
      if (patience.expired(probe)) {
        patience.note(wait_kind::queue, 0, probe.load_relaxed(&words->finished), graph.tasks());
        return no_task;
      }
      give_way(attempt);
    }
    return no_task;
  }

  GRIDLOOM_FN void finish(Probe& probe, watch& patience, int owner, std::uint32_t task) const {
    auto const to = graph.successors(task);
    // The lock is taken once for all ready successors, and not at all if no successor is ready.
    bool locked = false;
    for (std::uint32_t k = 0; k < to.size(); ++k) {
      std::uint32_t const successor = to[k];
      if (probe.fetch_sub_acq_rel(dependencies + successor, 1U) != 1) continue;  // SQ.R1
      // The listing counts all successors down before it takes the lock. Here the lock is taken at
      // the first ready successor, so that a task may have any number of successors.
      if (!locked && !stack().lock().lock(probe, owner, patience, 0)) return;
      locked = true;
      // The stack has room for every ready task.
      (void)stack().push_locked(probe, successor);
    }
    if (locked) stack().lock().unlock(probe, owner);
    probe.fetch_add_relaxed(&words->finished, 1U);  // SQ.R2
  }
};

}  // namespace gridloom::wavefront
