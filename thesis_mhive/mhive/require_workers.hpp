#pragma once
// Checks the programs' option --workers.

#include <string>

#include "gridloom/device.hpp"
#include "gridloom/error.hpp"

namespace gridloom::mhive {

/// Throws usage_error if the host cannot start this many workers and one controller. On a device,
/// only the launch knows how many blocks fit at once.
inline void require_workers(device const& machine, int workers) {
  int const most = host_backend::max_workers - 1;
  if (!machine.is_host() || workers <= most) return;
  throw usage_error("--workers: expected at most " + std::to_string(most) + " on the host, got " +
                    std::to_string(workers));
}

}  // namespace gridloom::mhive
