#pragma once
// Host workers that wait for each other need one thread each. This check refuses more workers than
// threads.

#include <cstdint>
#include <string>

#include "gridloom/backend/host.hpp"
#include "gridloom/error.hpp"

namespace gridloom::tiled_qr {

/// Throws usage_error if the host has too few threads for a method's workers and `others` more
/// threads. `option` names the option that set the number of workers.
inline void require_host_threads(std::string const& option, std::int64_t workers,
                                 std::string const& method, int others = 0) {
  int const most = host_backend::max_workers - others;
  if (workers > most)
    throw usage_error(option + ": " + method + ": expected at most " + std::to_string(most) +
                      " on the host, got " + std::to_string(workers));
}

}  // namespace gridloom::tiled_qr
