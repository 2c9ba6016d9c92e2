#pragma once
// Teams: workers larger than a unit, made of 2, 4, ... neighbouring units of a block. The units of
// a block finish their tasks at different times, so they agree through words in shared memory:
//
// A unit that finds a task for a team of k units takes the lead of its group of k (a word a group),
// claims the task and calls. The other units of the group see the call when they have finished
// what they do, and join; when all k are there they execute the task and go on by themselves.
//
// Groups of different sizes contain each other, so two leaders could wait for each other's units.
// That cannot happen, because small teams go first: a unit takes the lead of a group only if no
// group around it is calling, and joins a call only if no group inside is being led that it belongs
// to. Both write first and look afterwards, with a full fence between, so at least one of a small
// and a large leader sees the other (Dekker), and it is the large one whose members wait. By
// induction on the size every call ends.

#include <cstdint>

#include "mhive/unit.hpp"

namespace gridloom::mhive {

/// State of one group.
struct group_words {
  static constexpr std::uint32_t free = 0;
  static constexpr std::uint32_t led = 1;  // the leader looks for a task
  static constexpr std::uint32_t calling = 2;

  std::uint32_t state;
  std::uint32_t ticket;
  std::uint32_t type;
};

/// The groups of a block of `Units` units, a power of two: the group of size k that contains unit
/// u has number Units / k + u / k, as in a heap.
template <int Units>
struct team_board {
  group_words groups[2 * Units];

  template <class Block>
  GRIDLOOM_FN void reset(Block const& block) {
    for (int g = block.thread_rank(); g < 2 * Units; g += block.num_threads()) {
      groups[g] = {group_words::free, 0, 0};
    }
  }

  GRIDLOOM_FN group_words& group(int size, int unit) { return groups[Units / size + unit / size]; }

  /// Takes the lead of the unit's group, unless a group around it is being led. One thread.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool lead(Memory& memory, int size, int unit) {
    group_words& mine = group(size, unit);
    if (!memory.compare_exchange_acquire(&mine.state, group_words::free, group_words::led)) {
      return false;
    }
    memory.full_fence();
    for (int around = 2 * size; around <= Units; around *= 2) {
      if (memory.load_by_update(&group(around, unit).state) != group_words::free) {
        memory.store_by_update(&mine.state, group_words::free);
        return false;
      }
    }
    return true;
  }

  /// Size of the smallest group that calls the unit; 0 if there is none that it may join now. One
  /// thread.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN int called(Memory& memory, int unit) {
    for (int size = 2; size <= Units; size *= 2) {
      if (memory.load_by_update(&group(size, unit).state) != group_words::calling) continue;
      memory.full_fence();
      for (int inside = 2; inside < size; inside *= 2) {
        if (memory.load_by_update(&group(inside, unit).state) != group_words::free) return 0;
      }
      return size;
    }
    return 0;
  }
};

}  // namespace gridloom::mhive
