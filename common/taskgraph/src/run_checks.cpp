#include "gridloom/taskgraph/run_checks.hpp"

#include "gridloom/parse.hpp"

namespace gridloom {

void require_all(watchdog& dog, std::uint64_t finished, std::uint64_t all) {
  std::string const of = std::to_string(finished) + " of " + std::to_string(all) + " tasks";
  dog.require_in_time(of + " finished");
  if (finished != all) throw wrong_result("only " + of + " were executed");
}

void require_time_limit(executor_settings const& settings) {
  constexpr double longest_s = 1e10;
  if (settings.timeout_s > 0 && settings.timeout_s <= longest_s) return;
  throw usage_error("--timeout-s: expected above 0 and at most " + shown(longest_s) +
                    " seconds, got " + shown(settings.timeout_s));
}

void require_in_range(executor_settings const& settings, int max_threads) {
  if (settings.threads < 1 || settings.threads > max_threads)
    throw usage_error("--threads: expected 1 to " + std::to_string(max_threads) +
                      " threads per block, got " + std::to_string(settings.threads));
  if (settings.workers < 0)
    throw usage_error("--workers: expected at least 1, or 0 for as many as fit, got " +
                      std::to_string(settings.workers));
  require_time_limit(settings);
}

}  // namespace gridloom
