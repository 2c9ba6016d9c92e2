#pragma once
// Host side of persistent_loop.hpp.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"
#include "gridloom/watchdog.hpp"
#include "persistent_loop.hpp"
#include "thesis_mhive/apps/jacobi/solver.hpp"

namespace gridloom::mhive::jacobi {

/// Owns the words of launches with `blocks` blocks, and their watchdog. Used by one thread, between
/// launches.
class residual_memory {
 public:
  residual_memory(solver_options const& options, int blocks)
      : machine_(options.machine),
        rules_(options.rules),
        check_every_(options.check_every),
        timeout_s_(options.timeout_s),
        sums_(machine_.allocate<tagged<double>>(kept_checks * static_cast<std::size_t>(blocks))),
        last_sums_(machine_.allocate<double>(static_cast<std::size_t>(blocks))),
        state_(machine_.allocate<run_state>(1)),
        dog_(machine_, blocks, options.timeout_s) {}

  /// Call it before each run.
  void reset() { machine_.fill_bytes(sums_, 0); }
  [[nodiscard]] residual_ref ref() {
    return {sums_.data(), last_sums_.data(), state_.data(), rules_, check_every_};
  }
  [[nodiscard]] watchdog_ref arm() { return dog_.arm(); }
  /// Fills in iterations, residual and verdict of the finished launch. Throws timeout_error if it
  /// was stopped.
  void collect(jacobi_result& result) {
    if (dog_.fired()) throw timeout();
    run_state const end = machine_.copy_to_host(state_)[0];
    for (double const of_block : machine_.copy_to_host(last_sums_)) result.residual += of_block;
    result.iterations = end.iteration;
    result.verdict = end.verdict == outcome::running ? rules_.judge(end.iteration, result.residual)
                                                     : end.verdict;
    result.launches = 1;
  }
  [[nodiscard]] std::size_t bytes() const {
    return sums_.bytes() + last_sums_.bytes() + state_.bytes();
  }

 private:
  timeout_error timeout() {
    auto const lines = dog_.lines();
    return timeout_error(timeout_text(timeout_s_) + (lines.empty() ? "" : ", " + lines[0]));
  }

  device& machine_;
  stop_rules rules_;
  std::uint32_t check_every_;
  double timeout_s_;
  buffer<tagged<double>> sums_;
  buffer<double> last_sums_;
  buffer<run_state> state_;
  watchdog dog_;
};

/// Returns the number of blocks of a persistent version: as requested, otherwise one per
/// multiprocessor if each gets enough entries.
template <class Value>
int num_blocks(system<Value> const& of, solver_options const& options,
               std::uint32_t least_entries) {
  if (options.workers > 0) return options.workers;
  auto const most = static_cast<std::uint64_t>(options.machine.properties().multiprocessors);
  std::uint64_t const worth = of.num_entries() / least_entries;
  return static_cast<int>(std::clamp<std::uint64_t>(worth, 1, most));
}

/// Returns the number of threads, in whole warps, for `at_once` independent pieces of work.
inline int threads_for(device const& machine, std::uint32_t at_once, int most) {
  int const whole = static_cast<int>((at_once + 31) / 32 * 32);
  return machine.is_host() ? 1 : std::min(whole, most);
}

template <class Machine, class Kernel>
jacobi_result run_persistent(Machine& machine, launch_shape shape, residual_memory& residuals,
                             Kernel const& whole) {
  jacobi_result result;
  result.elapsed_ms = machine.time_ms([&] { machine.launch(shape, whole); });
  residuals.collect(result);
  result.largest = machine.template facts<Kernel>(shape.threads);
  return result;
}

}  // namespace gridloom::mhive::jacobi
