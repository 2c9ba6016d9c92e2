#pragma once
// Operations of a whole group: reduce, inclusive scan, broadcast, any.
//
// One interface for every group. Groups of at most 32 threads exchange numbers in registers and
// leave the scratch alone; all others meet in the scratch (shared memory) with a sync a step. That
// is slower than the two levels of warp and block that CUB has, but right for every group that can
// only sync, partial warps and tiles included. Code that lives off the speed of a block-wide scan
// takes CUB's.

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "gridloom/atomic.hpp"
#include "gridloom/group.hpp"

namespace gridloom {

/// Where the threads of one group meet. Each group needs one of its own: a kernel that calls
/// collectives of its warps with a type that does not fit registers keeps one a warp. A kernel with
/// small blocks saves shared memory by a smaller `MaxThreads`; the group must not be larger.
template <class T, int MaxThreads = 1024>
struct collective_scratch {
  static_assert(std::is_trivially_copyable_v<T> && MaxThreads >= 1);
  T values[MaxThreads];
  std::uint32_t flag;
};

/// Operators that work on both machines; the standard library's are host functions.
struct sum_of {
  template <class T>
  GRIDLOOM_FN T operator()(T a, T b) const {
    return a + b;
  }
};
struct minimum_of {
  template <class T>
  GRIDLOOM_FN T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct maximum_of {
  template <class T>
  GRIDLOOM_FN T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};

namespace detail {
/// Whether the hardware's shuffle takes the type as it is.
template <class Group, class T>
inline constexpr bool in_registers = warp_group<Group>&& std::is_arithmetic_v<T> &&
                                     (sizeof(T) == 4 || sizeof(T) == 8);
/// Whether the hardware reduces it in one instruction.
template <class Group, class T, class Op>
inline constexpr bool in_hardware =
    std::same_as<T, std::uint32_t>&& std::same_as<Op, minimum_of>&& requires(Group const group,
                                                                             T value) {
  group.minimum(value);
};
}  // namespace detail

/// `value` of all threads, combined by `op` in the order of their ranks; all threads get the
/// result. `op` is associative, and need not be commutative; floating-point sums differ from serial
/// ones in the last digits. Called by all threads of the group, which order their accesses by it as
/// by `sync()` unless the group is a warp. The scratch may be used again at once. Cost: log2(n)
/// shuffles or syncs.
template <thread_group Group, class T, int MaxThreads, class Op>
[[nodiscard]] GRIDLOOM_FN T reduce(Group const& group, collective_scratch<T, MaxThreads>& scratch,
                                   std::type_identity_t<T> value, Op op) {
  int const rank = group.thread_rank();
  int const n = group.num_threads();
  if constexpr (detail::in_hardware<Group, T, Op>) {
    return group.minimum(value);
  } else if constexpr (detail::in_registers<Group, T>) {
    for (int stride = 1; stride < n; stride *= 2) {
      int const from = rank + stride;
      T const other = group.shuffle(value, from < n ? from : rank);
      if (rank % (2 * stride) == 0 && from < n) value = op(value, other);
    }
    return group.shuffle(value, 0);
  } else {
    scratch.values[rank] = value;
    group.sync();
    for (int stride = 1; stride < n; stride *= 2) {
      if (rank % (2 * stride) == 0 && rank + stride < n) {
        scratch.values[rank] = op(scratch.values[rank], scratch.values[rank + stride]);
      }
      group.sync();
    }
    T const result = scratch.values[0];
    group.sync();  // nobody may write the scratch again before all have read
    return result;
  }
}

/// `value` of the threads of rank 0 up to and including the caller's, combined by `op` in the order
/// of their ranks. `op`, callers, order, scratch: as in `reduce`. Cost: log2(n) shuffles, or 2
/// log2(n) syncs.
template <thread_group Group, class T, int MaxThreads, class Op>
[[nodiscard]] GRIDLOOM_FN T inclusive_scan(Group const& group,
                                           collective_scratch<T, MaxThreads>& scratch,
                                           std::type_identity_t<T> value, Op op) {
  int const rank = group.thread_rank();
  int const n = group.num_threads();
  if constexpr (detail::in_registers<Group, T>) {
    for (int stride = 1; stride < n; stride *= 2) {
      T const left = group.shuffle(value, rank >= stride ? rank - stride : rank);
      if (rank >= stride) value = op(left, value);
    }
  } else {
    scratch.values[rank] = value;
    group.sync();
    for (int stride = 1; stride < n; stride *= 2) {
      if (rank >= stride) value = op(scratch.values[rank - stride], value);
      group.sync();
      scratch.values[rank] = value;
      group.sync();
    }
  }
  return value;
}

/// `value` of the thread of rank `root`; all threads pass the same `root`, and get the value.
/// Callers, order, scratch: as in `reduce`. Cost: a shuffle, or two syncs.
template <thread_group Group, class T, int MaxThreads>
[[nodiscard]] GRIDLOOM_FN T broadcast(Group const& group,
                                      collective_scratch<T, MaxThreads>& scratch,
                                      std::type_identity_t<T> value, int root) {
  if constexpr (detail::in_registers<Group, T>) {
    return group.shuffle(value, root);
  } else {
    if (group.thread_rank() == root) scratch.values[0] = value;
    group.sync();
    T const result = scratch.values[0];
    group.sync();
    return result;
  }
}

/// Whether any thread passed true; all threads get the answer. The scratch may be of any type.
/// Callers, order, scratch: as in `reduce`. Cost: a vote, or three syncs.
template <thread_group Group, class T, int MaxThreads>
[[nodiscard]] GRIDLOOM_FN bool any(Group const& group, collective_scratch<T, MaxThreads>& scratch,
                                   bool predicate) {
  if constexpr (warp_group<Group>) {
    return group.any(predicate);
  } else {
    direct_memory memory;  // many may raise the flag at once
    if (group.thread_rank() == 0) memory.store_relaxed(&scratch.flag, 0U);
    group.sync();
    if (predicate) memory.store_relaxed(&scratch.flag, 1U);
    group.sync();
    bool const result = memory.load_relaxed(&scratch.flag) != 0;
    group.sync();
    return result;
  }
}

}  // namespace gridloom
