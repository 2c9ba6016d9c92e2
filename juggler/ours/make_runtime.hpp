#pragma once
// Makes an executor of Juggler's runtime from the name of a policy, the paper's or ours. It
// launches kernels, as run_runtime.hpp does.

#include <memory>
#include <string_view>
#include <vector>

#include "gridloom/taskgraph/worker_places.hpp"
#include "juggler/app_context.hpp"
#include "juggler/method_list.hpp"
#include "juggler/ours/local_then_shorter.hpp"
#include "juggler/run_runtime.hpp"

namespace gridloom::juggler {

/// A policy as a method.
template <class Policy>
struct by_policy {
  static constexpr std::string_view name = Policy::name;

  template <application App>
  static std::unique_ptr<executor> make(device& machine, task_dag const& dag,
                                        std::vector<typename App::task_data> const& data,
                                        execution_settings const& settings, App const& app) {
    return make_runtime<Policy, worker_places>(machine, dag, data, settings, app);
  }
};

/// All policies: the paper's in its order, then ours.
using policies = method_list<by_policy<local_round_robin>, by_policy<global_round_robin>,
                             by_policy<global_round_robin_by_block>, by_policy<local_first>,
                             by_policy<local_first_of_task>, by_policy<local_then_shorter>,
                             by_policy<local_then_shorter_slots>>;

}  // namespace gridloom::juggler
