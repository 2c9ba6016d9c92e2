#pragma once
// Functions of BLAS and LAPACK have one name per precision, and take sizes of 32 bits.

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "gridloom/error.hpp"

namespace gridloom::tiled_qr {

/// Returns the function for numbers of type T.
template <class T, class Single, class Double>
[[nodiscard]] constexpr auto of_precision(Single single, Double in_double) {
  if constexpr (std::is_same_v<T, double>) {
    return in_double;
  } else {
    return single;
  }
}

/// Converts a size. Throws unsupported, with the name of what is called, if it exceeds 32 bits.
[[nodiscard]] inline int int_size(std::int64_t n, char const* callee = "LAPACK") {
  if (n > std::numeric_limits<int>::max())
    throw unsupported(std::string(callee) + ": expected sizes below 2^31, got " +
                      std::to_string(n));
  return static_cast<int>(n);
}

}  // namespace gridloom::tiled_qr
