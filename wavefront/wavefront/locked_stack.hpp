#pragma once
// Stack under a compare-and-swap lock, as in Kartsaklis et al., "CUDA Grid-Level Task Progression
// Algorithms" (listings 1, 3 and 4). One worker at a time holds the lock. Tasks are popped last in,
// first out.
//
// Departures from the listings, all needed for correct results:
// - The lock acquires and the unlock releases. The listings name no memory order.
// - The size itself is changed, not the pointer to it.
// - A push reports when there is no room.
//
// Rules of order, cited where they are served:
// LS.R1. The compare-and-swap on the lock word lets one owner in.
// LS.R2. An owner sees what all earlier owners wrote, because the lock acquires what the unlock
//     released. So the stack's own words are relaxed, and the worker that pops a task sees what the
//     worker that pushed it saw.

#include <cstdint>

#include "gridloom/portable.hpp"
#include "gridloom/watchdog.hpp"

namespace gridloom::wavefront {

/// The lock word: 0 free, otherwise 1 + index of the owner.
class cas_lock_ref {
 public:
  GRIDLOOM_FN explicit cas_lock_ref(std::uint32_t* word) : word_(word) {}

  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool try_lock(Memory& memory, int owner) const {
    // LS.R1, LS.R2
    return memory.compare_exchange_acquire(word_, std::uint32_t{0},
                                           1U + static_cast<std::uint32_t>(owner));
  }
  /// Spins until the lock is taken. Returns false, without the lock, if the watchdog stopped the
  /// wait.
  template <class Memory, class Watch>
  [[nodiscard]] GRIDLOOM_FN bool lock(Memory& memory, int owner, Watch& watch,
                                      std::uint32_t object) const {
    for (unsigned attempt = 0; !try_lock(memory, owner); ++attempt) {
      if (watch.stop(memory, wait_kind::lock, object, 1, 0)) return false;
      give_way(attempt);
    }
    return true;
  }
  /// Called by the owner only.
  template <class Memory>
  GRIDLOOM_FN void unlock(Memory& memory, int owner) const {
    // LS.R2. The published unlock is also a compare-and-swap. It cannot fail for the owner.
    (void)memory.compare_exchange_release(word_, 1U + static_cast<std::uint32_t>(owner),
                                          std::uint32_t{0});
  }

 private:
  std::uint32_t* word_;
};

/// The words of one stack except its items, on their own cache line.
struct alignas(line_bytes) locked_stack_words {
  std::uint32_t lock;
  std::uint32_t size;
};

/// View of one stack. Any number of workers may call its members at once, but only the owner of the
/// lock may call `_locked` members.
class locked_stack_ref {
 public:
  GRIDLOOM_FN locked_stack_ref(locked_stack_words* words, std::uint32_t* items,
                               std::uint32_t capacity)
      : words_(words), items_(items), capacity_(capacity) {}

  GRIDLOOM_FN cas_lock_ref lock() const { return cas_lock_ref(&words_->lock); }

  /// Pushes an item. Returns false if there is no room.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool push_locked(Memory& memory, std::uint32_t item) const {
    std::uint32_t const size = memory.load_relaxed(&words_->size);  // LS.R2
    if (size == capacity_) return false;
    memory.store_relaxed(items_ + size, item);
    memory.store_relaxed(&words_->size, size + 1);
    return true;
  }
  /// Pops an item. Returns false if the stack is empty.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool pop_locked(Memory& memory, std::uint32_t& item) const {
    std::uint32_t const size = memory.load_relaxed(&words_->size);  // LS.R2
    if (size == 0) return false;
    item = memory.load_relaxed(items_ + size - 1);
    memory.store_relaxed(&words_->size, size - 1);
    return true;
  }

 private:
  locked_stack_words* words_;
  std::uint32_t* items_;
  std::uint32_t capacity_;
};

}  // namespace gridloom::wavefront
