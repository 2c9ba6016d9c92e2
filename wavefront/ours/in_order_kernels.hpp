#pragma once
// The kernels of in_order and in_order_ticket. With one task per lane, the result travels in the
// task's word. With one task per block, results stay in memory.

#include "gridloom/taskgraph/probe.hpp"
#include "gridloom/taskgraph/task_body.hpp"
#include "ours/in_order.hpp"
#include "support/scheduler.hpp"

namespace gridloom::wavefront {

/// The type of a task's result.
template <class Body>
using value_of = value_gathered<typename Body::gathers>;

/// Runs a worker's tasks with a body.
template <class Worker, class Body>
GRIDLOOM_FN void run_in_order(Worker& worker, Body const& body) {
  worker.run(
      body.takes_long(),
      [&](std::uint32_t task, typename Body::gathers const& result) {
        return body.finish(task, result);
      },
      [&](std::uint32_t task, value_of<Body> const& own) { body.keep(task, own); });
}

/// Stores the number of tasks that a warp ran.
template <class Worker, class Warp, class Probe>
GRIDLOOM_FN void count_executed(Worker const& worker, Warp const& warp, Probe& probe,
                                std::uint32_t* executed) {
  std::uint32_t sum = 0;
  for (int rank = 0; rank < warp.num_threads(); ++rank)
    sum += warp.shuffle(worker.executed(), rank);
  if (warp.thread_rank() == 0) probe.store_relaxed(executed + warp.index(), sum);
}

/// One task per lane. The body's results travel in the words. Blocks are small, so that a lane has
/// enough registers for its task's data.
template <task_order Order, class Probe, class Body>
struct in_order_kernel {
  static constexpr bool persistent = true;
  static constexpr int max_threads = most_in_order_lanes;
  using scratch = no_scratch;
  template <class Warp>
  using worker = in_order_worker<Order, Probe, Warp, tasks_of_lane<Warp>, typename Body::gathers>;

  in_order_ref<Order, value_of<Body>> shared;
  Body body;
  /// Array of one number per warp: the tasks that it executed.
  std::uint32_t* executed;
  watchdog_ref dog;
  probe_ref observer;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    auto const warp = block.warp();
    Probe probe(observer, block.thread().index());
    watch patience(dog, warp.index(), body.takes_long());
    worker<decltype(block.warp())> mine(shared, warp, probe, patience);
    run_in_order(mine, body);
    count_executed(mine, warp, probe, executed);
    probe.flush();
  }
};

/// One task per block: the first thread of the block polls the words, all threads run the task.
template <task_order Order, task_graph Graph, class Probe, class Body>
struct in_order_block_kernel {
  static constexpr bool persistent = true;
  struct scratch {
    std::uint32_t task;
  };

  in_order_ref<Order> shared;
  Graph graph;
  Body body;
  /// Array of one number per block: the tasks that it executed.
  std::uint32_t* executed;
  watchdog_ref dog;
  probe_ref observer;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& local) const {
    bool const first = block.thread_rank() == 0;
    Probe probe(observer, block.index());
    watch patience(dog, block.index(), body.takes_long());
    in_order_worker<Order, Probe, thread_of_one, 1> worker(shared, block.leader(), probe, patience);
    for (;;) {
      if (first) local.task = worker.next();
      block.sync();  // IO.R5 of in_order.hpp
      std::uint32_t const task = local.task;
      if (task == no_task) break;
      body(block, graph, task);
      block.sync();  // IO.R5 of in_order.hpp
      if (first) worker.done();
    }
    if (!first) return;
    probe.store_relaxed(executed + block.index(), worker.executed());
    probe.flush();
  }
};

}  // namespace gridloom::wavefront
