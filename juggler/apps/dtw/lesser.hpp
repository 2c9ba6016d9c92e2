#pragma once
// The lesser of two numbers that are not NaN. A leaf: a GPU has an instruction for that in float, and
// none in double, where fmin costs more than to compare and to select, because it looks for NaN.

#include <type_traits>

#include "gridloom/portable.hpp"

namespace gridloom::juggler::dtw {

template <class Real>
[[nodiscard]] GRIDLOOM_FN Real lesser(Real a, Real b) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<Real, float>) return fminf(a, b);
#endif
  return a < b ? a : b;
}

}  // namespace gridloom::juggler::dtw
