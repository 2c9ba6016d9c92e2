#pragma once
// Checks of settings and results that executors share.

#include <cstdint>
#include <string>

#include "gridloom/error.hpp"
#include "gridloom/taskgraph/executor.hpp"
#include "gridloom/watchdog.hpp"

namespace gridloom {

/// After a run of workers: throws timeout_error, or wrong_result if a task was not executed.
void require_all(watchdog& dog, std::uint64_t finished, std::uint64_t all);

/// Throws usage_error if the time limit is not positive, or too large for 64 bits of nanoseconds.
void require_time_limit(executor_settings const& settings);

/// Throws usage_error for a negative number of workers, a number of threads that is not 1 to
/// `max_threads`, and as require_time_limit does.
void require_in_range(executor_settings const& settings, int max_threads);

/// The settings of a persistent kernel, where 0 workers become as many as fit. Throws as
/// require_in_range does, and grid_error if no block fits. Only sources that launch kernels use it.
/// The machine is a `device`. Other sources may include this header, because the type is deduced.
template <class Kernel, class Settings>
[[nodiscard]] Settings settled(auto& machine, Settings settings) {
  require_in_range(settings, Kernel::max_threads);
  if (settings.workers != 0) return settings;
  // On the host any number of workers can share the processors.
  settings.workers = machine.is_host() ? machine.properties().multiprocessors
                                       : machine.template resident_blocks<Kernel>(settings.threads);
  if (settings.workers == 0)
    throw grid_error("--threads: no block of " + std::to_string(settings.threads) +
                     " fits on this device; use fewer");
  return settings;
}

}  // namespace gridloom
