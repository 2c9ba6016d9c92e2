#pragma once
// The kernels of in_order and in_order_ticket. The results of tasks travel in the tasks' words.

#include "gridloom/taskgraph/probe.hpp"
#include "gridloom/taskgraph/task_body.hpp"
#include "wavefront/ours/in_order_blocks.hpp"
#include "wavefront/support/scheduler.hpp"

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

/// One task per block. The body's results travel in the words.
template <task_order Order, class Probe, class Body>
struct in_order_block_kernel {
  static constexpr bool persistent = true;
  using results = std::conditional_t<Body::needs_results(), typename Body::gathers, no_results>;
  template <class Block>
  using worker = block_worker<Order, Probe, decltype(std::declval<Block>().warp()), results>;
  using scratch = told_task<results>;

  in_order_ref<Order, value_of<Body>> shared;
  Body body;
  /// Array of one number per block: the tasks that it executed.
  std::uint32_t* executed;
  watchdog_ref dog;
  probe_ref observer;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& local) const {
    Probe probe(observer, block.index());
    watch patience(dog, block.index(), body.takes_long());
    worker<Block> mine(shared, block, probe, patience);
    mine.run(
        block, local,
        [&](std::uint32_t task, results const& result) {
          if constexpr (Body::needs_results())
            return body.finish(task, result);
          else
            return body.finish(task, typename Body::gathers(task));
        },
        [&](std::uint32_t task, value_of<Body> const& own) { body.keep(task, own); });
    if (block.thread_rank() == 0) probe.store_relaxed(executed + block.index(), mine.executed());
    probe.flush();
  }
};

}  // namespace gridloom::wavefront
