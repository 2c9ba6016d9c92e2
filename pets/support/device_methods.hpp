#pragma once
// The two families of methods behind make_device_metrics, and what launches of theirs share.

#include <algorithm>
#include <string>

#include "gridloom/error.hpp"
#include "gridloom/watchdog.hpp"
#include "support/device_metrics.hpp"

namespace gridloom::pets {

/// The thesis's kernels, by name; null for other names.
std::unique_ptr<device_metrics> make_level_loop(std::string_view method, device& machine,
                                                task_graph const& graph, device_graph const* there,
                                                launch_limits const& limits);
/// One launch; null for other names.
std::unique_ptr<device_metrics> make_single_launch(std::string_view method, device& machine,
                                                   device_graph const& there,
                                                   launch_limits const& limits);

/// For kernels whose blocks do not wait: `workers` of them, or enough to fill the machine.
inline launch_shape everywhere(device const& machine, int workers = 0) {
  int const threads = machine.is_host() ? 1 : 256;
  if (workers > 0) return {workers, threads};
  int const blocks = 8 * machine.properties().multiprocessors;
  return {machine.is_host() ? std::min(blocks, 64) : blocks, threads};
}

/// Lanes of parts of a warp exchange values, so a block has whole warps.
inline void require_whole_warps(device const& machine, int threads) {
  if (machine.is_host() || threads % 32 == 0) return;
  throw usage_error("--threads: expected whole warps of 32 threads, got " +
                    std::to_string(threads));
}

}  // namespace gridloom::pets
