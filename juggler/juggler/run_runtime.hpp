#pragma once
// Makes an executor of Juggler's runtime for an application. It launches kernels, so a source that
// includes it is declared with gridloom_kernel_sources.

#include <memory>
#include <vector>

#include "gridloom/error.hpp"
#include "juggler/ours/worker_places.hpp"
#include "juggler/preparation.hpp"
#include "juggler/rt_owner.hpp"
#include "juggler/runtime.hpp"

namespace gridloom::juggler {

namespace detail {

template <application App, class Policy>
class runtime_executor final : public executor {
 public:
  using task_data = typename App::task_data;
  using kernel = runtime_kernel<App, Policy>;

  runtime_executor(device& machine, task_dag const& dag, std::vector<task_data> const& data,
                   execution_settings const& settings, App const& app)
      : machine_(&machine),
        shape_{settings.workers, settings.threads},
        app_(app),
        tasks_(timed(machine, graph_init_ms_,
                     [&] { return app_store<task_data>(machine, dag, data); })),
        context_(timed(machine, runtime_init_ms_,
                       [&] {
                         return rt_owner(machine, dag, settings.workers, settings.queue_length,
                                         Policy::inbox::is_counted);
                       })),
        places_(machine, settings.workers, machine.resident_blocks<kernel>(settings.threads),
                settings.placing),
        dog_(machine, settings.workers, settings.timeout_s) {}

  void run(trace_ref trace) override {
    watchdog_ref const stopper = dog_.arm();
    rt_context_ref const context = context_.reset(stopper.stop);
    // Without tasks, no worker would complete the count.
    if (context.tasks == 0) return;
    machine_->launch(shape_, kernel{context, tasks_.ref(), app_, stopper, trace, places_.ref()});
  }
  void require_done() override {
    context_.require_no_overflow();
    require_all(dog_, finished(), tasks_.ref().tasks);
    context_.set_clean();
  }
  std::uint64_t finished() override { return context_.finished(); }
  load_range loads() override { return context_.loads(); }
  std::size_t bytes() const override { return tasks_.bytes() + context_.bytes() + places_.bytes(); }
  std::size_t launches() const override { return 1; }
  int workers() const override { return shape_.blocks; }
  worker_placing placing() const override { return places_.placing(); }
  kernel_facts facts() const override { return machine_->facts<kernel>(shape_.threads); }
  double graph_init_ms() const override { return graph_init_ms_; }
  double runtime_init_ms() const override { return runtime_init_ms_; }

 private:
  device* machine_;
  launch_shape shape_;
  App app_;
  double graph_init_ms_ = 0;
  double runtime_init_ms_ = 0;
  app_store<task_data> tasks_;
  rt_owner context_;
  worker_places places_;
  watchdog dog_;
};

}  // namespace detail

/// A graph and its application, ready to run on a machine, which outlives the result. `Policy` is
/// one of policies.hpp or of ours/local_then_shorter.hpp; ours/make_runtime.hpp takes it by its
/// name. Throws usage_error if the settings are out of range, or if a queue is too short for its
/// part of the tasks that are ready at the start.
template <class Policy, application App>
std::unique_ptr<executor> make_runtime(device& machine, task_dag const& dag,
                                       std::vector<typename App::task_data> const& data,
                                       execution_settings const& settings, App const& app) {
  return std::make_unique<detail::runtime_executor<App, Policy>>(
      machine, dag, data, detail::settled<runtime_kernel<App, Policy>>(machine, settings), app);
}

}  // namespace gridloom::juggler
