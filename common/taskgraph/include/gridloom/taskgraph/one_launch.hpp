#pragma once
// The common part of executors that launch one kernel per run. Only sources that launch kernels
// include this header.

#include "gridloom/taskgraph/run_checks.hpp"

namespace gridloom {

/// The workers and threads are those of the launch.
template <class Kernel>
class one_launch : public executor {
 public:
  std::size_t launches() const override { return 1; }
  int workers() const override { return shape_.blocks; }
  kernel_facts facts() const override { return machine_->facts<Kernel>(shape_.threads); }

 protected:
  one_launch(device& machine, executor_settings const& settings)
      : machine_(&machine),
        shape_{settings.workers, settings.threads},
        dog_(machine, settings.workers, settings.timeout_s) {}
  void launch(Kernel const& kernel) { machine_->launch(shape_, kernel); }

  device* machine_;
  launch_shape shape_;
  watchdog dog_;
};

}  // namespace gridloom
