#pragma once
// The memory and the warp that queue operations get when a schedule drives them. The members are
// those of `hooked_memory` (gridloom/atomic.hpp). At each access another worker may continue.

#include <array>
#include <bit>
#include <cstdint>

#include "gridloom/group.hpp"
#include "gridloom/tagged.hpp"
#include "gridloom/watchdog.hpp"
#include "schedule.hpp"

namespace gridloom::test {

/// Converts a slot of 8 or 16 bytes to a word of the model, and back.
template <class T>
std::uint64_t message_of(weak_memory& memory, tagged<T> const& slot) {
  if constexpr (sizeof(slot) == 8) {
    return std::bit_cast<std::uint64_t>(slot);
  } else {
    return memory.put_away(std::bit_cast<weak_memory::sixteen_bytes>(slot));
  }
}
template <class T>
tagged<T> slot_of(weak_memory const& memory, std::uint64_t message) {
  if constexpr (sizeof(tagged<T>) == 8) {
    return std::bit_cast<tagged<T>>(message);
  } else {
    return std::bit_cast<tagged<T>>(memory.put_away_at(message));
  }
}

/// Lets one worker access the words of a schedule.
class scheduled_memory {
 public:
  scheduled_memory(schedule& on, int worker) : on_(&on), worker_(worker) {}

  template <class T>
  T load_relaxed(T const* p) {
    return load(p, {});
  }
  template <class T>
  T load_acquire(T const* p) {
    return load(p, {.acquire = true});
  }
  template <class T>
  T load_in_batch(T const* p) {
    return load(p, {.acquire = !relaxed_batches()});
  }
  template <class T>
  void store_relaxed(T* p, T v) {
    store(p, v, {});
  }
  template <class T>
  void store_release(T* p, T v) {
    store(p, v, {.release = true});
  }
  template <class T>
  void store_in_batch(T* p, T v) {
    store(p, v, {.release = !relaxed_batches()});
  }
  template <class T>
  T fetch_add_relaxed(T* p, T v) {
    return add(p, v, {});
  }
  template <class T>
  T fetch_add_acq_rel(T* p, T v) {
    return add(p, v, {.acquire = true, .release = true});
  }
  template <class T>
  T fetch_sub_relaxed(T* p, T v) {
    return add(p, static_cast<T>(T{0} - v), {});
  }
  template <class T>
  T fetch_sub_acq_rel(T* p, T v) {
    return add(p, static_cast<T>(T{0} - v), {.acquire = true, .release = true});
  }
  template <class T>
  T fetch_add_in_batch(T* p, T v) {
    bool const ordered = !relaxed_batches();
    return add(p, v, {.acquire = ordered, .release = ordered});
  }
  template <class T>
  T fetch_sub_in_batch(T* p, T v) {
    bool const ordered = !relaxed_batches();
    return add(p, static_cast<T>(T{0} - v), {.acquire = ordered, .release = ordered});
  }
  template <class T>
  T fetch_sub_acquire_in_batch(T* p, T v) {
    return add(p, static_cast<T>(T{0} - v), {.acquire = true, .release = !relaxed_batches()});
  }
  template <class T>
  [[nodiscard]] bool compare_exchange_relaxed(T* p, T expected, T desired) {
    return exchange_if(p, expected, desired, {}) == expected;
  }
  template <class T>
  [[nodiscard]] bool compare_exchange_acquire(T* p, T expected, T desired) {
    return exchange_if(p, expected, desired, {.acquire = true}) == expected;
  }
  template <class T>
  [[nodiscard]] bool compare_exchange_release(T* p, T expected, T desired) {
    return exchange_if(p, expected, desired, {.release = true}) == expected;
  }
  template <class T>
  T exchange_if_in_batch(T* p, T expected, T desired) {
    bool const ordered = !relaxed_batches();
    order_of_access const order{.acquire = ordered, .release = ordered};
    return exchange_if(p, expected, desired, order);
  }
  template <class T>
  T exchange_if_acquire(T* p, T expected, T desired) {
    return exchange_if(p, expected, desired, {.acquire = true});
  }
  template <class T>
  T fetch_add_acquire(T* p, T v) {
    return add(p, v, {.acquire = true});
  }
  /// A slot of up to 16 bytes is one word of the model, because it is one access on a GPU.
  template <class T>
  [[nodiscard]] bool has_tag(tagged<T> const* p, std::uint32_t tag) {
    return slot_of<T>(on_->memory(), load_in_batch(word_of(p))).tag == tag;
  }
  template <class T>
  [[nodiscard]] bool get_tagged(tagged<T> const* p, std::uint32_t tag, T& value) {
    auto const seen = slot_of<T>(on_->memory(), load_acquire(word_of(p)));
    value = seen.value;
    return seen.tag == tag;
  }
  template <class T>
  [[nodiscard]] bool get_tagged_alone(tagged<T> const* p, std::uint32_t tag, T& value) {
    auto const seen = slot_of<T>(on_->memory(), load_in_batch(word_of(p)));
    value = seen.value;
    return seen.tag == tag;
  }
  template <class T>
  void put_tagged(tagged<T>* p, std::uint32_t tag, T const& value) {
    store_in_batch(const_cast<std::uint64_t*>(word_of(p)),
                   message_of(on_->memory(), tagged<T>{tag, value}));
  }
  template <class T>
  void free_tagged(tagged<T>* p, std::uint32_t tag, T const& value) {
    put_tagged(p, tag, value);
  }
  void batch_fence() {
    if (!relaxed_batches()) return;
    on_->step();
    on_->memory().fence(worker_);
  }
  void full_fence() {
    on_->step();
    on_->memory().full_fence(worker_);
  }

 private:
  [[nodiscard]] bool relaxed_batches() const { return on_->model() == machine_model::cuda; }

  template <class T>
  static std::uint64_t const* word_of(tagged<T> const* p) {
    static_assert(sizeof(tagged<T>) == 8 || sizeof(tagged<T>) == 16);
    return reinterpret_cast<std::uint64_t const*>(p);
  }
  template <class T>
  T load(T const* p, order_of_access order) {
    on_->step();
    return static_cast<T>(on_->memory().load(worker_, p, order));
  }
  template <class T>
  void store(T* p, T v, order_of_access order) {
    on_->step();
    on_->memory().store(worker_, p, v, order);
    on_->changed();
  }
  template <class T>
  T add(T* p, T v, order_of_access order) {
    on_->step();
    auto const before =
        static_cast<T>(on_->memory().update(worker_, p, order, [v](std::uint64_t old) {
          return static_cast<T>(static_cast<T>(old) + v);
        }));
    on_->changed();
    return before;
  }
  template <class T>
  T exchange_if(T* p, T expected, T desired, order_of_access order) {
    on_->step();
    auto const before =
        static_cast<T>(on_->memory().exchange_if(worker_, p, static_cast<std::uint64_t>(expected),
                                                 static_cast<std::uint64_t>(desired), order));
    if (before == expected) on_->changed();
    return before;
  }

  schedule* on_;
  int worker_;
};

/// Replaces `watch`. It never expires, because the schedule limits the number of steps. But it
/// tells the schedule that the worker waits.
class scheduled_watch {
 public:
  explicit scheduled_watch(schedule& on) : on_(&on) {}
  template <class Memory>
  [[nodiscard]] bool stop(Memory&, wait_kind, std::uint32_t, std::uint64_t, std::uint64_t) {
    on_->yielded();
    return false;
  }

 private:
  schedule* on_;
};

/// Memory in which the lanes of a simulated warp exchange values.
struct warp_board {
  std::array<std::uint64_t, schedule::max_workers> given{};
  std::array<std::uint64_t, schedule::max_workers> taken{};
  int arrived = 0;
};

/// Workers `first` to `first + size - 1` as the lanes of a warp. As on the device, lanes run
/// independently between exchanges, and exchanges do not order memory accesses.
class scheduled_warp {
 public:
  static constexpr int max_threads = 32;
  scheduled_warp(schedule& on, warp_board& board, int first, int size, int lane)
      : on_(&on), board_(&board), first_(first), size_(size), lane_(lane) {}
  [[nodiscard]] int thread_rank() const { return lane_; }
  [[nodiscard]] int num_threads() const { return size_; }
  [[nodiscard]] int index() const { return 0; }
  [[nodiscard]] int count() const { return 1; }
  void sync() const { exchange(0); }
  void pause(unsigned) const { on_->yielded(); }
  [[nodiscard]] std::uint32_t ballot(bool p) const {
    exchange(p ? 1 : 0);
    std::uint32_t mask = 0;
    for (int lane = 0; lane < size_; ++lane)
      mask |= static_cast<std::uint32_t>(taken(lane)) << lane;
    return mask;
  }
  [[nodiscard]] bool any(bool p) const { return ballot(p) != 0; }
  template <class T>
  [[nodiscard]] T shuffle(T value, int rank) const {
    exchange(static_cast<std::uint64_t>(value));
    return static_cast<T>(taken(rank));
  }

 private:
  void exchange(std::uint64_t value) const {
    board_->given[static_cast<std::size_t>(lane_)] = value;
    if (++board_->arrived < size_) {
      on_->sleep();
      return;
    }
    // The values are copied, because a fast lane may give its next value before other lanes have
    // read the current one.
    board_->taken = board_->given;
    board_->arrived = 0;
    for (int lane = 0; lane < size_; ++lane) on_->wake(first_ + lane);
  }
  [[nodiscard]] std::uint64_t taken(int lane) const {
    return board_->taken[static_cast<std::size_t>(lane)];
  }

  schedule* on_;
  warp_board* board_;
  int first_;
  int size_;
  int lane_;
};

static_assert(warp_group<scheduled_warp>);

/// A warp whose `sync` orders memory among its lanes, like `__syncwarp`. Votes and shuffles order
/// nothing.
class ordering_warp : public scheduled_warp {
 public:
  ordering_warp(schedule& on, warp_board& board, std::uint32_t const& barrier, int first, int size,
                int lane)
      : scheduled_warp(on, board, first, size, lane),
        on_(&on),
        barrier_(&barrier),
        worker_(first + lane) {}
  void sync() const {
    meet({.release = true});
    scheduled_warp::sync();
    meet({.acquire = true});
  }

 private:
  void meet(order_of_access order) const {
    on_->memory().update(worker_, barrier_, order, [](std::uint64_t same) { return same; });
  }
  schedule* on_;
  std::uint32_t const* barrier_;
  int worker_;
};

}  // namespace gridloom::test
