#pragma once
// Makes an executor of Juggler's runtime for an application. It launches kernels, so it is for
// sources that nvcc compiles where the CUDA backend is built in (gridloom_kernel_sources).

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/error.hpp"
#include "juggler/preparation.hpp"
#include "juggler/rt_owner.hpp"
#include "juggler/runtime.hpp"
#include "juggler/ours/worker_places.hpp"

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
    if (context.tasks == 0) return;  // nobody would count the last one
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

/// A graph and its application, ready to run under a policy of policies.hpp on a machine, which
/// outlives it. Throws usage_error where the settings are out of range, or a queue is too short for
/// its part of the tasks that are ready at the start.
template <class Policy, application App>
std::unique_ptr<executor> make_runtime(device& machine, task_dag const& dag,
                                       std::vector<typename App::task_data> const& data,
                                       execution_settings const& settings, App const& app) {
  return std::make_unique<detail::runtime_executor<App, Policy>>(
      machine, dag, data, detail::settled<runtime_kernel<App, Policy>>(machine, settings), app);
}

/// The names of all policies, in the order in which the paper has them, ours last.
inline constexpr std::array<std::string_view, 5> policy_names{
    local_round_robin::name, global_round_robin::name, local_first::name, local_then_shorter::name,
    local_then_shorter_slots::name};

/// The same by a policy's name. Throws usage_error where there is no such policy.
template <application App>
std::unique_ptr<executor> make_runtime(std::string_view policy, device& machine,
                                       task_dag const& dag,
                                       std::vector<typename App::task_data> const& data,
                                       execution_settings const& settings, App const& app) {
  if (policy == local_round_robin::name)
    return make_runtime<local_round_robin>(machine, dag, data, settings, app);
  if (policy == global_round_robin::name)
    return make_runtime<global_round_robin>(machine, dag, data, settings, app);
  if (policy == local_first::name)
    return make_runtime<local_first>(machine, dag, data, settings, app);
  if (policy == local_then_shorter::name)
    return make_runtime<local_then_shorter>(machine, dag, data, settings, app);
  if (policy == local_then_shorter_slots::name)
    return make_runtime<local_then_shorter_slots>(machine, dag, data, settings, app);
  throw usage_error("policy: expected lrr, grr, lf, lts or lts-slots, got " + std::string(policy));
}

}  // namespace gridloom::juggler
