#pragma once
// Makes an executor of Juggler's runtime from the name of a policy, the paper's or ours. It
// launches kernels, as run_runtime.hpp does.

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/error.hpp"
#include "juggler/app_context.hpp"
#include "juggler/ours/local_then_shorter.hpp"
#include "juggler/ours/worker_places.hpp"
#include "juggler/run_runtime.hpp"

namespace gridloom::juggler {

/// The names of all policies: the paper's in its order, then ours.
inline constexpr std::array<std::string_view, 5> policy_names{
    local_round_robin::name, global_round_robin::name, local_first::name, local_then_shorter::name,
    local_then_shorter_slots::name};

/// Calls make_runtime<Policy>(). Throws usage_error for an unknown policy.
template <application App>
std::unique_ptr<executor> make_runtime(std::string_view policy, device& machine,
                                       task_dag const& dag,
                                       std::vector<typename App::task_data> const& data,
                                       execution_settings const& settings, App const& app) {
  std::unique_ptr<executor> made;
  auto const try_policy = [&]<class Policy>() {
    if (policy == Policy::name)
      made = make_runtime<Policy, worker_places>(machine, dag, data, settings, app);
  };
  try_policy.template operator()<local_round_robin>();
  try_policy.template operator()<global_round_robin>();
  try_policy.template operator()<local_first>();
  try_policy.template operator()<local_then_shorter>();
  try_policy.template operator()<local_then_shorter_slots>();
  if (made) return made;
  throw usage_error("policy: expected lrr, grr, lf, lts or lts-slots, got " + std::string(policy));
}

}  // namespace gridloom::juggler
