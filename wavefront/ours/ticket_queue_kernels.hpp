#pragma once
// The two kernels of ticket_queue: one task per lane, and one task per block.

#include "gridloom/taskgraph/probe.hpp"
#include "gridloom/taskgraph/task_body.hpp"
#include "wavefront/ours/ticket_queue.hpp"

namespace gridloom::wavefront {

/// One task per lane.
template <task_graph Graph, class Probe, class Body>
struct ticket_queue_kernel {
  static constexpr bool persistent = true;
  using scratch = no_scratch;

  ticket_queue_ref<Graph> shared;
  Body body;
  watchdog_ref dog;
  probe_ref observer;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    auto const warp = block.warp();
    Probe probe(observer, block.thread().index());
    watch patience(dog, warp.index(), body.takes_long());
    thread_of_one const self(0, 1);
    ticket_worker<Graph, Probe, decltype(block.warp())> worker(shared, warp, probe, patience,
                                                               shared.orders_memory);
    while (worker.advance()) {
      std::uint32_t const task = worker.task();
      if (task == no_task) continue;
      probe.begin(task);
      body(self, shared.graph, task);
      probe.end(task);
    }
    probe.flush();
  }
};

/// One task per block: the first thread of the block schedules, all threads execute.
template <task_graph Graph, class Probe, block_body Body>
struct ticket_queue_block_kernel {
  static constexpr bool persistent = true;
  static constexpr int max_threads = Body::max_threads;
  struct scratch : Body::scratch {
    std::uint32_t task;
  };

  ticket_queue_ref<Graph> shared;
  Body body;
  watchdog_ref dog;
  probe_ref observer;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& local) const {
    Probe probe(observer, block.index());
    watch patience(dog, block.index(), body.takes_long());
    ticket_worker<Graph, Probe, thread_of_one> worker(shared, block.leader(), probe, patience,
                                                      shared.orders_memory);
    for (;;) {
      if (block.thread_rank() == 0) local.task = worker.advance() ? worker.task() : no_task;
      block.sync();
      std::uint32_t const task = local.task;
      if (task == no_task) break;
      if (block.thread_rank() == 0) probe.begin(task);
      body(block, shared.graph, task, local);
      block.sync();
      if (block.thread_rank() == 0) probe.end(task);
    }
    if (block.thread_rank() == 0) probe.flush();
  }
};

}  // namespace gridloom::wavefront
