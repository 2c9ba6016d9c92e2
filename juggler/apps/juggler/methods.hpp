#pragma once
// Makes executors by the name of a method. Launches kernels: see juggler/run_runtime.hpp.

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "juggler/ours/make_runtime.hpp"
#include "juggler/rivals/in_order.hpp"
#include "juggler/rivals/run_rivals.hpp"

namespace gridloom::juggler {

/// `serial`, a policy of Juggler, or a rival. Throws usage_error if there is no such method.
template <application App>
std::unique_ptr<executor> make_method(std::string_view method, device& machine, task_dag const& dag,
                                      std::vector<typename App::task_data> const& data,
                                      execution_settings const& settings, App const& app) {
  if (method == "serial") return make_in_order(machine, dag, data, settings, app);
  if (std::count(rival_names.begin(), rival_names.end(), method) != 0)
    return make_rival(method, machine, dag, data, settings, app);
  return make_runtime(method, machine, dag, data, settings, app);
}

/// As above, but without rivals, for kernels that are only compared with programs of juggler-cc.
template <application App>
std::unique_ptr<executor> make_own_method(std::string_view method, device& machine,
                                          task_dag const& dag,
                                          std::vector<typename App::task_data> const& data,
                                          execution_settings const& settings, App const& app) {
  if (method == "serial") return make_in_order(machine, dag, data, settings, app);
  return make_runtime(method, machine, dag, data, settings, app);
}

}  // namespace gridloom::juggler
