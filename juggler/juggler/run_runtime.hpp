#pragma once
// Makes an executor of Juggler's runtime for an application. It launches kernels, so a source that
// includes it is declared with gridloom_kernel_sources.

#include <memory>
#include <vector>

#include "gridloom/taskgraph/one_launch.hpp"
#include "juggler/executor.hpp"
#include "juggler/rt_owner.hpp"
#include "juggler/runtime.hpp"

namespace gridloom::juggler {

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
