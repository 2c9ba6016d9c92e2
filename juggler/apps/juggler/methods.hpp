#pragma once
// Makes executors from the names of methods. Launches kernels: see juggler/run_runtime.hpp.

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "juggler/ours/make_runtime.hpp"
#include "juggler/rivals/in_order.hpp"
#include "juggler/rivals/run_rivals.hpp"

namespace gridloom::juggler {

/// The name is `serial`, a policy of Juggler, or a rival. Throws usage_error for an unknown name.
template <application App>
std::unique_ptr<executor> make_method(std::string_view method, device& machine, task_dag const& dag,
                                      std::vector<typename App::task_data> const& data,
                                      execution_settings const& settings, App const& app) {
  if (method == "serial") return make_in_order(machine, dag, data, settings, app);
  if (std::count(rival_names.begin(), rival_names.end(), method) != 0)
    return make_rival(method, machine, dag, data, settings, app);
  return make_runtime(method, machine, dag, data, settings, app);
}

/// Does not make rivals. It is for kernels that are only compared with programs of juggler-cc.
template <application App>
std::unique_ptr<executor> make_own_method(std::string_view method, device& machine,
                                          task_dag const& dag,
                                          std::vector<typename App::task_data> const& data,
                                          execution_settings const& settings, App const& app) {
  if (method == "serial") return make_in_order(machine, dag, data, settings, app);
  return make_runtime(method, machine, dag, data, settings, app);
}

}  // namespace gridloom::juggler
