#pragma once
// Atomic access to words in a block's shared memory.
//
// The scope is the block. With device scope, each access would wait for all earlier writes of its
// thread to global memory. Loads and stores are implemented as updates, because the race check of
// compute-sanitizer treats atomic loads and stores of shared memory as unordered. On the host a
// block is one thread, so accesses are plain. Relaxed updates may also be of global memory that only
// the block uses.

#include <type_traits>

#include "gridloom/portable.hpp"

#if defined(__CUDACC__)
#include <cuda/atomic>
#endif

namespace gridloom {

namespace detail {

#if defined(__CUDA_ARCH__)

// The word types that CUDA's own functions take.
template <class T>
using word_of = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned int>;
template <class T>
GRIDLOOM_FN word_of<T>* as_word(T* p) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  return reinterpret_cast<word_of<T>*>(p);
}
// libcu++ takes generic addresses, for which an update of 64 bits in shared memory is a branch and
// three accesses.
#define GRIDLOOM_BLOCK_EXCHANGES(order, word, bits, reg)                               \
  GRIDLOOM_FN inline word block_exchange_##order(word* p, word v) {                    \
    word before;                                                                       \
    asm volatile("atom." #order ".cta.shared.exch." bits " %0, [%1], %2;"              \
                 : "=" reg(before)                                                     \
                 : "l"(__cvta_generic_to_shared(p)), reg(v)                            \
                 : "memory");                                                          \
    return before;                                                                     \
  }                                                                                    \
  GRIDLOOM_FN inline word block_exchange_if_##order(word* p, word expected, word to) { \
    word before;                                                                       \
    asm volatile("atom." #order ".cta.shared.cas." bits " %0, [%1], %2, %3;"           \
                 : "=" reg(before)                                                     \
                 : "l"(__cvta_generic_to_shared(p)), reg(expected), reg(to)            \
                 : "memory");                                                          \
    return before;                                                                     \
  }
GRIDLOOM_BLOCK_EXCHANGES(acquire, unsigned int, "b32", "r")
GRIDLOOM_BLOCK_EXCHANGES(release, unsigned int, "b32", "r")
GRIDLOOM_BLOCK_EXCHANGES(acquire, unsigned long long, "b64", "l")
GRIDLOOM_BLOCK_EXCHANGES(release, unsigned long long, "b64", "l")
#undef GRIDLOOM_BLOCK_EXCHANGES

#else

template <class T>
using word_of = T;
template <class T>
T* as_word(T* p) {
  return p;
}
template <class T>
T block_exchange_acquire(T* p, T v) {
  T const before = *p;
  *p = v;
  return before;
}
template <class T>
T block_exchange_release(T* p, T v) {
  return block_exchange_acquire(p, v);
}
template <class T>
T block_exchange_if_acquire(T* p, T expected, T to) {
  T const before = *p;
  if (before == expected) *p = to;
  return before;
}
template <class T>
T block_exchange_if_release(T* p, T expected, T to) {
  return block_exchange_if_acquire(p, expected, to);
}

#endif

}  // namespace detail

/// Words are 32- or 64-bit integers. A thread that acquires a word also sees what the releasing
/// thread had seen of other blocks.
struct block_memory {
  template <class T>
  using word = detail::word_of<T>;

  template <class T>
  [[nodiscard]] GRIDLOOM_FN T load_acquire(T* p) {
    return exchange_if_acquire(p, T{0}, T{0});
  }
  template <class T>
  GRIDLOOM_FN void store_release(T* p, T v) {
    static_cast<void>(detail::block_exchange_release(detail::as_word(p), static_cast<word<T>>(v)));
  }
  /// This function and those below return the old value.
  template <class T>
  GRIDLOOM_FN T exchange_acquire(T* p, T v) {
    return static_cast<T>(
        detail::block_exchange_acquire(detail::as_word(p), static_cast<word<T>>(v)));
  }
  /// Writes `desired` if the word holds `expected`. Acquires whether it writes or not.
  template <class T>
  GRIDLOOM_FN T exchange_if_acquire(T* p, T expected, T desired) {
    return static_cast<T>(detail::block_exchange_if_acquire(
        detail::as_word(p), static_cast<word<T>>(expected), static_cast<word<T>>(desired)));
  }
  /// Writes `desired` if the word holds `expected`. Releases if it writes.
  template <class T>
  GRIDLOOM_FN T exchange_if_release(T* p, T expected, T desired) {
    return static_cast<T>(detail::block_exchange_if_release(
        detail::as_word(p), static_cast<word<T>>(expected), static_cast<word<T>>(desired)));
  }
  template <class T>
  GRIDLOOM_FN T fetch_add_relaxed(T* p, T v) {
#if defined(__CUDA_ARCH__)
    return static_cast<T>(atomicAdd(detail::as_word(p), static_cast<detail::word_of<T>>(v)));
#else
    T const before = *p;
    *p = before + v;
    return before;
#endif
  }
  template <class T>
  GRIDLOOM_FN T fetch_add_release(T* p, T v) {
#if defined(__CUDA_ARCH__)
    cuda::atomic_thread_fence(cuda::std::memory_order_release, cuda::thread_scope_block);
#endif
    return fetch_add_relaxed(p, v);
  }
  template <class T>
  GRIDLOOM_FN T fetch_sub_relaxed(T* p, T v) {
    return fetch_add_relaxed(p, static_cast<T>(T{0} - v));
  }
  template <class T>
  GRIDLOOM_FN T fetch_or_relaxed(T* p, T v) {
#if defined(__CUDA_ARCH__)
    return static_cast<T>(atomicOr(detail::as_word(p), static_cast<detail::word_of<T>>(v)));
#else
    T const before = *p;
    *p = before | v;
    return before;
#endif
  }
  template <class T>
  GRIDLOOM_FN T fetch_max_relaxed(T* p, T v) {
#if defined(__CUDA_ARCH__)
    return static_cast<T>(atomicMax(detail::as_word(p), static_cast<detail::word_of<T>>(v)));
#else
    T const before = *p;
    if (before < v) *p = v;
    return before;
#endif
  }
  /// If two threads each write a word, call this, and read the other's word, at least one of them
  /// sees the other's write.
  GRIDLOOM_FN void full_fence() {
#if defined(__CUDA_ARCH__)
    cuda::atomic_thread_fence(cuda::std::memory_order_seq_cst, cuda::thread_scope_block);
#endif
  }
};

}  // namespace gridloom
