#pragma once
// Scanning (paper, III.A): every worker walks over the dependency matrix again and again. It claims
// a ready task by the task's own lock, which is never released, executes the task, and counts its
// successors down. Behind a finished task the walk goes on, as in
// listing 2, where the text begins anew.
//
// Rules of order, cited where they are served:
// SC.R1. A task sees its predecessors' results. Each count-down releases them, and acquires what
//     the earlier count-downs released. The load that finds 0 acquires them all. The block
//     synchronises between that load and the task, and between the task and its count-downs.
// SC.R2. A task runs once, because its lock is taken once and never released.
// SC.R3. A run ends when `finished` has counted all tasks. No worker waits for another: a worker
//     that finds nothing keeps walking. While tasks are left, one is ready or held by a worker.

#include "gridloom/taskgraph/task_body.hpp"
#include "gridloom/watchdog.hpp"
#include "wavefront/locked_stack.hpp"
#include "wavefront/support/scheduler_words.hpp"

namespace gridloom::wavefront {

template <task_graph Graph, class Probe, block_body Body>
struct scanning_kernel {
  /// A worker never waits for another, so not all workers need to be resident.
  static constexpr bool persistent = false;
  static constexpr int max_threads = Body::max_threads;
  struct scratch : Body::scratch {
    std::uint32_t task;
    std::uint32_t resume;
  };

  Graph graph;
  Body body;
  /// The matrix D: one word per task.
  std::uint32_t* dependencies;
  /// One word per task.
  std::uint32_t* locks;
  scheduler_words* words;
  watchdog_ref dog;
  probe_ref observer;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    Probe probe(observer, block.index());
    watch patience(dog, block.index(), body.takes_long());
    std::uint32_t position = 0;
    for (;;) {
      if (block.thread_rank() == 0)
        shared.task = find_ready(probe, patience, block.index(), position);
      block.sync();
      std::uint32_t const task = shared.task;
      if (task == no_task) break;
      if (block.thread_rank() == 0) probe.begin(task);
      body(block, graph, task, shared);
      block.sync();
      if (block.thread_rank() == 0) {
        probe.end(task);
        finish(probe, task);
      }
    }
    if (block.thread_rank() == 0) probe.flush();
  }

 private:
  /// The next task of the walk that is ready and not taken; `none` when all tasks are done or the
  /// watchdog stops the run.
  GRIDLOOM_FN std::uint32_t find_ready(Probe& probe, watch& patience, int owner,
                                       std::uint32_t& position) const {
    std::uint32_t const n = graph.tasks();
    // A worker that finds a task at each look would not notice that time is up.
    if (body.takes_long() && patience.expired(probe)) {
      patience.note(wait_kind::own_work, position, probe.load_relaxed(&words->finished), n);
      return no_task;
    }
    for (unsigned walks = 0;; ++walks) {
      // The whole last walk found nothing.
      if (walks > 1) give_way(walks);
      if (position == n) position = 0;
      if (position == 0 && probe.load_relaxed(&words->finished) == n) return no_task;
      for (; position < n; ++position) {
        // SC.R1, SC.R2
        if (probe.load_acquire(dependencies + position) == 0 &&
            cas_lock_ref(locks + position).try_lock(probe, owner)) {
          return position++;
        }
        if (patience.expired(probe)) {
          patience.note(wait_kind::task, position, probe.load_relaxed(dependencies + position), 0);
          return no_task;
        }
      }
    }
  }

  GRIDLOOM_FN void finish(Probe& probe, std::uint32_t task) const {
    // Now the task never looks ready again. Its lock also stays taken.
    probe.store_relaxed(dependencies + task, 1U);
    auto const to = graph.successors(task);
    for (std::uint32_t k = 0; k < to.size(); ++k) {
      probe.fetch_sub_acq_rel(dependencies + to[k], 1U);  // SC.R1
    }
    probe.fetch_add_relaxed(&words->finished, 1U);  // SC.R3
  }
};

}  // namespace gridloom::wavefront
