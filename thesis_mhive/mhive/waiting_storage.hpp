#pragma once
// The waiting storage of a task type (chapter 5.2): an array of tasks whose dependencies are not
// resolved. Unlike a queue, it lets tasks leave in any order.
//
// A slot's state has the two flags of the thesis in one word. It is `reserved` while a thread
// writes the slot, and `filled` when the task is there. A task is put in with two steps, reserve
// and write. The thread that reduces the task's dependency to zero takes it out.
//
// Departures: a search visits every slot, and wraps at the end of the array. If it finds every slot
// filled, the storage is full, which is an error; the thesis loops forever. A slot also stores the
// dependency of its task, so that the run can report a task that is never released.
//
// Rules of order, cited where they apply:
// MW.R1. A slot is written only after its last task was read. Reserving a slot acquires what giving
//     it back released. `take` releases; before `give_back`, a batch_fence does.
// MW.R2. The thread that takes a task out sees it. The writer updates the dependency with release
//     order after writing, and the update that reads zero acquires (context.hpp). So the state
//     `filled` may be relaxed: only reports and searches in a full storage read it.

#include <cstdint>

#include "gridloom/atomic.hpp"
#include "gridloom/clock.hpp"
#include "gridloom/portable.hpp"
#include "mhive/dependency.hpp"

namespace gridloom::mhive {

namespace slot_state {
inline constexpr std::uint32_t empty = 0;
inline constexpr std::uint32_t reserved = 1;
/// Set in addition to reserved.
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
  /// The words of the tasks' dependencies.
  std::int64_t** owners = nullptr;
  std::uint32_t capacity = 0;

  /// Reserves an empty slot, searching from `start` on. Returns `none` if one whole round finds
  /// every slot filled. Cost: one atomic operation if the first slot is empty.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN std::uint32_t reserve(Memory& memory, std::uint32_t start) const {
    // The first slots are tried without a loop. On sm_90 a thread that had passed through a loop
    // did not rejoin its warp. So the warp executed the following code twice, once for that thread.
    GRIDLOOM_UNROLL
    for (std::uint32_t step = 0; step < first_slots; ++step) {
      std::uint32_t const slot = (start + step) & (capacity - 1);
      // MW.R1
      if (memory.compare_exchange_acquire(states + slot, slot_state::empty, slot_state::reserved)) {
        return slot;
      }
    }
    return search(memory, start + first_slots);
  }
  /// Writes the task into a reserved slot. The caller then publishes it by an update of the
  /// dependency with release order (MW.R2).
  template <class Memory>
  GRIDLOOM_FN void write(Memory& memory, std::uint32_t slot, item_type const& item,
                         std::int64_t* owner) const {
    items[slot] = item;
    owners[slot] = owner;
    memory.store_relaxed(states + slot, slot_state::reserved | slot_state::filled);
  }
  /// Returns the task in a filled slot. Called by the thread that reduced its dependency to zero.
  [[nodiscard]] GRIDLOOM_FN item_type const& item(std::uint32_t slot) const { return items[slot]; }
  /// Gives back a slot that was reserved and not written, or a slot whose task was read, after a
  /// batch_fence.
  template <class Memory>
  GRIDLOOM_FN void give_back(Memory& memory, std::uint32_t slot) const {
    memory.store_in_batch(states + slot, slot_state::empty);  // MW.R1
  }
  /// Takes the task out of its slot. Called by the thread that reduced its dependency to zero.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN item_type take(Memory& memory, std::uint32_t slot) const {
    item_type const item = items[slot];
    memory.store_release(states + slot, slot_state::empty);  // MW.R1
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
        std::uint32_t const seen =  // MW.R1
            memory.exchange_if_acquire(states + slot, slot_state::empty, slot_state::reserved);
        if (seen == slot_state::empty) return slot;
        // A slot that is reserved but not filled will be filled or given back.
        if ((seen & slot_state::filled) == 0) full = false;
      }
    }
    return none;
  }
};

}  // namespace gridloom::mhive
