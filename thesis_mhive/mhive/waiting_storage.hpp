#pragma once
// The waiting storage of a task type (chapter 5.2): tasks whose dependencies are not resolved, in
// an array, because a queue has no access to a task in its middle.
//
// A slot's state has the two flags of the thesis, in one word: `reserved` while somebody writes it,
// `filled` when the task is there. A task is put in two steps, reserve and write, and taken out by
// whoever reduces its dependency to zero.
//
// Departures: probing wraps at the end of the array, not one behind it, and ends after one round of
// the array in which all slots were filled: a full storage is an error, not an endless loop. A slot
// also remembers the dependency that it waits for, so that a task that is never released can be
// reported.
//
// Rules of order, cited where they are served:
// W1. A slot is written only after its last task was read: who reserves it acquires what giving it
//     back released (`take`), or what a batch_fence put before that (`give_back`).
// W2. Who takes a task out sees it. Its writer then updates the dependency with release order, and
//     the update that reads zero acquires (context.hpp); so the state `filled` is relaxed: it is for
//     reports and for the search of a full storage.

#include <cstdint>

#include "gridloom/atomic.hpp"
#include "gridloom/clock.hpp"
#include "gridloom/portable.hpp"
#include "mhive/dependency.hpp"

namespace gridloom::mhive {

/// States of a slot.
namespace slot_state {
inline constexpr std::uint32_t empty = 0;
inline constexpr std::uint32_t reserved = 1;
/// Beside reserved.
inline constexpr std::uint32_t filled = 2;
}  // namespace slot_state

/// View of a waiting storage of `capacity` slots, a power of two up to 2^30. Any number of threads
/// may call its functions at once.
template <class Type>
struct waiting_storage_ref {
  using item_type = typename Type::work_item;
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::uint32_t* states = nullptr;
  item_type* items = nullptr;
  dependency<Type>** owners = nullptr;
  std::uint32_t capacity = 0;

  /// Reserves an empty slot, looking from `start` on; `none` if all were filled in a whole round.
  /// Cost: one atomic operation if the first slot is empty.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN std::uint32_t reserve(Memory& memory, std::uint32_t start) const {
    // The first slots without a loop. On sm_90 a thread that went through one was not joined again
    // with its warp, and what the task did next was executed twice: for it and for the others.
    GRIDLOOM_UNROLL
    for (std::uint32_t step = 0; step < first_slots; ++step) {
      std::uint32_t const slot = (start + step) & (capacity - 1);
      // W1
      if (memory.compare_exchange_acquire(states + slot, slot_state::empty, slot_state::reserved)) {
        return slot;
      }
    }
    return search(memory, start + first_slots);
  }
  /// Writes the task into a reserved slot. The caller then makes it known by an update of the
  /// dependency with release order (W2).
  template <class Memory>
  GRIDLOOM_FN void write(Memory& memory, std::uint32_t slot, item_type const& item,
                         dependency<Type>* owner) const {
    items[slot] = item;
    owners[slot] = owner;
    memory.store_relaxed(states + slot, slot_state::reserved | slot_state::filled);
  }
  /// The task in a filled slot. By the one thread that reduced its dependency to zero.
  [[nodiscard]] GRIDLOOM_FN item_type const& item(std::uint32_t slot) const { return items[slot]; }
  /// Gives back a slot that was reserved and not written, or, after a batch_fence, one whose task
  /// was read.
  template <class Memory>
  GRIDLOOM_FN void give_back(Memory& memory, std::uint32_t slot) const {
    memory.store_in_batch(states + slot, slot_state::empty);  // W1
  }
  /// Takes the task out of its slot. By the one thread that reduced its dependency to zero.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN item_type take(Memory& memory, std::uint32_t slot) const {
    item_type const item = items[slot];
    memory.store_release(states + slot, slot_state::empty);  // W1
    return item;
  }

 private:
  static constexpr std::uint32_t first_slots = 4;

  template <class Memory>
  GRIDLOOM_FN GRIDLOOM_NOINLINE std::uint32_t search(Memory& memory, std::uint32_t start) const {
    bool full = false;
    for (unsigned attempt = 0; !full; give_way(attempt++)) {
      full = true;
      for (std::uint32_t step = 0; step < capacity; ++step) {
        std::uint32_t const slot = (start + step) & (capacity - 1);
        std::uint32_t const seen =  // W1
            memory.exchange_if_acquire(states + slot, slot_state::empty, slot_state::reserved);
        if (seen == slot_state::empty) return slot;
        // A slot that is only reserved will be filled or given back.
        if ((seen & slot_state::filled) == 0) full = false;
      }
    }
    return none;
  }
};

}  // namespace gridloom::mhive
