#pragma once
// What executors with set-up share.

#include "gridloom/clock.hpp"
#include "gridloom/taskgraph/run_checks.hpp"
#include "juggler/executor.hpp"

namespace gridloom::juggler::detail {

/// Returns make() and stores its time in `ms`, including the copies to the device.
template <class Make>
auto timed(device& machine, double& ms, Make&& make) {
  std::uint64_t const begin = now_ns();
  auto made = make();
  machine.synchronize();
  ms = static_cast<double>(now_ns() - begin) * 1e-6;
  return made;
}

}  // namespace gridloom::juggler::detail
