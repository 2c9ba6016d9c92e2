#pragma once
// Makes an executor from a user's body, with FR4's scheduler. The header launches kernels. So nvcc
// must compile the sources that include it, if the CUDA backend is built (gridloom_kernel_sources).

#include <memory>

#include "gridloom/taskgraph/one_launch.hpp"
#include "gridloom/trace.hpp"
#include "tiled_qr/general/dispatch.hpp"
#include "tiled_qr/general/graph_store.hpp"

namespace gridloom::tiled_qr::general {

// The kernel of FR4: resident workers that take tasks from the scheduler of dispatch.hpp.

/// Runs a task with all threads of a block. The block synchronises before and after.
template <task_body Body, thread_group Block>
GRIDLOOM_FN void execute(Block const& block, graph_ref const& graph, std::uint32_t number,
                         Body const& body, typename Body::scratch& scratch, trace_ref trace) {
  task_view const task = graph.task(number);
  std::uint64_t const begin_ns = trace.on() ? now_ns() : 0;
  body(block, task, scratch);
  block.sync();
  if (trace.on() && block.thread_rank() == 0)
    trace.record(block.index(), {number, task.type(), begin_ns, now_ns()});
}

template <task_body Body>
struct scheduled_kernel {
  static constexpr bool persistent = true;
  static constexpr int max_threads = max_threads_of_body<Body>();
  struct scratch {
    typename Body::scratch user;
    std::uint32_t task;
  };
  /// A worker that always has tasks checks the watchdog after this many ticks: some tens of
  /// microseconds, enough for many short tasks.
  static constexpr std::uint64_t ticks_between_looks = 1U << 16U;

  dispatch_ref dispatch;
  Body body;
  watchdog_ref dog;
  trace_ref trace;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    direct_memory memory;
    watch patience(dog, block.index(), true);
    // The first warp talks to the scheduler.
    bool const dispatches = block.thread_rank() < 32;
    worker_state own{};
    if (dispatches) own = dispatch.start(memory, block.warp(), block.index(), block.count());
    std::uint64_t looked = now_ticks();
    for (;;) {
      if (dispatches) {
        auto const warp = block.warp();
        std::uint32_t const task = warp.any(stops(memory, warp, own, looked, patience))
                                       ? no_task
                                       : dispatch.take(memory, warp, own, patience);
        if (warp.thread_rank() == 0) shared.task = task;
      }
      block.sync();  // DI.R1, DI.R5
      std::uint32_t const task = shared.task;
      if (task == no_task) return;
      if (dispatches) dispatch.find_successors(task, own);
      execute(block, dispatch.graph, task, body, shared.user, trace);
      if (dispatches) dispatch.finish(memory, block.warp(), task, own, patience);
    }
  }

 private:
  /// DI.R11. The first thread decides for all.
  template <class Warp>
  GRIDLOOM_FN bool stops(direct_memory& memory, Warp const& warp, worker_state& own,
                         std::uint64_t& looked, watch& patience) const {
    if (warp.thread_rank() != 0 || now_ticks() - looked < ticks_between_looks) return false;
    looked = now_ticks();
    dispatch.count_finished(memory, warp, own);
    return patience.stop(memory, wait_kind::own_work, 0,
                         memory.load_relaxed(&dispatch.words->finished), dispatch.graph.tasks);
  }
};

namespace detail {

template <task_body Body>
class scheduled_executor final : public one_launch<scheduled_kernel<Body>> {
 public:
  scheduled_executor(device& machine, compiled_graph const& graph,
                     executor_settings const& settings, Body const& body)
      : one_launch<scheduled_kernel<Body>>(machine, settings),
        body_(body),
        store_(machine, graph) {}

  void run(trace_ref trace) override {
    store_.reset();
    this->launch({store_.dispatch(), body_, this->dog_.arm(), trace});
  }
  void require_done() override { require_all(this->dog_, finished(), store_.graph().tasks); }
  std::uint64_t finished() override { return store_.words().finished; }
  std::uint64_t put_backs() override { return store_.words().put_backs; }
  std::size_t bytes() const override { return store_.bytes(); }

 private:
  Body body_;
  graph_store store_;
};

}  // namespace detail

/// Prepares a graph and the body of its tasks to run. The machine must outlive the executor. Throws
/// as settled() does.
template <task_body Body>
std::unique_ptr<executor> make_executor(device& machine, compiled_graph const& graph,
                                        executor_settings const& settings, Body const& body) {
  return std::make_unique<detail::scheduled_executor<Body>>(
      machine, graph, settled<scheduled_kernel<Body>>(machine, settings), body);
}

}  // namespace gridloom::tiled_qr::general
