#pragma once
// in_order for tasks of a user, on any task graph: level by level in one list, dealt to blocks in
// turn or by tickets. The tasks exchange data through memory. The header launches kernels
// (gridloom_kernel_sources).
//
// Rules of order, cited where they are served:
// IE.R1. The threads of a task see the writes of its predecessors: BK.R2 of in_order_blocks.hpp.
// IE.R2. A block synchronises before its next task. So all its threads have left the last one.

#include <cstdint>

#include "gridloom/taskgraph/block_task.hpp"
#include "gridloom/taskgraph/one_launch.hpp"
#include "gridloom/taskgraph/orders.hpp"
#include "gridloom/taskgraph/probe.hpp"
#include "wavefront/ours/in_order_blocks.hpp"
#include "wavefront/ours/in_order_state.hpp"

namespace gridloom::wavefront {

template <block_tasks Tasks>
struct in_order_tasks_kernel {
  static constexpr bool persistent = true;
  static constexpr int max_threads = Tasks::max_threads;
  struct scratch {
    told_task<results_in_memory> told;
    typename Tasks::scratch own;
  };

  in_order_ref<listed_order> shared;
  Tasks tasks;
  /// Array of one count per block: the tasks that it executed in this run.
  std::uint32_t* executed;
  watchdog_ref dog;
  trace_ref trace;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& local) const {
    silent_probe probe({}, 0);
    watch patience(dog, block.index(), true);
    block_worker<listed_order, silent_probe, decltype(block.warp()), results_in_memory, max_threads>
        worker(shared, block, probe, patience);
    worker.run(
        block, local.told,
        [&](std::uint32_t task, results_in_memory const&) {
          std::uint64_t const begin_ns = traced_tasks<Tasks> && trace.on() ? now_ns() : 0;
          auto const early = tasks.read(task);
          tasks.execute(block, task, early, local.own);
          if constexpr (traced_tasks<Tasks>) {
            if (trace.on() && block.thread_rank() == 0)
              trace.record(block.index(), {task, tasks.type(task, early), begin_ns, now_ns()});
          }
          return 0U;
        },
        [](std::uint32_t, std::uint32_t) {});  // IE.R1, IE.R2
    if (block.thread_rank() == 0) executed[block.index()] = worker.executed();
  }
};

template <block_tasks Tasks>
class in_order_executor final : public one_launch<in_order_tasks_kernel<Tasks>> {
  using kernel = in_order_tasks_kernel<Tasks>;
  using base = one_launch<kernel>;

 public:
  /// `graph` has passed check_dag. Throws usage_error for settings out of range, grid_error if no
  /// block fits.
  in_order_executor(device& machine, csr_graph const& graph, Tasks const& tasks, bool by_tickets,
                    executor_settings const& settings)
      : base(machine, settled<kernel>(machine, settings)),
        tasks_(tasks),
        tasks_in_graph_(graph.tasks()),
        by_tickets_(by_tickets),
        counter_(machine.allocate<std::uint32_t>(1)),
        state_(machine, list_levels(machine, graph), base::shape_.blocks) {}

  void reset() override {
    stopper_ = base::dog_.arm();
    base::machine_->fill_bytes(counter_, 0);
    is_reset_ = true;
  }
  void run(trace_ref trace) override {
    if (!is_reset_) reset();
    is_reset_ = false;
    state_.begin_run();
    base::launch({state_.ref(by_tickets_ ? counter_.data() : nullptr, true), tasks_, state_.data(),
                  stopper_, trace});
  }
  void require_done() override { require_all(base::dog_, finished(), tasks_in_graph_); }
  [[nodiscard]] std::uint64_t finished() override { return state_.finished(); }
  [[nodiscard]] load_range loads() override { return state_.loads(); }
  [[nodiscard]] std::size_t bytes() const override { return state_.bytes() + counter_.bytes(); }

 private:
  static order_arrays list_levels(device& machine, csr_graph const& graph) {
    csr_graph const before = transposed(graph);
    return list_in_order(machine, levels_of(graph).tasks,
                         dag_ref{.predecessor_offsets = before.row_offsets.data(),
                                 .predecessor_tasks = before.columns.data()});
  }

  Tasks tasks_;
  std::size_t tasks_in_graph_;
  bool by_tickets_;
  /// The next place of the list, for tickets.
  buffer<std::uint32_t> counter_;
  in_order_state<listed_order> state_;
  watchdog_ref stopper_{};
  bool is_reset_ = false;
};

}  // namespace gridloom::wavefront
