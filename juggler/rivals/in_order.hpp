#pragma once
// The serial program: one worker executes all tasks in the order of serial_order.hpp, without
// queues. It is the baseline of the other methods. Launches a kernel: see run_runtime.hpp.

#include <memory>
#include <string_view>
#include <vector>

#include "gridloom/taskgraph/rivals/serial_block.hpp"
#include "juggler/rivals/app_tasks.hpp"
#include "juggler/serial_order.hpp"

namespace gridloom::juggler {

/// make() ignores settings.workers. It throws usage_error if other settings are out of range.
struct in_order {
  static constexpr std::string_view name = "serial";

  template <application App>
  static std::unique_ptr<executor> make(device& machine, task_dag const& dag,
                                        std::vector<typename App::task_data> const& data,
                                        execution_settings const& settings, App const& app) {
    app_copy<App> copy(machine, dag, data, app);
    return std::make_unique<serial_block<app_tasks<App>>>(machine, serial_order(dag), copy.tasks,
                                                          settings, std::move(copy.graph));
  }
};

}  // namespace gridloom::juggler
