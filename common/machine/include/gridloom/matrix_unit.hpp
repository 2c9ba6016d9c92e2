#pragma once
// Matrix multiplication of doubles by the matrix unit of the GPU.
//
// A warp multiplies a 16 × 8 by an 8 × 8 matrix (shape m16n8k8; m8n8k4 has half the rate on compute
// capability 9.0). Lane l holds these entries, as (row, column):
// - left factor: (l / 4, l % 4), (l / 4 + 8, l % 4), (l / 4, l % 4 + 4), (l / 4 + 8, l % 4 + 4);
// - right factor: (l % 4, l / 4) and (l % 4 + 4, l / 4);
// - result: (l / 4, 2 (l % 4)), its right neighbour, and both entries 8 rows below them.

#include "gridloom/portable.hpp"

namespace gridloom {

#if defined(__CUDA_ARCH__)
inline constexpr bool has_matrix_unit = true;

/// result += left × right. Called by all lanes of a full warp.
__device__ inline void multiply_add(double (&result)[4], double const (&left)[4],
                                    double const (&right)[2]) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
      "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
      : "+d"(result[0]), "+d"(result[1]), "+d"(result[2]), "+d"(result[3])
      : "d"(left[0]), "d"(left[1]), "d"(left[2]), "d"(left[3]), "d"(right[0]), "d"(right[1]));
#else
  for (int half = 0; half < 2; ++half)
    for (int step = 0; step < 2; ++step)
      asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%0,%1};"
                   : "+d"(result[2 * half]), "+d"(result[2 * half + 1])
                   : "d"(left[2 * step + half]), "d"(right[step]));
#endif
}
#else
inline constexpr bool has_matrix_unit = false;
/// Never called: callers check `has_matrix_unit`.
template <class Real>
void multiply_add(Real (&)[4], Real const (&)[4], Real const (&)[2]) {}
#endif

}  // namespace gridloom
