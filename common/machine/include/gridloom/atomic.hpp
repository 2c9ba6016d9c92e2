#pragma once
// Atomic access to shared words, with the memory order in the name of each operation.
//
// Schedulers and queues get a `Memory` object and access shared words only through it. So the same
// algorithm can run plainly (`direct_memory`), count its accesses (hook `access_counts`), or follow
// the schedule of a test. The scope is the device on CUDA and the process on the host.
//
// The `_in_batch` operations are for warps. On a GPU a fence costs about as much as an atomic
// operation. So a warp that releases 64 counters should pay for one fence, not for 64. On a GPU
// these operations are relaxed, and a `batch_fence()` before and after orders them. On the host,
// where the order costs nothing, each operation acquires and releases, and the fence is empty. So
// ThreadSanitizer, which ignores fences, can check the code.

#include <atomic>
#include <cstring>
#include <type_traits>

#include "gridloom/portable.hpp"
#include "gridloom/tagged.hpp"

#if defined(__CUDACC__)
#include <cuda/atomic>
#endif

namespace gridloom {

/// The kind of an access, for hooks. The papers count compare-and-swap apart from other atomics.
enum class access { load, store, atomic, compare_exchange };

/// A hook that does nothing and costs nothing.
struct no_hook {
  GRIDLOOM_FN void before(access, void const*) {}
};

namespace detail {

// A common name is needed because the enumerators of cuda::std::memory_order have other types than
// those of std::memory_order.
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
inline constexpr auto acquiring_update = orders::memory_order_acquire;
#else
inline constexpr auto batched_load = orders::memory_order_acquire;
inline constexpr auto batched_store = orders::memory_order_release;
inline constexpr auto batched_update = orders::memory_order_acq_rel;
inline constexpr auto acquiring_update = orders::memory_order_acq_rel;
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

/// Adds, with the order `o`: relaxed, or that of `_in_batch`. These are the same on a GPU.
template <class T>
GRIDLOOM_FN T add(T* p, T v, [[maybe_unused]] order o) {
#if defined(__CUDA_ARCH__)
  // libcu++'s operation does not use what the compiler knows about the address.
  using word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned int>;
  return static_cast<T>(atomicAdd(reinterpret_cast<word*>(p), static_cast<word>(v)));
#else
  return atomic_ref<T>(*p).fetch_add(v, o);
#endif
}

/// Relaxed minimum and maximum. The standard's atomic_ref has them only from C++26 on.
template <class T>
GRIDLOOM_FN T lower_to(T* p, T v) {
#if defined(__CUDA_ARCH__)
  return atomic_ref<T>(*p).fetch_min(v, orders::memory_order_relaxed);
#else
  atomic_ref<T> word(*p);
  T seen = word.load(orders::memory_order_relaxed);
  while (v < seen && !word.compare_exchange_weak(seen, v, orders::memory_order_relaxed)) {
  }
  return seen;
#endif
}
template <class T>
GRIDLOOM_FN T raise_to(T* p, T v) {
#if defined(__CUDA_ARCH__)
  return atomic_ref<T>(*p).fetch_max(v, orders::memory_order_relaxed);
#else
  atomic_ref<T> word(*p);
  T seen = word.load(orders::memory_order_relaxed);
  while (seen < v && !word.compare_exchange_weak(seen, v, orders::memory_order_relaxed)) {
  }
  return seen;
#endif
}

// Calls update(n) in one of the n threads of a warp that call this function together with the same
// p. Each thread gets the value as if they had subtracted 1 one after the other, and sees what the
// others wrote before.
template <class T, class Update>
GRIDLOOM_FN T subtract_together([[maybe_unused]] T* p, Update const& update) {
#if defined(__CUDA_ARCH__)
  unsigned const lane = threadIdx.x & 31U;
  unsigned const together = __match_any_sync(__activemask(), reinterpret_cast<std::uintptr_t>(p));
  int const first = __ffs(static_cast<int>(together)) - 1;
  T before{};
  __syncwarp(together);
  if (static_cast<int>(lane) == first) before = update(static_cast<T>(__popc(together)));
  before = __shfl_sync(together, before, first);
  __syncwarp(together);
  return before - static_cast<T>(__popc(together & ((1U << lane) - 1U)));
#else
  return update(T{1});
#endif
}

/// Writes `desired` if the word holds `expected`. Returns the old value.
template <class T>
GRIDLOOM_FN T exchange_if_acquire(T* p, T expected, T desired) {
  atomic_ref<T>(*p).compare_exchange_strong(expected, desired, orders::memory_order_acquire,
                                            orders::memory_order_relaxed);
  return expected;
}
template <class T>
GRIDLOOM_FN T exchange_if_batched(T* p, T expected, T desired) {
#if defined(__CUDA_ARCH__)
  // libcu++'s operation would wait for the old value in order to compare it.
  using word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned int>;
  return static_cast<T>(atomicCAS(reinterpret_cast<word*>(p), static_cast<word>(expected),
                                  static_cast<word>(desired)));
#else
  atomic_ref<T>(*p).compare_exchange_strong(expected, desired, batched_update, batched_load);
  return expected;
#endif
}

// Loads a slot of 8 or 16 bytes in one access. For 16 bytes, libcu++ of CUDA 13.0 is broken.
#if defined(__CUDA_ARCH__)
#define GRIDLOOM_LOAD_WHOLE(order)                                                                 \
  if constexpr (sizeof(slot) == 8) {                                                               \
    asm volatile("ld." order ".gpu.b64 %0, [%1];" : "=l"(halves[0]) : "l"(p) : "memory");          \
  } else {                                                                                         \
    asm volatile("{ .reg .b128 both; ld." order ".gpu.b128 both, [%2]; mov.b128 {%0, %1}, both; }" \
                 : "=l"(halves[0]), "=l"(halves[1])                                                \
                 : "l"(p)                                                                          \
                 : "memory");                                                                      \
  }
#else
#define GRIDLOOM_LOAD_WHOLE(order) static_cast<void>(p)
#endif
template <class T>
GRIDLOOM_FN tagged<T> load_whole_relaxed(tagged<T> const* p) {
  tagged<T> slot;
  std::uint64_t halves[2] = {};
  GRIDLOOM_LOAD_WHOLE("relaxed");
  memcpy(&slot, halves, sizeof(slot));
  return slot;
}
template <class T, class Tag>
GRIDLOOM_FN tagged<T, Tag> load_whole_acquire(tagged<T, Tag> const* p) {
  tagged<T, Tag> slot;
  std::uint64_t halves[2] = {};
  GRIDLOOM_LOAD_WHOLE("acquire");
  memcpy(&slot, halves, sizeof(slot));
  return slot;
}
#undef GRIDLOOM_LOAD_WHOLE
template <class T, class Tag>
GRIDLOOM_FN void store_whole([[maybe_unused]] tagged<T, Tag>* p,
                             [[maybe_unused]] tagged<T, Tag> const& slot) {
#if defined(__CUDA_ARCH__)
  std::uint64_t halves[2] = {};
  memcpy(halves, &slot, sizeof(slot));
  if constexpr (sizeof(slot) == 8) {
    asm volatile("st.relaxed.gpu.b64 [%0], %1;" ::"l"(p), "l"(halves[0]) : "memory");
  } else {
    asm volatile(
        "{ .reg .b128 both; mov.b128 both, {%1, %2}; st.relaxed.gpu.b128 [%0], both; }" ::"l"(p),
        "l"(halves[0]), "l"(halves[1])
        : "memory");
  }
#endif
}

template <class T>
GRIDLOOM_FN bool has_tag(tagged<T> const* p, std::uint32_t tag) {
  if constexpr (one_access<T>) {
    return load_whole_relaxed(p).tag == tag;
  } else {
    return load(&p->tag, orders::memory_order_acquire) == tag;
  }
}
template <class T>
GRIDLOOM_FN bool get_tagged(tagged<T> const* p, std::uint32_t tag, T& value) {
  if constexpr (one_access<T>) {
    tagged<T> const seen = load_whole_acquire(p);
    value = seen.value;
    return seen.tag == tag;
  } else {
    if (load(&p->tag, orders::memory_order_acquire) != tag) return false;
    value = p->value;
    return true;
  }
}
template <class T, class Tag, class Accepts>
GRIDLOOM_FN bool get_tagged_if(tagged<T, Tag> const* p, Accepts const& accepts,
                               tagged<T, Tag>& seen) {
  if constexpr (one_access<T, Tag>) {
    seen = load_whole_acquire(p);
    return accepts(seen.tag);
  } else {
    seen.tag = load(&p->tag, orders::memory_order_acquire);
    if (!accepts(seen.tag)) return false;
    seen.value = p->value;
    return true;
  }
}
template <class T>
GRIDLOOM_FN bool get_tagged_alone(tagged<T> const* p, std::uint32_t tag, T& value) {
  if constexpr (one_access<T>) {
    tagged<T> const seen = load_whole_relaxed(p);
    value = seen.value;
    return seen.tag == tag;
  } else {
    return get_tagged(p, tag, value);
  }
}
template <class T>
GRIDLOOM_FN std::uint32_t read_tagged_alone(tagged<T> const* p, T& value) {
  if constexpr (one_access<T>) {
    tagged<T> const seen = load_whole_relaxed(p);
    value = seen.value;
    return seen.tag;
  } else {
    std::uint32_t const tag = load(&p->tag, orders::memory_order_acquire);
    if (tag != 0) value = p->value;
    return tag;
  }
}
template <class T, class Tag>
GRIDLOOM_FN void put_tagged(tagged<T, Tag>* p, std::type_identity_t<Tag> tag, T const& value) {
  if constexpr (one_access<T, Tag>) {
    store_whole(p, {tag, value});
  } else {
    p->value = value;
    store(&p->tag, tag, orders::memory_order_release);
  }
}
template <class T>
GRIDLOOM_FN void free_tagged(tagged<T>* p, std::uint32_t tag, [[maybe_unused]] T const& value) {
  if constexpr (one_access<T>) {
    store_whole(p, {tag, value});
  } else {
    store(&p->tag, tag, orders::memory_order_release);
  }
}

GRIDLOOM_FN inline void full_fence() {
#if defined(__CUDA_ARCH__)
  cuda::atomic_thread_fence(cuda::std::memory_order_seq_cst, cuda::thread_scope_device);
#elif defined(__SANITIZE_THREAD__)
  // ThreadSanitizer ignores fences, but it knows that updates of one word are ordered.
  static std::atomic<unsigned> turn{0};
  turn.fetch_add(1, std::memory_order_seq_cst);
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

}  // namespace detail

/// Access to shared words through a hook. Words are 32- or 64-bit integers at their natural
/// alignment. Any number of threads may access one word at once. The hook belongs to one thread.
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
  /// Each `fetch_` operation returns the value before the change.
  template <class T>
  GRIDLOOM_FN T fetch_add_relaxed(T* p, T v) {
    before(access::atomic, p);
    return detail::add(p, v, detail::orders::memory_order_relaxed);
  }
  template <class T>
  GRIDLOOM_FN T fetch_add_acquire(T* p, T v) {
    before(access::atomic, p);
    return detail::atomic_ref<T>(*p).fetch_add(v, detail::orders::memory_order_acquire);
  }
  template <class T>
  GRIDLOOM_FN T fetch_add_acq_rel(T* p, T v) {
    before(access::atomic, p);
    return detail::atomic_ref<T>(*p).fetch_add(v, detail::orders::memory_order_acq_rel);
  }
  template <class T>
  GRIDLOOM_FN T fetch_sub_relaxed(T* p, T v) {
    before(access::atomic, p);
    return detail::add(p, static_cast<T>(T{0} - v), detail::orders::memory_order_relaxed);
  }
  template <class T>
  GRIDLOOM_FN T fetch_sub_acq_rel(T* p, T v) {
    before(access::atomic, p);
    return detail::atomic_ref<T>(*p).fetch_sub(v, detail::orders::memory_order_acq_rel);
  }
  /// Subtracts 1. Threads of a warp that do so together share one access to the same word.
  template <class T>
  GRIDLOOM_FN T decrement_acq_rel(T* p) {
    before(access::atomic, p);
    return detail::subtract_together(p, [&](T n) {
      return detail::atomic_ref<T>(*p).fetch_sub(n, detail::orders::memory_order_acq_rel);
    });
  }
  template <class T>
  GRIDLOOM_FN T fetch_min_relaxed(T* p, T v) {
    before(access::atomic, p);
    return detail::lower_to(p, v);
  }
  template <class T>
  GRIDLOOM_FN T fetch_max_relaxed(T* p, T v) {
    before(access::atomic, p);
    return detail::raise_to(p, v);
  }
  template <class T>
  GRIDLOOM_FN T fetch_add_in_batch(T* p, T v) {
    before(access::atomic, p);
    return detail::add(p, v, detail::batched_update);
  }
  template <class T>
  GRIDLOOM_FN T fetch_sub_in_batch(T* p, T v) {
    before(access::atomic, p);
    return detail::add(p, static_cast<T>(T{0} - v), detail::batched_update);
  }
  /// Acquires, so it needs a batch_fence only before.
  template <class T>
  GRIDLOOM_FN T fetch_sub_acquire_in_batch(T* p, T v) {
    before(access::atomic, p);
    return detail::atomic_ref<T>(*p).fetch_sub(v, detail::acquiring_update);
  }
  /// Writes `desired` if the word holds `expected`, and returns whether it did. On failure the
  /// operation is relaxed.
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

  /// Like compare_exchange, but returns the old value, which equals `expected` on success.
  template <class T>
  GRIDLOOM_FN T exchange_if_in_batch(T* p, T expected, T desired) {
    before(access::compare_exchange, p);
    return detail::exchange_if_batched(p, expected, desired);
  }

  template <class T>
  GRIDLOOM_FN T exchange_if_acquire(T* p, T expected, T desired) {
    before(access::compare_exchange, p);
    return detail::exchange_if_acquire(p, expected, desired);
  }

  // Slots with a tag. The protocol of the slots gives each slot to one writer at a time.

  /// Whether the slot has this tag. If so, the caller may write it.
  template <class T>
  [[nodiscard]] GRIDLOOM_FN bool has_tag(tagged<T> const* p, std::uint32_t tag) {
    before(access::load, p);
    return detail::has_tag(p, tag);
  }
  /// Whether the slot has this tag. If so, sets `value`, and everything that the writer wrote
  /// before a batch_fence is visible. If not, `value` is undefined.
  template <class T>
  [[nodiscard]] GRIDLOOM_FN bool get_tagged(tagged<T> const* p, std::uint32_t tag, T& value) {
    before(access::load, p);
    return detail::get_tagged(p, tag, value);
  }
  /// Like get_tagged, for a slot whose tag `accepts`. The writer must not change such a slot before
  /// the caller has read it.
  template <class T, class Tag, class Accepts>
  [[nodiscard]] GRIDLOOM_FN bool get_tagged_if(tagged<T, Tag> const* p, Accepts const& accepts,
                                               tagged<T, Tag>& seen) {
    before(access::load, p);
    return detail::get_tagged_if(p, accepts, seen);
  }
  /// Like get_tagged, but nothing except the slot's own value becomes visible.
  template <class T>
  [[nodiscard]] GRIDLOOM_FN bool get_tagged_alone(tagged<T> const* p, std::uint32_t tag, T& value) {
    before(access::load, p);
    return detail::get_tagged_alone(p, tag, value);
  }
  /// Returns the tag of a slot that is written once; 0 before that. If the tag is not 0, sets
  /// `value`. Nothing else becomes visible.
  template <class T>
  [[nodiscard]] GRIDLOOM_FN std::uint32_t read_tagged_alone(tagged<T> const* p, T& value) {
    before(access::load, p);
    return detail::read_tagged_alone(p, value);
  }
  /// Writes the tag and the value.
  template <class T, class Tag>
  GRIDLOOM_FN void put_tagged(tagged<T, Tag>* p, std::type_identity_t<Tag> tag, T const& value) {
    before(access::store, p);
    detail::put_tagged(p, tag, value);
  }
  /// Changes the tag of a slot after its value was read and passed here as `value`.
  template <class T>
  GRIDLOOM_FN void free_tagged(tagged<T>* p, std::uint32_t tag, T const& value) {
    before(access::store, p);
    detail::free_tagged(p, tag, value);
  }

  /// Orders the `_in_batch` accesses before the fence against all accesses after it, and all
  /// accesses before the fence against the `_in_batch` accesses after it.
  GRIDLOOM_FN void batch_fence() {
#if defined(__CUDA_ARCH__)
    cuda::atomic_thread_fence(cuda::std::memory_order_acq_rel, cuda::thread_scope_device);
#endif
  }

  /// Orders all accesses before the fence against all accesses after it. If two threads each write
  /// a word, call this, and read the other's word, at least one of them sees the other's write.
  GRIDLOOM_FN void full_fence() { detail::full_fence(); }
};

/// Plain accesses without a hook.
using direct_memory = hooked_memory<no_hook>;

/// Counts the accesses of the thread that owns this hook.
struct access_counts {
  std::uint64_t loads = 0;
  std::uint64_t stores = 0;
  /// Atomic operations other than compare-and-swap.
  std::uint64_t atomics = 0;
  std::uint64_t compare_exchanges = 0;

  GRIDLOOM_FN void before(access kind, void const*) {
    loads += kind == access::load;
    stores += kind == access::store;
    atomics += kind == access::atomic;
    compare_exchanges += kind == access::compare_exchange;
  }
};

}  // namespace gridloom
