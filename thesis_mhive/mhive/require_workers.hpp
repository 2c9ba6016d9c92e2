#pragma once
// The check of the programs' option --workers.

#include <string>

#include "gridloom/device.hpp"
#include "gridloom/error.hpp"

namespace gridloom::mhive {

/// Throws usage_error if the host cannot start this many workers and one controller. The number of
/// blocks that a device holds at once is known only at the launch.
inline void require_workers(device const& machine, int workers) {
  int const most = host_backend::max_workers - 1;
  if (!machine.is_host() || workers <= most) return;
  throw usage_error("--workers: expected at most " + std::to_string(most) + " on the host, got " +
                    std::to_string(workers));
}

}  // namespace gridloom::mhive
