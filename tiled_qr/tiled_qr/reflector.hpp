#pragma once
// One Householder reflector: made of a column, and applied to columns (report, I.B and Algorithm 3).
//
// H = I - tau (1; v) (1; v)^T, with v = x / v_1 as in equation (2), so that the first element, 1, is
// not stored. tau = 2 / (v^T v) is stored: the report computes it anew from v at each use.
//
// Two departures. The norm is taken of x over its largest element, so that no square overflows or
// vanishes. And sign(0) is 1: with the usual 0 a column that begins with 0 would not be reduced.

#include <cmath>
#include <concepts>

#include "gridloom/collectives.hpp"
#include "gridloom/group.hpp"

namespace gridloom::tiled_qr {

/// Where the threads of a group meet for norms.
template <class T>
using norm_scratch = collective_scratch<T, 256>;

/// Columns that one thread updates side by side. A host worker has all columns of a tile, and
/// several at once share the loads of the vector; on a GPU a thread has one column.
template <class Group>
inline constexpr int columns_at_once = std::derived_from<Group, thread_of_one> ? 4 : 1;

/// Makes the reflector that takes (alpha; x) to (beta; 0): alpha becomes beta, x becomes v, and tau
/// is returned to all threads; it is 0, and nothing changes, where x is 0 already. `x` has `n`
/// elements. Called by all threads of the group, after a sync and with one at its end.
template <class T, thread_group Group>
[[nodiscard]] GRIDLOOM_FN T make_reflector(Group const& group, T& alpha, T* x, int n,
                                           norm_scratch<T>& scratch) {
  int const rank = group.thread_rank();
  int const size = group.num_threads();
  T const first = alpha;
  T largest = 0;
  for (int i = rank; i < n; i += size) largest = maximum_of{}(largest, std::abs(x[i]));
  largest = reduce(group, scratch, largest, maximum_of{});
  if (largest == T{0}) return T{0};
  largest = maximum_of{}(largest, std::abs(first));
  T squares = 0;
  for (int i = rank; i < n; i += size) {
    T const part = x[i] / largest;
    squares += part * part;
  }
  squares = reduce(group, scratch, squares, sum_of{});
  T const part = first / largest;
  T const norm = largest * std::sqrt(squares + part * part);
  T const beta = first < T{0} ? norm : -norm;
  group.sync();  // all have read alpha
  if (rank == 0) alpha = beta;
  for (int i = rank; i < n; i += size) x[i] /= first - beta;
  group.sync();
  return (beta - first) / beta;
}

/// H applied to `Columns` columns (head; tail) at once: by one thread, without any sync.
template <int Columns, class T>
GRIDLOOM_FN void apply_reflector(T const* v, int n, T tau, T* const (&head)[Columns],
                                 T* const (&tail)[Columns]) {
  // Independent sums: for the vector units of a host, and for the latency of a GPU.
  constexpr int lanes = 8;
  T sums[Columns][lanes] = {};
  int i = 0;
  for (; i + lanes <= n; i += lanes) {
    GRIDLOOM_UNROLL
    for (int c = 0; c < Columns; ++c) {
      GRIDLOOM_UNROLL
      for (int u = 0; u < lanes; ++u) sums[c][u] += v[i + u] * tail[c][i + u];
    }
  }
  T z[Columns];
  GRIDLOOM_UNROLL
  for (int c = 0; c < Columns; ++c) {
    T rest = 0;
    for (int r = i; r < n; ++r) rest += v[r] * tail[c][r];
    T const(&s)[lanes] = sums[c];
    z[c] = tau *
           (*head[c] + (((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])) + rest));
    *head[c] -= z[c];
  }
  for (i = 0; i + lanes <= n; i += lanes) {
    // By way of local copies: the compiler does not know that v and the columns are apart.
    T part[lanes];
    GRIDLOOM_UNROLL
    for (int u = 0; u < lanes; ++u) part[u] = v[i + u];
    GRIDLOOM_UNROLL
    for (int c = 0; c < Columns; ++c) {
      T left[lanes];
      GRIDLOOM_UNROLL
      for (int u = 0; u < lanes; ++u) left[u] = tail[c][i + u] - z[c] * part[u];
      GRIDLOOM_UNROLL
      for (int u = 0; u < lanes; ++u) tail[c][i + u] = left[u];
    }
  }
  for (; i < n; ++i) {
    GRIDLOOM_UNROLL
    for (int c = 0; c < Columns; ++c) tail[c][i] -= z[c] * v[i];
  }
}

/// Calls `body.template operator()<C>(j)` for the columns first .. last - 1, C at a time from j on,
/// each by one thread.
template <thread_group Group, class Body>
GRIDLOOM_FN void for_columns(Group const& group, int first, int last, Body const& body) {
  constexpr int at_once = columns_at_once<Group>;
  int j = first + group.thread_rank() * at_once;
  if constexpr (at_once > 1) {
    for (; j + at_once <= last; j += group.num_threads() * at_once)
      body.template operator()<at_once>(j);
    for (; j < last; ++j) body.template operator()<1>(j);
  } else {
    for (; j < last; j += group.num_threads()) body.template operator()<1>(j);
  }
}

}  // namespace gridloom::tiled_qr
