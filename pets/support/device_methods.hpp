#pragma once
// Factories of the methods behind make_device_metrics, and helpers for their launches.

#include <algorithm>
#include <string>

#include "gridloom/error.hpp"
#include "gridloom/watchdog.hpp"
#include "support/device_metrics.hpp"

namespace gridloom::pets {

/// Makes a method of the thesis (level_loop.cpp) by its name; null for other names.
std::unique_ptr<device_metrics> make_level_loop(std::string_view method, device& machine,
                                                task_graph const& graph, device_graph const* there,
                                                launch_limits const& limits);
/// Makes one of our methods with a single launch by its name; null for other names.
std::unique_ptr<device_metrics> make_single_launch(std::string_view method, device& machine,
                                                   device_graph const& there,
                                                   launch_limits const& limits);

/// Shape of a launch whose blocks do not wait for each other: `workers` blocks, or enough to fill
/// the machine.
inline launch_shape everywhere(device const& machine, int workers = 0) {
  int const threads = machine.is_host() ? 1 : 256;
  if (workers > 0) return {workers, threads};
  int const blocks = 8 * machine.properties().multiprocessors;
  return {machine.is_host() ? std::min(blocks, 64) : blocks, threads};
}

/// Throws usage_error unless a block has whole warps, because lanes exchange values.
inline void require_whole_warps(device const& machine, int threads) {
  if (machine.is_host() || threads % 32 == 0) return;
  throw usage_error("--threads: expected whole warps of 32 threads, got " +
                    std::to_string(threads));
}

}  // namespace gridloom::pets
