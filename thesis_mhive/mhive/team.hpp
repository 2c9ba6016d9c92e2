#pragma once
// Teams: workers larger than a unit, made of 2, 4, ... neighbouring units of a block. The units of
// a block finish their tasks at different times, so they agree through words in shared memory:
//
// A unit that finds a task for a team of k units takes the lead of its group of k (a word a group),
// claims the task and calls. The other units of the group see the call when they have finished
// what they do, and join; when all k are there they execute the task and go on by themselves.
//
// Groups of different sizes contain each other, so two leaders could wait for each other's units.
// That cannot happen, because small teams go first. Rules, cited where they are served:
// G1. A unit takes the lead of a group only if no group around it is being led. Leaders write first
//     and look afterwards, with a full fence between.
// G2. A unit joins a call only if no group inside is being led that it belongs to. By G1, if a small
//     leader does not see a large one, its word is visible after the large one's fence; the large
//     one's call releases that, and all that join it acquire it: they wait for the small team.
// G3. By induction on the size every call ends.
// G4. Who joins sees what the leader saw of the task: the call releases it, the look acquires it.
//     The word becomes free, with release order, when the team has met after its task.
// tests/team_test.cpp tries it on a weak memory.

#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom::mhive {

/// The word of one group: its state and, while it calls, ticket and task type.
namespace group_word {
inline constexpr std::uint64_t free = 0;
/// The leader looks for a task.
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
  /// Units; 0: there is none.
  int size = 0;
  std::uint64_t word = 0;
};

/// The groups of a block of `Units` units, a power of two: the group of size k that contains unit
/// u has number Units / k + u / k, as in a heap.
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

  // `Memory`: block_memory, or that of a test.

  /// Takes the lead of the unit's group, unless a group around it is being led. One thread.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool lead(Memory& memory, int size, int unit) {
    std::uint64_t& mine = group(size, unit);
    // G4: the group's last team has ended.
    if (memory.exchange_if_acquire(&mine, group_word::free, group_word::led) != group_word::free) {
      return false;
    }
    memory.full_fence();  // G1
    for (int around = 2 * size; around <= Units; around *= 2) {
      if (memory.load_acquire(&group(around, unit)) != group_word::free) {  // G1
        memory.store_release(&mine, group_word::free);                      // G4
        return false;
      }
    }
    return true;
  }

  /// The call of the smallest group that calls the unit, if it may join now. One thread.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN team_call called(Memory& memory, int unit) {
    for (int size = 2; size <= Units; size *= 2) {
      std::uint64_t const word = memory.load_acquire(&group(size, unit));  // G2, G4
      if (group_word::state(word) != group_word::calling) continue;
      for (int inside = 2; inside < size; inside *= 2) {
        if (memory.load_acquire(&group(inside, unit)) != group_word::free) return {};  // G2
      }
      return {size, word};
    }
    return {};
  }
};

}  // namespace gridloom::mhive
