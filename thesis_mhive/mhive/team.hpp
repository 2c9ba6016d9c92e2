#pragma once
// Teams: workers larger than a unit, made of 2, 4, ... neighbouring units of a block (chapter 3.3).
// The units finish their tasks at different times, so they agree through words in shared memory.
//
// A unit with a task for a team of k units takes the lead of its group of k (one word per group)
// and calls. The other units of the group see the call after finishing their current tasks, and
// join. When all k have joined, they execute the task together and then continue separately.
//
// Groups of different sizes contain each other, so two leaders could wait for each other's units.
// Small teams go first, which prevents that. Rules of order, cited where they apply:
// TB.R1. A unit takes the lead of a group only if no group around it is led. Leaders write their
//     own word, then a full fence, then read the others.
// TB.R2. A unit joins a call only if none of its smaller groups is led. By TB.R1, if a small leader
//     does not see a large one, its word is visible after the large one's fence. The call of the
//     large leader releases that word, and units that join acquire it, so they wait for the small
//     team.
// TB.R3. Progress: by induction on the size, every call ends.
// TB.R4. A unit that joins sees what the leader saw of the task: the call releases it, and reading
//     the call acquires it. The word becomes free with release order after the team has met at the
//     end of its task.
// tests/team_test.cpp checks this on a weak memory.

#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom::mhive {

/// The word of one group: its state, and during a call the ticket and the task type.
namespace group_word {
inline constexpr std::uint64_t free = 0;
/// The leader waits for its task's item.
inline constexpr std::uint64_t led = 1;
inline constexpr std::uint64_t calling = 2;

GRIDLOOM_FN inline std::uint64_t call(int type, std::uint32_t ticket) {
  return std::uint64_t{ticket} << 32U | static_cast<std::uint64_t>(type) << 2U | calling;
}
GRIDLOOM_FN inline std::uint64_t state(std::uint64_t word) { return word & 3U; }
GRIDLOOM_FN inline int type(std::uint64_t word) { return static_cast<int>(word >> 2U & 0xffffU); }
GRIDLOOM_FN inline std::uint32_t ticket(std::uint64_t word) {
  return static_cast<std::uint32_t>(word >> 32U);
}
}  // namespace group_word

/// A call that a unit may join.
struct team_call {
  /// Number of units; 0: no call.
  int size = 0;
  std::uint64_t word = 0;
};

/// The groups of a block of `Units` units, a power of two. As in a heap, the group of size k that
/// contains unit u has number Units / k + u / k.
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

  /// Takes the lead of the unit's group, unless a group around it is led. One thread.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool lead(Memory& memory, int size, int unit) {
    std::uint64_t& mine = group(size, unit);
    // The group's last team must have ended: TB.R4.
    if (memory.exchange_if_acquire(&mine, group_word::free, group_word::led) != group_word::free) {
      return false;
    }
    memory.full_fence();  // TB.R1
    for (int around = 2 * size; around <= Units; around *= 2) {
      if (memory.load_acquire(&group(around, unit)) != group_word::free) {  // TB.R1
        memory.store_release(&mine, group_word::free);                      // TB.R4
        return false;
      }
    }
    return true;
  }

  /// The call of the smallest calling group of the unit, if the unit may join now. One thread.
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
