#pragma once
// The methods of all applications, and those of one. Launches kernels: see juggler/run_runtime.hpp.

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "juggler/ours/make_runtime.hpp"
#include "juggler/rivals/run_rivals.hpp"

namespace gridloom::juggler {

/// Methods for kernels that are only compared with programs of juggler-cc.
using methods_of_loops = decltype(policies{} + method_list<in_order>{});
using common_methods = decltype(methods_of_loops{} + rivals{});

/// An application whose body is a function that is not inlined. All methods' kernels then call the
/// same machine code, so that only their scheduling differs.
template <application App>
struct called_body : App {
  template <thread_group Block>
  __attribute__((noinline)) GRIDLOOM_FN void operator()(Block const& block, std::uint32_t type,
                                                        typename App::task_data const& data,
                                                        typename App::scratch& shared) const {
    App::operator()(block, type, data, shared);
  }
};
/// Few, because each takes time to compile.
using methods_of_called_bodies =
    method_list<by_policy<global_round_robin>, rival::barriers, rival::chains>;

/// Makes the executor of the method `name`: one of `own`, or one of common_methods. `own` are names
/// and factories of methods that only this application has. Throws usage_error if there is no such
/// method.
template <application App, class... Own>
std::unique_ptr<executor> make_method(std::string_view name, device& machine, task_dag const& dag,
                                      std::vector<typename App::task_data> const& data,
                                      execution_settings const& settings, App const& app,
                                      std::pair<char const*, Own> const&... own) {
  if (settings.calls_body)
    return methods_of_called_bodies::make(name, machine, dag, data, settings,
                                          called_body<App>{app});
  std::unique_ptr<executor> made;
  if (((name == own.first && (made = own.second())) || ...)) return made;
  return common_methods::make(name, machine, dag, data, settings, app);
}

}  // namespace gridloom::juggler
