#pragma once
// What all executors share: timing of set-up, and checks of settings and results. Only sources that
// launch kernels include this header.

#include <cstdint>
#include <sstream>
#include <string>

#include "gridloom/clock.hpp"
#include "gridloom/device.hpp"
#include "gridloom/error.hpp"
#include "gridloom/watchdog.hpp"
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

/// After a run of workers: throws timeout_error, or wrong_result if a task was not executed.
inline void require_all(watchdog& dog, std::uint64_t finished, std::uint64_t all) {
  std::string const of = std::to_string(finished) + " of " + std::to_string(all) + " tasks";
  dog.require_in_time(of + " finished");
  if (finished != all) throw wrong_result("only " + of + " were executed");
}

/// Throws usage_error if the time limit is not positive, or too large for 64 bits of nanoseconds.
inline void require_time_limit(execution_settings const& settings) {
  constexpr double longest_s = 1e10;
  if (settings.timeout_s > 0 && settings.timeout_s <= longest_s) return;
  std::ostringstream text;
  text << "--timeout-s: expected above 0 and at most " << longest_s << " seconds, got "
       << settings.timeout_s;
  throw usage_error(text.str());
}

/// Throws usage_error if the kernel does not support the threads, workers or time limit.
template <class Kernel>
void require_in_range(execution_settings const& settings) {
  if (settings.threads < 1 || settings.threads > Kernel::max_threads) {
    throw usage_error("--threads: expected 1 to " + std::to_string(Kernel::max_threads) +
                      " threads per block, got " + std::to_string(settings.threads));
  }
  if (settings.workers < 0)
    throw usage_error("--workers: expected at least 1, or 0 for as many as fit, got " +
                      std::to_string(settings.workers));
  require_time_limit(settings);
}

/// The settings of a persistent kernel, where 0 workers become as many as fit. Throws usage_error,
/// or grid_error if none fits.
template <class Kernel>
execution_settings settled(device& machine, execution_settings settings) {
  require_in_range<Kernel>(settings);
  if (settings.workers != 0) return settings;
  // Equation 1. On the host any number of workers can share the processors.
  settings.workers = machine.is_host() ? machine.properties().multiprocessors
                                       : machine.resident_blocks<Kernel>(settings.threads);
  if (settings.workers == 0)
    throw grid_error("--threads: no block of " + std::to_string(settings.threads) +
                     " fits on this device; use fewer");
  return settings;
}

}  // namespace gridloom::juggler::detail
