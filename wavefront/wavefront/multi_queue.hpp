#pragma once
// Multi-task queue (paper, III.C): like the single queue, but with several stacks, each under its
// own lock. A worker always pops from the queue that hash1 (worker mod queues) names, and pushes to
// the queue that hash2 names (task_hash.hpp has the paper's).
//
// Rules of order, cited where they are served:
// MQ.R1. A task sees its predecessors' results, by SQ.R1 of single_queue.hpp.
// MQ.R2. A run ends when `finished` has counted all tasks. Until then a ready task is in a stack or
//     held by a worker. The workers of that stack are resident and look at it. A worker holds one
//     lock at a time, and never waits while it holds one.

#include "gridloom/taskgraph/task_body.hpp"
#include "wavefront/locked_stack.hpp"
#include "wavefront/support/scheduler_words.hpp"

namespace gridloom::wavefront {

template <task_graph Graph, class Probe, block_body Body, class Hash>
struct multi_queue_kernel {
  /// Only a queue's own workers pop from it, so all workers must be resident.
  static constexpr bool persistent = true;
  static constexpr int max_threads = Body::max_threads;
  struct scratch : Body::scratch {
    std::uint32_t task;
  };

  Graph graph;
  Body body;
  std::uint32_t* dependencies;
  /// Array of the words of each queue, `queues` entries.
  locked_stack_words* stacks;
  /// Array of `queues` × `capacity` tasks.
  std::uint32_t* items;
  /// Number of queues, at most the number of workers.
  std::uint32_t queues;
  /// Places in each queue. Together the queues have room for all tasks that can be ready at once.
  std::uint32_t capacity;
  Hash hash;
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
  GRIDLOOM_FN locked_stack_ref stack(std::uint32_t q) const {
    return {stacks + q, items + static_cast<std::size_t>(q) * capacity, capacity};
  }

  GRIDLOOM_FN std::uint32_t pop(Probe& probe, watch& patience, int owner) const {
    std::uint32_t const mine = static_cast<std::uint32_t>(owner) % queues;
    locked_stack_ref const own = stack(mine);
    // The limit is also checked here, for a worker that always finds a task.
    if (patience.expired(probe)) {
      patience.note(wait_kind::own_work, static_cast<std::uint32_t>(owner),
                    probe.load_relaxed(&words->finished), graph.tasks());
      return no_task;
    }
    for (unsigned attempt = 0; probe.load_relaxed(&words->finished) != graph.tasks(); ++attempt) {
      if (!own.lock().lock(probe, owner, patience, mine)) return no_task;
      std::uint32_t task = no_task;
      bool const popped = own.pop_locked(probe, task);
      own.lock().unlock(probe, owner);
      if (popped) return task;
      if (patience.expired(probe)) {
        patience.note(wait_kind::queue, mine, probe.load_relaxed(&words->finished), graph.tasks());
        return no_task;
      }
      give_way(attempt);
    }
    return no_task;
  }

  GRIDLOOM_FN void finish(Probe& probe, watch& patience, int owner, std::uint32_t task) const {
    auto const to = graph.successors(task);
    for (std::uint32_t k = 0; k < to.size(); ++k) {
      std::uint32_t const successor = to[k];
      if (probe.fetch_sub_acq_rel(dependencies + successor, 1U) != 1) continue;  // MQ.R1
      std::uint32_t q = hash(successor, k, queues);
      for (unsigned attempt = 0;; ++attempt) {
        if (!stack(q).lock().lock(probe, owner, patience, q)) return;
        bool const pushed = stack(q).push_locked(probe, successor);
        stack(q).lock().unlock(probe, owner);
        if (pushed) break;
        // Not in the paper: a full queue passes the task on. Not all queues can be full.
        q = (q + 1) % queues;
        if (patience.stop(probe, wait_kind::queue, q, capacity, capacity - 1)) return;
        give_way(attempt);
      }
    }
    probe.fetch_add_relaxed(&words->finished, 1U);  // MQ.R2
  }
};

}  // namespace gridloom::wavefront
