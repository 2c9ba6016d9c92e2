#pragma once
// Atomic access with the memory order in the name, and no other way to touch shared words.
//
// Schedulers and queues take their accesses from a `Memory` object instead of calling atomics
// directly, so the same algorithm runs bare (`direct_memory`), counted (`access_counts` as hook) or
// under a test's own schedule. Scope is the device on CUDA and the process on the host.
//
// The `_in_batch` operations serve warps. On a GPU a fence costs about as much as an atomic
// operation, so a warp that releases 64 counters wants one fence, not 64. There they are relaxed
// and ordered by `batch_fence()` before and after; on the host, where the order is free, each is
// acquire-release by itself and the fence is empty (which also keeps ThreadSanitizer, blind to
// fences, able to check the code).

#include <atomic>

#include "gridloom/portable.hpp"

#if defined(__CUDACC__)
#include <cuda/atomic>
#endif

namespace gridloom {

/// What an access is to a hook; `compare_exchange` is counted apart from the other atomics, as
/// papers do.
enum class access { load, store, atomic, compare_exchange };

/// The hook that costs nothing.
struct no_hook {
  GRIDLOOM_FN void before(access, void const*) {}
};

namespace detail {

// std::memory_order in, so that one name serves both; cuda::std::memory_order has other
// enumerators' types.
#if defined(__CUDA_ARCH__)
template <class T>
using atomic_ref = cuda::atomic_ref<T, cuda::thread_scope_device>;
using order = cuda::std::memory_order;
namespace orders = cuda::std;
#else
template <class T>
using atomic_ref = std::atomic_ref<T>;
using order = std::memory_order;
namespace orders = std;
#endif

#if defined(__CUDA_ARCH__)
inline constexpr auto batched_load = orders::memory_order_relaxed;
inline constexpr auto batched_store = orders::memory_order_relaxed;
inline constexpr auto batched_update = orders::memory_order_relaxed;
#else
inline constexpr auto batched_load = orders::memory_order_acquire;
inline constexpr auto batched_store = orders::memory_order_release;
inline constexpr auto batched_update = orders::memory_order_acq_rel;
#endif

template <class T>
GRIDLOOM_FN T load(T const* p, order o) {
  return atomic_ref<T>(*const_cast<T*>(p)).load(o);
}
template <class T>
GRIDLOOM_FN void store(T* p, T v, order o) {
  atomic_ref<T>(*p).store(v, o);
}
template <class T>
GRIDLOOM_FN bool exchange_if(T* p, T expected, T desired, order o) {
  return atomic_ref<T>(*p).compare_exchange_strong(expected, desired, o,
                                                   orders::memory_order_relaxed);
}

/// The value before; written if it was `expected`.
template <class T>
GRIDLOOM_FN T exchange_if_acq_rel(T* p, T expected, T desired) {
  atomic_ref<T>(*p).compare_exchange_strong(expected, desired, orders::memory_order_acq_rel,
                                            orders::memory_order_acquire);
  return expected;
}

GRIDLOOM_FN inline void full_fence() {
#if defined(__CUDA_ARCH__)
  cuda::atomic_thread_fence(cuda::std::memory_order_seq_cst, cuda::thread_scope_device);
#elif defined(__SANITIZE_THREAD__)
  // ThreadSanitizer does not know fences; updates of one word are ordered all the same.
  static std::atomic<unsigned> turn{0};
  turn.fetch_add(1, std::memory_order_seq_cst);
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

}  // namespace detail

/// Access to shared words through a hook. Words are 32- or 64-bit integers at their natural
/// alignment. May be called by any number of threads at once on one word; the hook belongs to one
/// thread.
template <class Hook>
struct hooked_memory : Hook {
  using Hook::before;

  template <class T>
  GRIDLOOM_FN T load_relaxed(T const* p) {
    before(access::load, p);
    return detail::load(p, detail::orders::memory_order_relaxed);
  }
  template <class T>
  GRIDLOOM_FN T load_acquire(T const* p) {
    before(access::load, p);
    return detail::load(p, detail::orders::memory_order_acquire);
  }
  template <class T>
  GRIDLOOM_FN T load_in_batch(T const* p) {
    before(access::load, p);
    return detail::load(p, detail::batched_load);
  }
  template <class T>
  GRIDLOOM_FN void store_relaxed(T* p, T v) {
    before(access::store, p);
    detail::store(p, v, detail::orders::memory_order_relaxed);
  }
  template <class T>
  GRIDLOOM_FN void store_release(T* p, T v) {
    before(access::store, p);
    detail::store(p, v, detail::orders::memory_order_release);
  }
  template <class T>
  GRIDLOOM_FN void store_in_batch(T* p, T v) {
    before(access::store, p);
    detail::store(p, v, detail::batched_store);
  }
  /// All `fetch_` operations return the value before the change.
  template <class T>
  GRIDLOOM_FN T fetch_add_relaxed(T* p, T v) {
    before(access::atomic, p);
    return detail::atomic_ref<T>(*p).fetch_add(v, detail::orders::memory_order_relaxed);
  }
  template <class T>
  GRIDLOOM_FN T fetch_add_acq_rel(T* p, T v) {
    before(access::atomic, p);
    return detail::atomic_ref<T>(*p).fetch_add(v, detail::orders::memory_order_acq_rel);
  }
  template <class T>
  GRIDLOOM_FN T fetch_sub_relaxed(T* p, T v) {
    before(access::atomic, p);
    return detail::atomic_ref<T>(*p).fetch_sub(v, detail::orders::memory_order_relaxed);
  }
  template <class T>
  GRIDLOOM_FN T fetch_sub_acq_rel(T* p, T v) {
    before(access::atomic, p);
    return detail::atomic_ref<T>(*p).fetch_sub(v, detail::orders::memory_order_acq_rel);
  }
  template <class T>
  GRIDLOOM_FN T fetch_add_in_batch(T* p, T v) {
    before(access::atomic, p);
    return detail::atomic_ref<T>(*p).fetch_add(v, detail::batched_update);
  }
  template <class T>
  GRIDLOOM_FN T fetch_sub_in_batch(T* p, T v) {
    before(access::atomic, p);
    return detail::atomic_ref<T>(*p).fetch_sub(v, detail::batched_update);
  }
  /// Writes `desired` if the word holds `expected`; true if it did. The order holds on success;
  /// relaxed on failure.
  template <class T>
  [[nodiscard]] GRIDLOOM_FN bool compare_exchange_relaxed(T* p, T expected, T desired) {
    before(access::compare_exchange, p);
    return detail::exchange_if(p, expected, desired, detail::orders::memory_order_relaxed);
  }
  template <class T>
  [[nodiscard]] GRIDLOOM_FN bool compare_exchange_acquire(T* p, T expected, T desired) {
    before(access::compare_exchange, p);
    return detail::exchange_if(p, expected, desired, detail::orders::memory_order_acquire);
  }
  template <class T>
  [[nodiscard]] GRIDLOOM_FN bool compare_exchange_release(T* p, T expected, T desired) {
    before(access::compare_exchange, p);
    return detail::exchange_if(p, expected, desired, detail::orders::memory_order_release);
  }

  /// Load and store made by updates. For words in shared memory: compute-sanitizer's race check
  /// takes plain atomic loads and stores there for unordered ones, and knows updates.
  template <class T>
  [[nodiscard]] GRIDLOOM_FN T load_by_update(T* p) {
    before(access::load, p);
    return detail::exchange_if_acq_rel(p, T{0}, T{0});
  }
  template <class T>
  GRIDLOOM_FN void store_by_update(T* p, T v) {
    before(access::store, p);
    static_cast<void>(detail::atomic_ref<T>(*p).exchange(v, detail::orders::memory_order_acq_rel));
  }

  /// Writes `v` and returns what was there.
  template <class T>
  GRIDLOOM_FN T exchange_acq_rel(T* p, T v) {
    before(access::atomic, p);
    return detail::atomic_ref<T>(*p).exchange(v, detail::orders::memory_order_acq_rel);
  }

  /// Orders the `_in_batch` accesses before it against everything after it, and the other way
  /// round.
  GRIDLOOM_FN void batch_fence() {
#if defined(__CUDA_ARCH__)
    cuda::atomic_thread_fence(cuda::std::memory_order_acq_rel, cuda::thread_scope_device);
#endif
  }

  /// Orders everything before it against everything after it, as seen by all threads that call it:
  /// for two that each write a word and then read the other's.
  GRIDLOOM_FN void full_fence() { detail::full_fence(); }
};

/// The accesses themselves, nothing added.
using direct_memory = hooked_memory<no_hook>;

/// Hook that counts accesses of the thread that owns it.
struct access_counts {
  std::uint64_t loads = 0;
  std::uint64_t stores = 0;
  std::uint64_t atomics = 0;  ///< without compare-and-swap
  std::uint64_t compare_exchanges = 0;

  GRIDLOOM_FN void before(access kind, void const*) {
    loads += kind == access::load;
    stores += kind == access::store;
    atomics += kind == access::atomic;
    compare_exchanges += kind == access::compare_exchange;
  }
};

}  // namespace gridloom
