#pragma once
// When an iteration ends: at the maximum number, at a small change of x, or when it diverges.

#include <cmath>
#include <cstdint>
#include <string>

#include "gridloom/portable.hpp"

namespace gridloom::mhive::jacobi {

enum class outcome : std::uint32_t { running, converged, iteration_limit, diverged, timed_out };

/// "converged", "iterations", "diverged", "timeout".
[[nodiscard]] std::string name_of(outcome what);

/// The rules, as kernels take them. The residual of an iteration is the 1-norm of what it changed,
/// ‖x(k) − x(k − 1)‖₁, summed in double.
struct stop_rules {
  /// At least 1.
  std::uint32_t max_iterations = 1000;
  /// Below it x has converged; 0: never.
  double tolerance = 1e-8;
  /// A residual that is not finite or above it: diverged.
  double divergence = 1e300;

  /// What becomes of a run after iteration `iteration` (from 1).
  [[nodiscard]] GRIDLOOM_FN outcome judge(std::uint32_t iteration, double residual) const {
    if (!(residual <= divergence)) return outcome::diverged;  // NaN, too
    if (residual < tolerance) return outcome::converged;
    return iteration >= max_iterations ? outcome::iteration_limit : outcome::running;
  }
};

/// Where a run stands, in device memory. Zeros at its beginning.
struct run_state {
  /// Of the last iteration that was judged.
  double residual;
  /// That one's number; x(k) stands in array k % 2.
  std::uint32_t iteration;
  outcome verdict;
};

/// Bound for `stop_rules::divergence`: ten decimal powers above the first residual, which is the
/// size that the iteration has by itself, and above the start x = 1. A bound in float's range.
[[nodiscard]] inline double divergence_bound(double first_residual, std::uint32_t num_rows) {
  double const size = std::isfinite(first_residual) ? first_residual : 0.0;
  return std::fmin(1e10 * (size + num_rows), 1e300);
}

}  // namespace gridloom::mhive::jacobi
