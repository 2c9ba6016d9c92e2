#pragma once
// The critical path of an LU decomposition. One warp factorises a diagonal square of 32 × 32 in
// shared memory, and two warps invert its triangles. With these inverses, everything else consists
// of products. This file depends on the backend. On a GPU, each lane keeps one row, or one column
// of an inverse, in registers. On a host, one thread keeps everything.

#include "apps/lud/piece.hpp"
#include "apps/lud/view.hpp"
#include "gridloom/group.hpp"
#include "gridloom/reciprocal.hpp"

namespace gridloom::juggler::lud {

/// Rows and columns of a diagonal square.
inline constexpr int step = 32;
/// Distance between rows of a square in shared memory, in elements. The lanes of a product read 4
/// columns of 4 rows at once; with this distance they use 16 different pairs of banks.
inline constexpr int step_stride = step + 4;

/// The inverses of a diagonal square's two triangles, and the reciprocals of U's diagonal.
struct diagonal_inverses {
  alignas(16) double lower[step * step_stride];
  alignas(16) double upper[step * step_stride];
  double reciprocals[step];
};

#if defined(__CUDA_ARCH__)

namespace detail {

/// Calls use(m, value) for columns First to Last - 1 of a row, reading two values per access.
template <int First, int Last, class Use>
__device__ void for_columns(double const* row, Use const& use) {
#pragma unroll
  for (int m = First / 2 * 2; m < Last; m += 2) {
    auto const two = *reinterpret_cast<entry_pair const*>(row + m);
    if (m >= First) use(m, two.first);
    if (m + 1 < Last) use(m + 1, two.second);
  }
}

/// Executes step K of the elimination and all later ones. `pivot` is the reciprocal of K's pivot.
template <int K>
__device__ void eliminate(int lane, double* rows, int stride, reciprocal<double> pivot,
                          double (&mine)[step], double* reciprocals) {
  double* const pivot_row = rows + K * stride;
  if (lane == K) {
#pragma unroll
    for (int m = K; m < step; ++m) pivot_row[m] = mine[m];
    reciprocals[K] = pivot.value();
  }
  __syncwarp();
  if constexpr (K + 1 < step) {
    bool const below = lane > K;
    double const factor = pivot.times(mine[K]);
    if (below) mine[K] = factor;
    double const left = below ? factor : 0;
    // Computes the next pivot first, because the next step waits for its reciprocal.
    mine[K + 1] -= left * pivot_row[K + 1];
    reciprocal<double> const next(__shfl_sync(~0U, mine[K + 1], K + 1));
    for_columns<K + 2, step>(pivot_row, [&](int m, double value) { mine[m] -= left * value; });
    eliminate<K + 1>(lane, rows, stride, next, mine, reciprocals);
  }
}

/// x <- L⁻¹ x for a vector x. Handles columns M and M + 1 of L, and then the later ones.
template <int M>
__device__ void substitute_down(double const* l, int stride, double (&x)[step]) {
  if constexpr (M < step) {
    auto const two = *reinterpret_cast<entry_pair const*>(l + (M + 1) * stride + M);
    x[M + 1] -= two.first * x[M];
#pragma unroll
    for (int row = M + 2; row < step; ++row) {
      auto const row_pair = *reinterpret_cast<entry_pair const*>(l + row * stride + M);
      x[row] -= row_pair.first * x[M] + row_pair.second * x[M + 1];
    }
    substitute_down<M + 2>(l, stride, x);
  }
}

/// x <- U⁻¹ x for a vector x. Handles columns M and M + 1 of U, and then the earlier ones.
template <int M>
__device__ void substitute_up(double const* u, int stride, double const* reciprocals,
                              double (&x)[step]) {
  if constexpr (M >= 0) {
    x[M + 1] *= reciprocals[M + 1];
    x[M] -= u[M * stride + M + 1] * x[M + 1];
    x[M] *= reciprocals[M];
#pragma unroll
    for (int row = 0; row < M; ++row) {
      auto const row_pair = *reinterpret_cast<entry_pair const*>(u + row * stride + M);
      x[row] -= row_pair.first * x[M] + row_pair.second * x[M + 1];
    }
    substitute_up<M - 2>(u, stride, reciprocals, x);
  }
}

}  // namespace detail

/// d <- L and U of d = L U, by a warp. Also stores the reciprocals of U's diagonal.
template <class Warp>
__device__ void factorise_step(Warp const& warp, view d, diagonal_inverses& inverses) {
  int const lane = warp.thread_rank();
  double* const row = &d.at(lane, 0);
  double mine[step];
#pragma unroll
  for (int m = 0; m < step; m += 2) {
    auto const two = *reinterpret_cast<entry_pair const*>(row + m);
    mine[m] = two.first;
    mine[m + 1] = two.second;
  }
  reciprocal<double> const pivot(__shfl_sync(~0U, mine[0], 0));
  detail::eliminate<0>(lane, d.first, d.stride, pivot, mine, inverses.reciprocals);
  __syncwarp();
#pragma unroll
  for (int m = 0; m < step; ++m) {
    if (m < lane) row[m] = mine[m];
  }
}

/// Computes L⁻¹ of a factorised square, by a warp; each lane computes the column of its number.
__device__ inline void invert_lower(int lane, view d, diagonal_inverses& inverses) {
  double x[step];
#pragma unroll
  for (int m = 0; m < step; ++m) x[m] = m == lane ? 1 : 0;
  detail::substitute_down<0>(d.first, d.stride, x);
#pragma unroll
  for (int m = 0; m < step; ++m) inverses.lower[m * step_stride + lane] = x[m];
}

__device__ inline void invert_upper(int lane, view d, diagonal_inverses& inverses) {
  double x[step];
#pragma unroll
  for (int m = 0; m < step; ++m) x[m] = m == lane ? 1 : 0;
  detail::substitute_up<step - 2>(d.first, d.stride, inverses.reciprocals, x);
#pragma unroll
  for (int m = 0; m < step; ++m) inverses.upper[m * step_stride + lane] = x[m];
}

#else

template <class Thread>
void factorise_step(Thread const&, view d, diagonal_inverses& inverses) {
  for (int k = 0; k < step; ++k) {
    double const pivot = inverses.reciprocals[k] = 1 / d.at(k, k);
    for (int row = k + 1; row < step; ++row) {
      double const factor = d.at(row, k) *= pivot;
      for (int col = k + 1; col < step; ++col) d.at(row, col) -= factor * d.at(k, col);
    }
  }
}

inline void invert_lower(int, view d, diagonal_inverses& inverses) {
  view const x{inverses.lower, step_stride, step, step};
  for (int row = 0; row < step; ++row) {
    for (int col = 0; col < step; ++col) x.at(row, col) = row == col ? 1 : 0;
    for (int k = 0; k < row; ++k) {
      for (int col = 0; col <= k; ++col) x.at(row, col) -= d.at(row, k) * x.at(k, col);
    }
  }
}

inline void invert_upper(int, view d, diagonal_inverses& inverses) {
  view const x{inverses.upper, step_stride, step, step};
  for (int row = step - 1; row >= 0; --row) {
    for (int col = 0; col < step; ++col) x.at(row, col) = row == col ? 1 : 0;
    for (int k = row + 1; k < step; ++k) {
      for (int col = k; col < step; ++col) x.at(row, col) -= d.at(row, k) * x.at(k, col);
    }
    for (int col = row; col < step; ++col) x.at(row, col) *= inverses.reciprocals[row];
  }
}

#endif

}  // namespace gridloom::juggler::lud
