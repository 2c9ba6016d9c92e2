#pragma once
// in_order for tasks of a user, on any task graph: level by level in one list, dealt to blocks in
// turn or by tickets. The tasks exchange data through memory. The header launches kernels
// (gridloom_kernel_sources).
//
// Rules of order, cited where they are served:
// IE.R1. The threads of a task see the writes of its predecessors: BK.R2 of in_order_blocks.hpp.
// IE.R2. A block synchronises before its next task. So all its threads have left the last one.

#include <cstdint>
#include <utility>
#include <vector>

#include "gridloom/taskgraph/block_task.hpp"
#include "gridloom/taskgraph/executed_counts.hpp"
#include "gridloom/taskgraph/one_launch.hpp"
#include "gridloom/taskgraph/orders.hpp"
#include "gridloom/taskgraph/probe.hpp"
#include "wavefront/ours/in_order_blocks.hpp"

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
        by_tickets_(by_tickets),
        counter_(machine.allocate<std::uint32_t>(1)),
        executed_(machine, base::shape_.blocks) {
    csr_graph const before = transposed(graph);
    std::vector<std::uint32_t> const order = levels_of(graph).tasks;
    std::vector<std::uint32_t> place_of(order.size());
    for (std::uint32_t at = 0; at < order.size(); ++at) place_of[order[at]] = at;
    std::vector<std::uint64_t> offsets{0};
    std::vector<std::uint32_t> predecessors;
    for (std::uint32_t const task : order) {
      for (std::uint32_t const one : before.of(task)) predecessors.push_back(place_of[one]);
      offsets.push_back(predecessors.size());
    }
    order_ = machine.allocate_copy(order);
    offsets_ = machine.allocate_copy(offsets);
    predecessors_ = machine.allocate_copy(predecessors);
    words_ = machine.allocate<tagged<std::uint32_t>>(order.size());
    machine.fill_bytes(words_, 0);
  }

  void reset() override {
    stopper_ = base::dog_.arm();
    base::machine_->fill_bytes(counter_, 0);
    is_reset_ = true;
  }
  void run(trace_ref trace) override {
    if (!is_reset_) reset();
    is_reset_ = false;
    if (++run_ == 0) {  // IO.R2 of in_order.hpp: after 2^32 runs
      base::machine_->fill_bytes(words_, 0);
      run_ = 1;
    }
    listed_order const order{static_cast<std::uint32_t>(order_.size()), order_.data(),
                             offsets_.data(), predecessors_.data()};
    in_order_ref<listed_order> const shared{order, words_.data(), run_,
                                            by_tickets_ ? counter_.data() : nullptr, !by_tickets_};
    base::launch({shared, tasks_, executed_.data(), stopper_, trace});
  }
  void require_done() override { require_all(base::dog_, finished(), order_.size()); }
  [[nodiscard]] std::uint64_t finished() override { return executed_.finished(); }
  [[nodiscard]] load_range loads() override { return executed_.loads(); }
  [[nodiscard]] std::size_t bytes() const override {
    return order_.bytes() + offsets_.bytes() + predecessors_.bytes() + words_.bytes() +
           counter_.bytes() + executed_.bytes();
  }

 private:
  Tasks tasks_;
  bool by_tickets_;
  buffer<std::uint32_t> order_, predecessors_;
  buffer<std::uint64_t> offsets_;
  buffer<tagged<std::uint32_t>> words_;
  /// The next place of the list, for tickets.
  buffer<std::uint32_t> counter_;
  executed_counts executed_;
  std::uint32_t run_ = 0;
  watchdog_ref stopper_{};
  bool is_reset_ = false;
};

}  // namespace gridloom::wavefront
