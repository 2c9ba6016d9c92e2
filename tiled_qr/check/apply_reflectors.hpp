#pragma once
// Applies Q from reflectors in LAPACK's form, for samples (sample.hpp), by plain loops in double.
// Blocks of reflectors are applied by their T, as LAPACK's larft and larfb do. The sums are our
// own, so that the check does not share faults of the library, which is a rival. Their order does
// not depend on the number of threads.

#include <cstdint>
#include <span>
#include <vector>

#include "check/sample.hpp"

namespace gridloom::tiled_qr {

/// `factors` is m × n and column-major without gaps, and outlives the result.
template <class T>
apply_function<T> apply_reflectors(std::int64_t m, std::int64_t n, std::span<T const> factors,
                                   std::vector<T> taus);

}  // namespace gridloom::tiled_qr
