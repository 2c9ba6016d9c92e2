#pragma once
// Teams: workers larger than a unit, made of 2, 4, ... neighbouring units of a block (chapter 3.3).
// The units finish their tasks at different times, so they agree through words in shared memory.
//
// The unit that claims tasks for teams reads their items, frees their slots, and hands one to each
// unit of the block. Each group of k neighbouring units has one word. A unit that was handed a task
// for a team of k units takes the lead of its group and calls. The other units of the group see the
// call after their current tasks, and join. When all k have joined, they execute the task together.
// Then they continue separately.
//
// Groups of different sizes contain each other, so two leaders could wait for each other's units.
// To prevent that, small teams go first. Rules of order, cited where they apply:
// TB.R1. A unit takes the lead of a group only if no larger group around it is led. A leader writes
//     its own word, executes a full fence, and then reads the words of the others.
// TB.R2. A unit joins a call only if none of its smaller groups is led. Suppose that the leader of
//     a small group does not see the leader of a large one. By TB.R1 the small group's word is then
//     visible after the large leader's fence. The large leader's call releases that word, and units
//     that join acquire it. So they wait for the small team.
// TB.R3. Progress: every call ends, by induction on the size of groups.
// TB.R4. A unit that joins sees what the leader saw of the task, because the call releases and
//     reading the call acquires. The word becomes free with release order after the team's barrier
//     at the end of its task.
// TB.R5. While a team executes a task, none of its units has a ticket whose slot is not free. The
//     task could wait for room in that slot, which the unit would free only after the task. So
//     tasks are handed out after their slots were freed, and a unit joins calls only when the
//     block's range of tickets (dispatch.hpp) is empty.
// TB.R6. A unit takes no other task until its team has executed the one that it was handed. Its
//     item stays where the team finds it.
// TB.R7. No task is handed to a unit that has left. A place is reserved before tasks are claimed,
//     and a unit leaves only after it has closed its own place, which must be empty.
// tests/team_test.cpp checks these rules on a weak memory model.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "gridloom/block_memory.hpp"
#include "gridloom/portable.hpp"
#include "mhive/unit.hpp"

namespace gridloom::mhive {

/// The word of one group: its state, and during a call the ticket, the leader's number in the block
/// and the task type.
namespace group_word {
inline constexpr std::uint64_t free = 0;
/// A unit has the lead and has not called yet.
inline constexpr std::uint64_t led = 1;
inline constexpr std::uint64_t calling = 2;

GRIDLOOM_FN inline std::uint64_t call(int type, std::uint32_t ticket, int leader) {
  return std::uint64_t{ticket} << 32U | static_cast<std::uint64_t>(leader) << 18U |
         static_cast<std::uint64_t>(type) << 2U | calling;
}
GRIDLOOM_FN inline std::uint64_t state(std::uint64_t word) { return word & 3U; }
GRIDLOOM_FN inline int type(std::uint64_t word) { return static_cast<int>(word >> 2U & 0xffffU); }
GRIDLOOM_FN inline int leader(std::uint64_t word) {
  return static_cast<int>(word >> 18U & 0x3fffU);
}
GRIDLOOM_FN inline std::uint32_t ticket(std::uint64_t word) {
  return static_cast<std::uint32_t>(word >> 32U);
}
}  // namespace group_word

/// The tasks that were handed to the units of a block: a place for each unit. `ItemBytes` is the
/// size of the largest item. Calls of one unit's place are by one thread each.
template <int Units, std::size_t ItemBytes>
struct handed_tasks {
  static constexpr std::uint64_t empty = 0;
  static constexpr std::uint64_t reserved = 1;
  static constexpr std::uint64_t closed = 2;

  /// Places of units; from 3 on, the ticket and the task type.
  std::uint64_t places[Units];
  alignas(16) std::byte items[std::max<std::size_t>(1, std::size_t{Units} * ItemBytes)];

  template <class Block>
  GRIDLOOM_FN void reset(Block const& block) {
    for (int u = block.thread_rank(); u < Units; u += block.num_threads()) places[u] = empty;
  }
  template <task_type Type>
  GRIDLOOM_FN typename Type::work_item& item_of(int unit) {
    static_assert(alignof(typename Type::work_item) <= 16,
                  "a work item of more than 32 threads is aligned to at most 16 bytes");
    return *reinterpret_cast<typename Type::work_item*>(items +
                                                        static_cast<std::size_t>(unit) * ItemBytes);
  }
  /// Reserves or closes a place. Returns false unless it was empty.
  [[nodiscard]] GRIDLOOM_FN bool change(block_memory& memory, int unit, std::uint64_t to) {
    return memory.exchange_if_acquire(places + unit, std::uint64_t{empty}, to) == empty;
  }
  /// Hands out the task whose item was written to the reserved place.
  GRIDLOOM_FN void fill(block_memory& memory, int unit, int type, std::uint32_t ticket) {
    memory.store_release(places + unit, std::uint64_t{ticket} << 32U |
                                            static_cast<std::uint64_t>(type) << 2U | 3U);  // TB.R4
  }
  GRIDLOOM_FN void clear(block_memory& memory, int unit) {
    memory.store_release(places + unit, std::uint64_t{empty});
  }
  /// Returns the task that was handed to the unit; type -1 if there is none.
  [[nodiscard]] GRIDLOOM_FN taken look(block_memory& memory, int unit) {
    std::uint64_t const word = memory.load_acquire(places + unit);  // TB.R4
    if (word <= closed) return {};
    return {static_cast<int>(word >> 2U & 0xffffU), static_cast<std::uint32_t>(word >> 32U), 1};
  }
};

struct team_call {
  /// Number of units; 0 if there is no call.
  int size = 0;
  std::uint64_t word = 0;
};

/// The groups of a block of `Units` units, a power of two. Groups are numbered as in a heap: the
/// group of size k that contains unit u has number Units / k + u / k.
template <int Units>
struct team_board {
  std::uint64_t groups[2 * Units];

  template <class Block>
  GRIDLOOM_FN void reset(Block const& block) {
    for (int g = block.thread_rank(); g < 2 * Units; g += block.num_threads()) {
      groups[g] = group_word::free;
    }
  }

  GRIDLOOM_FN std::uint64_t& group(int size, int unit) {
    return groups[Units / size + unit / size];
  }

  // `Memory` is block_memory, or the memory of a test.

  /// Takes the lead of the unit's group, unless a larger group around it is led. One thread.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool lead(Memory& memory, int size, int unit) {
    std::uint64_t& mine = group(size, unit);
    auto const is_larger_led = [&] {
      for (int around = 2 * size; around <= Units; around *= 2) {
        if (memory.load_acquire(&group(around, unit)) != group_word::free) return true;  // TB.R1
      }
      return false;
    };
    // A unit that tries in vain must not hold up those that join the larger group (TB.R3).
    if (is_larger_led()) return false;
    // Acquires the end of the group's last team (TB.R4).
    if (memory.exchange_if_acquire(&mine, group_word::free, group_word::led) != group_word::free) {
      return false;
    }
    memory.full_fence();  // TB.R1
    if (is_larger_led()) {
      memory.store_release(&mine, group_word::free);  // TB.R4
      return false;
    }
    return true;
  }

  /// Returns the call of the smallest calling group of the unit, if the unit may join now. One
  /// thread.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN team_call called(Memory& memory, int unit) {
    for (int size = 2; size <= Units; size *= 2) {
      std::uint64_t const word = memory.load_acquire(&group(size, unit));  // TB.R2, TB.R4
      if (group_word::state(word) != group_word::calling) continue;
      for (int inside = 2; inside < size; inside *= 2) {
        if (memory.load_acquire(&group(inside, unit)) != group_word::free) return {};  // TB.R2
      }
      return {size, word};
    }
    return {};
  }
};

}  // namespace gridloom::mhive
