#pragma once
// The methods by name, for an application. Launches kernels: see run_runtime.hpp.

#include <memory>
#include <string_view>
#include <vector>

#include "juggler/in_order.hpp"
#include "juggler/run_runtime.hpp"

namespace gridloom::juggler {

/// `serial`, or a policy of Juggler's. Throws usage_error where there is no such method.
template <application App>
std::unique_ptr<executor> make_method(std::string_view method, device& machine, task_dag const& dag,
                                      std::vector<typename App::task_data> const& data,
                                      execution_settings const& settings, App const& app) {
  if (method == "serial") return make_in_order(machine, dag, data, settings, app);
  return make_runtime(method, machine, dag, data, settings, app);
}

}  // namespace gridloom::juggler
