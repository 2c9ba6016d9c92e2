#pragma once
// One Householder reflector: made from a column, and applied to columns (report, I.B and Algorithm
// 3).
//
// H = I - tau (1; v) (1; v)^T, with v = x / v_1 as in equation (2). So the first element is 1 and
// is not stored. tau = 2 / (v^T v) is stored; the report computes it again from v at each use.
//
// Two departures. First, elements are divided by the largest one before their squares are added, so
// that no square overflows or vanishes. tau is computed from the same quotients, because it does
// not depend on the column's length. Second, sign(0) is 1. With the usual 0, a column that begins
// with 0 would not be reduced.
//
// The division also serves columns that depend on each other. What is left of such a column is
// about epsilon times what was left of the previous one. After some twenty columns the lengths are
// denormal numbers of few bits. H must be orthogonal even then. With the division, only beta (an
// entry of R) is rounded to a denormal number, and v and tau still match.

#include <cmath>
#include <concepts>
#include <limits>

#include "gridloom/collectives.hpp"
#include "gridloom/group.hpp"

namespace gridloom::tiled_qr {

/// Shared memory in which the threads of a group compute norms.
template <class T>
using norm_scratch = collective_scratch<T, 256>;

/// Consecutive elements that one thread processes at once: a cache line of the host. Their
/// independent sums hide the latency of a GPU, and fill the host's vector units
/// (host_operations.cpp).
template <class T>
struct plain_pack {
  static constexpr int size = static_cast<int>(64 / sizeof(T));
  T elements[size] = {};

  GRIDLOOM_FN void load(T const* from) {
    GRIDLOOM_UNROLL
    for (int u = 0; u < size; ++u) elements[u] = from[u];
  }
  GRIDLOOM_FN void store(T* to) const {
    GRIDLOOM_UNROLL
    for (int u = 0; u < size; ++u) to[u] = elements[u];
  }
  GRIDLOOM_FN void add_product(plain_pack const& a, plain_pack const& b) {
    GRIDLOOM_UNROLL
    for (int u = 0; u < size; ++u) elements[u] += a.elements[u] * b.elements[u];
  }
  GRIDLOOM_FN void subtract_product(T z, plain_pack const& a) {
    GRIDLOOM_UNROLL
    for (int u = 0; u < size; ++u) elements[u] -= z * a.elements[u];
  }
  GRIDLOOM_FN T sum() {
    GRIDLOOM_UNROLL
    for (int width = size / 2; width > 0; width /= 2) {
      GRIDLOOM_UNROLL
      for (int u = 0; u < width; ++u) elements[u] += elements[u + width];
    }
    return elements[0];
  }
};

/// How the threads of a group share the work on a column.
template <class Group>
struct column_work {
  template <class T>
  using pack = plain_pack<T>;
  /// Number of columns that one thread updates together, with one load of each element of the
  /// vector.
  static constexpr int columns = 1;
};

/// The least normal number. If the column's largest element is smaller, the length of the column
/// has few bits.
template <class T>
inline constexpr T least_normal = std::numeric_limits<T>::min();

/// Makes the reflector that maps (alpha; x) to (beta; 0). alpha becomes beta, and x becomes v.
/// Returns tau to all threads: 0 if x is 0 already, and then nothing changes. `x` has `n` elements.
/// Called by all threads of the group, after a sync; ends with a sync.
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
  // The first element and the norm are divided by the largest element here.
  T const part = first / largest;
  T const norm = std::sqrt(squares + part * part);
  T const reduced = first < T{0} ? norm : -norm;
  // Waits until all threads have read alpha.
  group.sync();
  if (rank == 0) alpha = largest * reduced;
  if (largest >= least_normal<T>) {
    // Not computed as alpha - beta: a compiler may or may not round the product in beta, so the
    // bits would differ between kernels.
    T const pivot = largest * (part - reduced);
    for (int i = rank; i < n; i += size) x[i] /= pivot;
  } else {
    for (int i = rank; i < n; i += size) x[i] = x[i] / largest / (part - reduced);
  }
  group.sync();
  return (reduced - part) / reduced;
}

/// Applies H to `Columns` columns, each given by its first element and the rest, with one thread
/// and no sync.
template <class Pack, int Columns, class T>
GRIDLOOM_FN void apply_reflector(T const* v, int n, T tau, T* const (&head)[Columns],
                                 T* const (&tail)[Columns]) {
  Pack part;
  Pack column;
  Pack sums[Columns];
  int i = 0;
  for (; i + Pack::size <= n; i += Pack::size) {
    part.load(v + i);
    GRIDLOOM_UNROLL
    for (int c = 0; c < Columns; ++c) {
      column.load(tail[c] + i);
      sums[c].add_product(part, column);
    }
  }
  T z[Columns];
  GRIDLOOM_UNROLL
  for (int c = 0; c < Columns; ++c) {
    T rest = 0;
    for (int r = i; r < n; ++r) rest += v[r] * tail[c][r];
    z[c] = tau * (*head[c] + (sums[c].sum() + rest));
    *head[c] -= z[c];
  }
  for (i = 0; i + Pack::size <= n; i += Pack::size) {
    part.load(v + i);
    GRIDLOOM_UNROLL
    for (int c = 0; c < Columns; ++c) {
      column.load(tail[c] + i);
      column.subtract_product(z[c], part);
      column.store(tail[c] + i);
    }
  }
  for (; i < n; ++i) {
    GRIDLOOM_UNROLL
    for (int c = 0; c < Columns; ++c) tail[c][i] -= z[c] * v[i];
  }
}

/// Distributes columns first to last - 1 among the threads. Each call body.template
/// operator()<C>(j) covers the C columns from j on.
template <thread_group Group, class Body>
GRIDLOOM_FN void for_columns(Group const& group, int first, int last, Body const& body) {
  constexpr int at_once = column_work<Group>::columns;
  static_assert(at_once == 1 || std::derived_from<Group, thread_of_one>, "what is left over");
  int j = first + group.thread_rank() * at_once;
  if constexpr (at_once > 1) {
    for (; j + at_once <= last; j += group.num_threads() * at_once)
      body.template operator()<at_once>(j);
  }
  for (; j < last; j += group.num_threads()) body.template operator()<1>(j);
}

}  // namespace gridloom::tiled_qr
