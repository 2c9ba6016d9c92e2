#pragma once
// When a run ends: at the largest number of iterations, at a small change of x, or when x diverges.

#include <cmath>
#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom::mhive::jacobi {

enum class outcome : std::uint32_t { running, converged, iteration_limit, diverged, timed_out };

/// The rules, as kernels take them. The residual of an iteration is ‖x(k) − x(k − 1)‖₁, summed in
/// double.
struct stop_rules {
  /// Largest number of iterations, at least 1.
  std::uint32_t max_iterations = 1000;
  /// x has converged if the residual is smaller than this. With 0 it never does.
  double tolerance = 1e-8;
  /// x diverges if the residual is larger or not finite.
  double divergence = 1e300;

  /// Returns the state of a run after iteration `iteration` (from 1).
  [[nodiscard]] GRIDLOOM_FN outcome judge(std::uint32_t iteration, double residual) const {
    // NaN diverges, too.
    if (!(residual <= divergence)) return outcome::diverged;
    if (residual < tolerance) return outcome::converged;
    return iteration >= max_iterations ? outcome::iteration_limit : outcome::running;
  }
};

/// The state of a run, in device memory. All zero at the beginning.
struct run_state {
  double residual;
  /// Number of the last judged iteration; x(k) is in array k % 2.
  std::uint32_t iteration;
  outcome verdict;
};

/// Returns a bound for `stop_rules::divergence`: 10^10 times the sum of the first residual and the
/// 1-norm of the start, where all entries of x are 1. The bound is at most 1e300.
[[nodiscard]] inline double divergence_bound(double first_residual, std::uint32_t num_rows) {
  double const size = std::isfinite(first_residual) ? first_residual : 0.0;
  return std::fmin(1e10 * (size + num_rows), 1e300);
}

}  // namespace gridloom::mhive::jacobi
