#pragma once
// The most workers that the host has.

#include <string>

#include "gridloom/backend/host.hpp"
#include "gridloom/bench/program.hpp"
#include "gridloom/error.hpp"

namespace gridloom::wavefront {

/// Throws usage_error where the host has fewer threads than --workers asks for.
inline void require_host_workers(bench::program& app) {
  int const wanted = app.common().workers;
  if (!app.machine().is_host() || wanted <= host_backend::max_workers) return;
  throw usage_error("--workers: expected at most " + std::to_string(host_backend::max_workers) +
                    " on the host, got " + std::to_string(wanted));
}

}  // namespace gridloom::wavefront
