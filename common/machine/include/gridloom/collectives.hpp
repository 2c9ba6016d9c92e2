#pragma once
// Operations of a whole group: reduce and any.
//
// All groups have the same interface. Groups of at most 32 threads exchange numbers in registers
// and do not use the scratch. All other groups use the scratch (shared memory) and synchronise at
// each step. This is slower than CUB's two levels of warp and block, but it works for every group
// that can synchronise, including partial warps and tiles.

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "gridloom/atomic.hpp"
#include "gridloom/group.hpp"

namespace gridloom {

/// Memory in which the threads of one group exchange values. Each group needs its own. For example,
/// a kernel needs one per warp if its warps call collectives with a type that does not fit
/// registers. `MaxThreads` is the largest size of the group. A smaller value saves shared memory.
template <class T, int MaxThreads = 1024>
struct collective_scratch {
  static_assert(std::is_trivially_copyable_v<T> && MaxThreads >= 1);
  T values[MaxThreads];
  std::uint32_t flag;
};

/// Operators for both machines, because those of the standard library are host functions.
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
/// Whether the hardware can shuffle the type directly.
template <class Group, class T>
inline constexpr bool in_registers = warp_group<Group>&& std::is_arithmetic_v<T> &&
                                     (sizeof(T) == 4 || sizeof(T) == 8);
/// Whether the hardware can reduce the type in one instruction.
template <class Group, class T, class Op>
inline constexpr bool in_hardware =
    std::same_as<T, std::uint32_t>&& std::same_as<Op, minimum_of>&& requires(Group const group,
                                                                             T value) {
  group.minimum(value);
};
}  // namespace detail

/// Combines the values of all threads by `op` in the order of their ranks, and returns the result
/// to all threads. `op` must be associative but need not be commutative. Floating-point sums differ
/// from serial ones in the last digits. Called by all threads of the group. Orders their accesses
/// like `sync()`, unless the group is a warp. The scratch may be reused at once. Cost: log2(n)
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
    // All threads must have read the result before the scratch is written again.
    group.sync();
    return result;
  }
}

/// Returns to all threads whether any of them passed true. The scratch may be of any type.
/// Otherwise the contract is the same as for `reduce`. Cost: a vote, or three syncs.
template <thread_group Group, class T, int MaxThreads>
[[nodiscard]] GRIDLOOM_FN bool any(Group const& group, collective_scratch<T, MaxThreads>& scratch,
                                   bool predicate) {
  if constexpr (warp_group<Group>) {
    return group.any(predicate);
  } else {
    // Several threads may set the flag at once.
    direct_memory memory;
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
