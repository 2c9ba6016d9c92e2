#pragma once
// Tasks in an order that is known before the run (ordered_tasks.hpp), in one persistent kernel with
// one worker per block. The header launches kernels (gridloom_kernel_sources).

#include <cstdint>
#include <utility>

#include "gridloom/clock.hpp"
#include "gridloom/device.hpp"
#include "gridloom/taskgraph/one_launch.hpp"
#include "gridloom/taskgraph/rivals/ordered_state.hpp"
#include "gridloom/taskgraph/task_watch.hpp"
#include "gridloom/taskgraph/worker_places.hpp"

namespace gridloom {

template <block_tasks Tasks>
struct ordered_kernel {
  static constexpr bool persistent = true;
  static constexpr int max_threads = Tasks::max_threads;
  static constexpr int min_blocks = least_blocks_of<Tasks>();
  struct scratch {
    typename Tasks::scratch tasks;
    ordered_scratch<Tasks> next;
    int worker;
  };

  ordered_view view;
  Tasks tasks;
  watchdog_ref dog;
  trace_ref trace;
  worker_places_ref where;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block grid_block, scratch& shared) const {
    auto const block = as_worker(grid_block, where, shared.worker);
    direct_memory memory;
    watch patience(dog, block.index());
    watch own_patience(dog, block.index(), true);
    steps<numbered<Block>> own{*this, block, task_watch(own_patience), shared.tasks};
    ordered_worker<Tasks> worker(view, tasks, static_cast<std::uint32_t>(block.index()),
                                 shared.next);
    worker.work(memory, block, patience, own);
  }

 private:
  template <class Block>
  struct steps {
    ordered_kernel const& kernel;
    Block const& block;
    task_watch own_time;
    typename Tasks::scratch& own;

    template <class Look>
    GRIDLOOM_FN void execute(std::uint32_t number, early_part<Tasks> const& early, Look&& look) {
      trace_ref const& trace = kernel.trace;
      std::uint64_t const begin_ns = traced_tasks<Tasks> && trace.on() ? now_ns() : 0;
      kernel.tasks.execute(block, number, early, own);
      look();
      block.sync();
      if constexpr (traced_tasks<Tasks>) {
        if (trace.on() && block.thread_rank() == 0)
          trace.record(block.index(),
                       {number, kernel.tasks.type(number, early), begin_ns, now_ns()});
      }
    }
    GRIDLOOM_FN bool stops(direct_memory& memory, std::uint32_t executed, std::uint32_t part) {
      return own_time.stops(memory, 0, executed, part);
    }
  };
};

/// Executor of lists or tickets.
template <block_tasks Tasks>
class ordered_lists final : public one_launch<ordered_kernel<Tasks>> {
  using kernel = ordered_kernel<Tasks>;
  using base = one_launch<kernel>;

 public:
  /// `find` makes the lists, as a list_maker does. Throws usage_error for settings out of range,
  /// grid_error if no block fits.
  template <class Find>
  ordered_lists(device& machine, csr_graph const& graph, Find&& find, Tasks const& tasks,
                executor_settings const& settings, graph_memory memory)
      : base(machine, settled<kernel>(machine, settings)),
        graph_(std::move(memory)),
        tasks_(tasks),
        state_(timed(machine, state_ms_,
                     [&] {
                       csr_graph const before = transposed(graph);
                       auto const workers = static_cast<std::uint32_t>(base::shape_.blocks);
                       worker_lists const order = find(graph, before, workers);
                       predicted_ms_ = order.predicted_ms;
                       return ordered_state(machine, before, order, workers);
                     })),
        places_(machine, base::shape_.blocks, machine.resident_blocks<kernel>(settings.threads),
                settings) {}

  void run(trace_ref trace) override {
    watchdog_ref const stopper = base::dog_.arm();
    if (state_.tasks() == 0) return;
    base::launch({state_.next_run(), tasks_, stopper, trace, places_.ref()});
  }
  void require_done() override { require_all(base::dog_, finished(), state_.tasks()); }
  [[nodiscard]] std::uint64_t finished() override { return state_.finished(); }
  [[nodiscard]] load_range loads() override { return state_.loads(); }
  [[nodiscard]] std::string_view placing() const override { return places_.name(); }
  [[nodiscard]] set_up_times set_up() const override { return {graph_.copy_ms, state_ms_}; }
  [[nodiscard]] double predicted_ms() const override { return predicted_ms_; }
  [[nodiscard]] std::size_t bytes() const override {
    return graph_.bytes + state_.bytes() + places_.bytes();
  }

 private:
  graph_memory graph_;
  Tasks tasks_;
  double state_ms_ = 0;
  double predicted_ms_ = 0;
  ordered_state state_;
  worker_places places_;
};

}  // namespace gridloom
