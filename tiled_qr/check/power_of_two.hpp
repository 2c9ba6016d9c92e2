#pragma once
// Powers of two that bring a matrix's elements near 1, so that their squares neither overflow nor
// vanish. Multiplying by a power of two is exact within the range of numbers.

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "gridloom/portable.hpp"

namespace gridloom::tiled_qr {

/// A matrix is not scaled if its largest absolute value is at least 2^-n and below 2^(n + 1), where
/// n is this exponent.
template <class T>
inline constexpr int safe_exponent = sizeof(T) == sizeof(double) ? 300 : 60;

/// Returns the exponent e for which 2^e times `largest` is between 1 and 2. Returns 0 if the matrix
/// needs no scaling, or is all zeros.
template <class T>
int exponent_to_safe(T largest) {
  if (largest == T{0}) return 0;
  int const exponent = std::ilogb(largest);
  return exponent < -safe_exponent<T> || exponent > safe_exponent<T> ? -exponent : 0;
}

/// Multiplies by 2^e in two steps, because 2^e itself may be out of the range of T.
template <class T>
struct power_of_two {
  T first;
  T second;

  static power_of_two of(int exponent) {
    int const half = exponent / 2;
    return {std::ldexp(T{1}, half), std::ldexp(T{1}, exponent - half)};
  }
  GRIDLOOM_FN T times(T x) const { return x * first * second; }
};

/// A copy whose elements are multiplied by 2^exponent.
template <class T>
std::vector<T> scaled(std::span<T const> values, int exponent) {
  std::vector<T> copy(values.begin(), values.end());
  if (exponent == 0) return copy;
  auto const power = power_of_two<T>::of(exponent);
  for (T& x : copy) x = power.times(x);
  return copy;
}

}  // namespace gridloom::tiled_qr
