#pragma once
// The executor of rivals that are one persistent launch. For sources that launch kernels.

#include <utility>
#include <vector>

#include "juggler/ours/worker_places.hpp"
#include "juggler/preparation.hpp"
#include "juggler/rivals/rival_owners.hpp"

namespace gridloom::juggler::detail {

/// `Owner` is one of rival_owners.hpp; `Kernel` is made from its view.
template <application App, class Kernel, class Owner>
class one_launch final : public executor {
 public:
  using task_data = typename App::task_data;

  /// `more` goes to the owner.
  template <class... More>
  one_launch(device& machine, task_dag const& dag, std::vector<task_data> const& data,
             execution_settings const& settings, App const& app, More... more)
      : machine_(&machine),
        shape_{settings.workers, settings.threads},
        app_(app),
        tasks_(timed(machine, graph_init_ms_,
                     [&] { return app_store<task_data>(machine, dag, data); })),
        owner_(timed(machine, runtime_init_ms_,
                     [&] { return Owner(machine, dag, settings.workers, more...); })),
        where_(machine, settings.workers, machine.resident_blocks<Kernel>(settings.threads),
               settings.placing),
        dog_(machine, settings.workers, settings.timeout_s) {}

  void run(trace_ref trace) override {
    watchdog_ref const stopper = dog_.arm();
    if (tasks_.ref().tasks == 0) return;
    machine_->launch(shape_,
                     Kernel{owner_.next_run(), tasks_.ref(), app_, stopper, trace, where_.ref()});
  }
  void require_done() override { require_all(dog_, finished(), tasks_.ref().tasks); }
  std::uint64_t finished() override { return owner_.executed().finished(); }
  load_range loads() override { return owner_.executed().loads(); }
  std::size_t bytes() const override { return tasks_.bytes() + owner_.bytes() + where_.bytes(); }
  std::size_t launches() const override { return 1; }
  int workers() const override { return shape_.blocks; }
  worker_placing placing() const override { return where_.placing(); }
  kernel_facts facts() const override { return machine_->facts<Kernel>(shape_.threads); }
  double graph_init_ms() const override { return graph_init_ms_; }
  double runtime_init_ms() const override { return runtime_init_ms_; }

 private:
  device* machine_;
  launch_shape shape_;
  App app_;
  double graph_init_ms_ = 0;
  double runtime_init_ms_ = 0;
  app_store<task_data> tasks_;
  Owner owner_;
  worker_places where_;
  watchdog dog_;
};

}  // namespace gridloom::juggler::detail
