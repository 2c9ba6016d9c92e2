#pragma once
// Makes an executor of Juggler's runtime for an application. It launches kernels, so a source that
// includes it is declared with gridloom_kernel_sources.

#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/taskgraph/one_launch.hpp"
#include "gridloom/trace.hpp"
#include "juggler/executor.hpp"
#include "juggler/rt_owner.hpp"
#include "juggler/worker.hpp"

namespace gridloom::juggler {

// The runtime kernel (section 5): one worker per block, until all tasks are finished.

/// The paper's numbering: a worker has its block's number. Another numbering has the same members.
/// Its as_worker() returns a block whose index() is the worker's number.
struct block_numbers {
  struct view {};

  block_numbers(device&, int /*workers*/, int /*resident_blocks*/, execution_settings const&) {}
  [[nodiscard]] view ref() const { return {}; }
  [[nodiscard]] std::string_view name() const { return "blocks"; }
  [[nodiscard]] std::size_t bytes() const { return 0; }
};

/// The calling block as a worker. Called by all its threads; the last argument is in shared memory.
template <class Block>
GRIDLOOM_FN Block as_worker(Block const& block, block_numbers::view, int& /*shared*/) {
  return block;
}

/// The kernel, `runtime` in Listing 7.
template <application App, class Policy, class Numbering = block_numbers>
struct runtime_kernel {
  using task_data = typename App::task_data;
  using worker_type = worker_of<Policy, task_data>;
  static constexpr bool persistent = true;
  static constexpr int max_threads = App::max_threads;
  static constexpr int min_blocks = least_blocks_of<App>();
  struct scratch {
    typename App::scratch app;
    typename worker_type::scratch runtime;
    int worker;
  };
  /// Time between two checks of the watchdog by a worker that always has tasks. It is some tens of
  /// microseconds, in which many short tasks run.
  static constexpr std::uint64_t ticks_between_looks = 1U << 16U;

  rt_context_ref context;
  app_context_ref<task_data> tasks;
  App app;
  watchdog_ref dog;
  trace_ref trace;
  typename Numbering::view places;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block grid_block, scratch& shared) const {
    auto const block = as_worker(grid_block, places, shared.worker);
    direct_memory memory;
    watch patience(dog, block.index(), true);
    worker_type worker(context, tasks, static_cast<std::uint32_t>(block.index()), shared.runtime);
    steps<std::remove_const_t<decltype(block)>> own{*this, block, patience, shared.app,
                                                    now_ticks()};
    worker.work(memory, block, patience, own);
  }

 private:
  template <class Block>
  struct steps {
    runtime_kernel const& kernel;
    Block const& block;
    watch& patience;
    typename App::scratch& own;
    std::uint64_t looked;

    GRIDLOOM_FN void execute(std::uint32_t number, task<task_data> const& next) {
      trace_ref const& trace = kernel.trace;
      std::uint32_t const kernel_type = next.kernel_type;
      std::uint64_t const begin_ns = trace.on() ? now_ns() : 0;
      kernel.app(block, kernel_type, next.data, own);
      block.sync();
      if (trace.on() && block.thread_rank() == 0)
        trace.record(block.index(), {number, kernel_type, begin_ns, now_ns()});
    }
    /// Whether the time limit has passed (WK.R8).
    GRIDLOOM_FN bool stops(direct_memory& memory) {
      if (block.thread_rank() != 0 || now_ticks() - looked < ticks_between_looks) return false;
      looked = now_ticks();
      return patience.stop(memory, wait_kind::own_work, 0,
                           memory.load_relaxed(&kernel.context.words->finished),
                           kernel.context.tasks);
    }
  };
};

namespace detail {

template <application App, class Kernel, class Numbering>
class resident_executor final : public one_launch<Kernel> {
 public:
  using task_data = typename App::task_data;

  resident_executor(device& machine, task_dag const& dag, std::vector<task_data> const& data,
                    execution_settings const& settings, App const& app, bool is_counted)
      : one_launch<Kernel>(machine, settings),
        app_(app),
        tasks_(timed(machine, times_.graph_ms,
                     [&] { return app_store<task_data>(machine, dag, data); })),
        owner_(timed(machine, times_.state_ms,
                     [&] {
                       return rt_owner(machine, dag, settings.workers, settings.queue_length,
                                       is_counted);
                     })),
        numbers_(machine, settings.workers, machine.resident_blocks<Kernel>(settings.threads),
                 settings) {}

  void run(trace_ref trace) override {
    watchdog_ref const stopper = this->dog_.arm();
    auto const state = owner_.next_run(stopper.stop);
    // Without tasks, no worker would complete the count, so none would leave.
    if (tasks_.ref().tasks == 0) return;
    this->launch({state, tasks_.ref(), app_, stopper, trace, numbers_.ref()});
  }
  void require_done() override {
    owner_.require_no_overflow();
    require_all(this->dog_, finished(), tasks_.ref().tasks);
    owner_.set_clean();
  }
  std::uint64_t finished() override { return owner_.finished(); }
  load_range loads() override { return owner_.loads(); }
  std::size_t bytes() const override { return tasks_.bytes() + owner_.bytes() + numbers_.bytes(); }
  std::string_view placing() const override { return numbers_.name(); }
  set_up_times set_up() const override { return times_; }

 private:
  App app_;
  set_up_times times_;
  app_store<task_data> tasks_;
  rt_owner owner_;
  Numbering numbers_;
};

}  // namespace detail

/// Makes an executor for a graph and its application. The machine must outlive it. `Policy` has the
/// members of those in policies.hpp. Throws usage_error if the settings are out of range, or if a
/// queue is too short for its share of the ready tasks.
template <class Policy, class Numbering = block_numbers, application App>
std::unique_ptr<executor> make_runtime(device& machine, task_dag const& dag,
                                       std::vector<typename App::task_data> const& data,
                                       execution_settings const& settings, App const& app) {
  using kernel = runtime_kernel<App, Policy, Numbering>;
  auto const settled = gridloom::settled<kernel>(machine, settings);
  return std::make_unique<detail::resident_executor<App, kernel, Numbering>>(
      machine, dag, data, settled, app, Policy::inbox::is_counted);
}

}  // namespace gridloom::juggler
