#pragma once
// Q as reflectors in LAPACK's form, for samples (sample.hpp), by plain loops in double: blocks of
// reflectors by their T (LAPACK's larft and larfb). LAPACK itself is not asked, since OpenBLAS 0.3.21 with
// 16 threads was found to lose eleven digits of a QR of its own at 10,000,000 × 64, on a processor that it
// takes for one of 2004.

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
