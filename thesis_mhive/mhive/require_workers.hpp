#pragma once
// What --workers of the programs may say.

#include <string>

#include "gridloom/device.hpp"
#include "gridloom/error.hpp"

namespace gridloom::mhive {

/// Throws usage_error for more host workers than can start: a controller is one more. How many
/// blocks a device holds at once is known when their kernel is launched.
inline void require_workers(device const& machine, int workers) {
  int const most = host_backend::max_workers - 1;
  if (!machine.is_host() || workers <= most) return;
  throw usage_error("--workers: expected at most " + std::to_string(most) + " on the host, got " +
                    std::to_string(workers));
}

}  // namespace gridloom::mhive
