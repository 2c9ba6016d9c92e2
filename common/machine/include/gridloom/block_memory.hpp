#pragma once
// Atomic access to words in a block's shared memory.
//
// The scope is the block. With device scope, each access would wait for all earlier writes of its
// thread to global memory. Loads and stores are implemented as updates, because the race check of
// compute-sanitizer treats atomic loads and stores of shared memory as unordered. On the host a
// block is one thread, so relaxed updates are plain accesses.

#include <atomic>
#include <type_traits>

#include "gridloom/portable.hpp"

#if defined(__CUDACC__)
#include <cuda/atomic>
#endif

namespace gridloom {

namespace detail {
#if defined(__CUDA_ARCH__)
template <class T>
using block_atomic_ref = cuda::atomic_ref<T, cuda::thread_scope_block>;
namespace block_orders = cuda::std;
#else
template <class T>
using block_atomic_ref = std::atomic_ref<T>;
namespace block_orders = std;
#endif
#if defined(__CUDA_ARCH__)
// The word types that CUDA's own functions take.
template <class T>
using word_of = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned int>;
template <class T>
GRIDLOOM_FN word_of<T>* as_word(T* p) {
  return reinterpret_cast<word_of<T>*>(p);
}
#endif

}  // namespace detail

/// Words are 32- or 64-bit integers. A thread that acquires a word also sees what the releasing
/// thread had seen of other blocks.
struct block_memory {
  template <class T>
  [[nodiscard]] GRIDLOOM_FN T load_acquire(T* p) {
    return exchange_if_acquire(p, T{0}, T{0});
  }
  template <class T>
  GRIDLOOM_FN void store_release(T* p, T v) {
    static_cast<void>(
        detail::block_atomic_ref<T>(*p).exchange(v, detail::block_orders::memory_order_release));
  }
  /// This function and those below return the old value.
  template <class T>
  GRIDLOOM_FN T exchange_acquire(T* p, T v) {
    return detail::block_atomic_ref<T>(*p).exchange(v, detail::block_orders::memory_order_acquire);
  }
  /// Writes `desired` if the word holds `expected`. Acquires whether it writes or not.
  template <class T>
  GRIDLOOM_FN T exchange_if_acquire(T* p, T expected, T desired) {
    detail::block_atomic_ref<T>(*p).compare_exchange_strong(
        expected, desired, detail::block_orders::memory_order_acquire,
        detail::block_orders::memory_order_acquire);
    return expected;
  }
  /// Writes `desired` if the word holds `expected`. Releases if it writes.
  template <class T>
  GRIDLOOM_FN T exchange_if_release(T* p, T expected, T desired) {
    detail::block_atomic_ref<T>(*p).compare_exchange_strong(
        expected, desired, detail::block_orders::memory_order_release,
        detail::block_orders::memory_order_relaxed);
    return expected;
  }
  template <class T>
  GRIDLOOM_FN T fetch_add_relaxed(T* p, T v) {
#if defined(__CUDA_ARCH__)
    // libcu++'s operations do not use the fact that the address is in shared memory.
    return static_cast<T>(atomicAdd(detail::as_word(p), static_cast<detail::word_of<T>>(v)));
#else
    T const before = *p;
    *p = before + v;
    return before;
#endif
  }
  template <class T>
  GRIDLOOM_FN T fetch_add_release(T* p, T v) {
    return detail::block_atomic_ref<T>(*p).fetch_add(v, detail::block_orders::memory_order_release);
  }
  template <class T>
  GRIDLOOM_FN T fetch_sub_relaxed(T* p, T v) {
    return detail::block_atomic_ref<T>(*p).fetch_sub(v, detail::block_orders::memory_order_relaxed);
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
