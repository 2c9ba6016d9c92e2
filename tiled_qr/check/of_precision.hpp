#pragma once
// Functions of BLAS and LAPACK have one name per precision.

#include <type_traits>

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

}  // namespace gridloom::tiled_qr
