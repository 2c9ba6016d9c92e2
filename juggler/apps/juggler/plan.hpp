#pragma once
// The experiments behind the figures: applications, sizes and methods. They replace the script
// `exp` of appendix A.

#include <string>
#include <string_view>
#include <vector>

#include "gridloom/device.hpp"
#include "inputs.hpp"
#include "request.hpp"
#include "subject.hpp"

namespace gridloom::juggler {

/// custom   what the options say
/// paper    the task counts of Table 1, in tiles of two sizes
/// wide     the widest wave has 1.6 × as many tasks as there are multiprocessors, as the paper's 90
///          on its 56, in tiles of two sizes
/// scaling  figure 7: JACOBI in 2 to 18 steps, 3,600 to 32,400 tasks
/// grain    the graph of JACOBI or of --graph, whose tasks take 100 ns to 1 ms
/// timeline figure 1: LUD, for --trace
struct experiment {
  std::string_view name;
  std::vector<std::string> apps;
  /// Empty: all methods.
  std::vector<std::string> methods;
  /// Options that it takes besides --app, --method and those of queues and arms. Others are set by
  /// the experiment.
  std::vector<std::string> options;
};

[[nodiscard]] std::vector<experiment> const& experiments();

/// The entry for --experiment; null for `custom`. Throws usage_error if there is none.
[[nodiscard]] experiment const* experiment_of(std::string_view name);

/// The subjects of an experiment other than `custom`, for the requested applications.
[[nodiscard]] std::vector<subject> planned(request const& wanted, inputs const& given,
                                           device_properties const& machine);

}  // namespace gridloom::juggler
