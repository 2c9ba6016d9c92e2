#pragma once
// The operations of a cost. This file depends on the backend: a GPU has an instruction for the
// smaller of two floats, but not of two doubles. For doubles fmin costs more than comparing and
// selecting, because it looks for NaN.

#include <type_traits>

#include "gridloom/portable.hpp"

namespace gridloom::juggler::dtw {

/// The lesser of two numbers. Neither may be NaN.
template <class Real>
[[nodiscard]] GRIDLOOM_FN Real lesser(Real a, Real b) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<Real, float>) return fminf(a, b);
#endif
  return a < b ? a : b;
}

/// Returns apart + the least of the three costs, or `above` if not `there`. No cost is negative.
template <class Real>
[[nodiscard]] GRIDLOOM_FN Real added_to_least(Real apart, Real diagonal, Real above, Real left,
                                              bool there) {
  Real const cost = apart + lesser(lesser(diagonal, above), left);
  return there ? cost : above;
}

/// Returns the same in two thirds of the time. It takes more operations, but only the selections
/// depend on each other. Rounding keeps the order of the sums, so the result has the same bits.
template <class Real>
[[nodiscard]] GRIDLOOM_FN Real added_to_least_at_once(Real apart, Real diagonal, Real above,
                                                      Real left, bool there) {
#if defined(__CUDA_ARCH__)
  // __dadd_rn keeps the compiler from rearranging these sums. `there` costs no extra selection.
  if constexpr (std::is_same_v<Real, double>) {
    double const added = there ? apart : 0;
    double const from_above = __dadd_rn(added, above);
    double const from_left = __dadd_rn(added, left);
    double const from_diagonal = __dadd_rn(added, diagonal);
    double const upper_cost = (diagonal < above) & there ? from_diagonal : from_above;
    double const lower_cost = diagonal < left ? from_diagonal : from_left;
    return (above < left) | !there ? upper_cost : lower_cost;
  }
#endif
  return added_to_least(apart, diagonal, above, left, there);
}

}  // namespace gridloom::juggler::dtw
