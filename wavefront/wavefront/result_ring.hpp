#pragma once
// Results on their way between the blocks of a cluster: a ring of slots in each block's shared memory.
// Who has run a task puts its result into the rings of all blocks, so a lane that waits polls the
// shared memory of its own block: a trip between multiprocessors, but none to the L2 and back.
//
// A ring is a cache. The tasks' words in memory are written all the same (R1 of in_order.hpp), and who
// does not find a result in the ring finds it there.
//
// Rules of order, cited where they are served:
// C1. A slot is one word of 64 bits that is read and written whole: a tag and a result. The tag is
//     the task's position + 1. Rings are zeroed before the first task runs (the cluster meets), so a
//     tag is there because the task was run in this launch, and the result beside it is its own. No
//     fence is needed.
// C2. A slot loses its result to a task that is a multiple of the ring's length further on, or to one
//     that is as much behind and whose store came late: stores of different threads to one slot are
//     not in order. So a result may never be seen in the ring. A lane turns to the word in memory,
//     for good, when it finds a larger tag than the wanted one (it compares once in a few turns), or
//     when it has had nothing to run for so many turns that its patience ends. So R3 of in_order.hpp
//     holds: a turn is a bounded number of looks, and who is at p sees p's predecessors in the ring,
//     or in memory once its patience has ended.
// C3. A task further behind than the ring is long is looked for in memory at once.
// C4. No block leaves while another may write to its ring: the cluster meets at the end, also when
//     the watchdog stops the run.

#include <cstddef>
#include <cstdint>

#include "gridloom/atomic.hpp"
#include "wavefront/cluster.hpp"

namespace gridloom::wavefront {

/// A tag and a result: 0 at first.
using ring_slot = std::uint64_t;

/// For a scheduler that has no ring.
struct no_ring {
  static constexpr bool is_there = false;
};

/// One block's view of all rings. `Slots` is a power of two. A lane that has waited for so many turns
/// turns to memory.
template <std::uint32_t Slots, unsigned Patience>
class result_ring {
  static_assert((Slots & (Slots - 1)) == 0);

 public:
  static constexpr bool is_there = true;
  static constexpr std::uint32_t slots = Slots;
  /// Of a warp whose tasks wait.
  static constexpr unsigned looks_a_turn = 8;
  /// Turns between two looks at the watchdog, a power of two. They are short here, and such a look is
  /// a trip to memory.
  static constexpr std::uint32_t watched_turns = 4 * cheap_turns;

  /// `own` is that of the block of this rank.
  GRIDLOOM_FN result_ring(ring_slot* own, int rank, int blocks)
      : own_(own), rank_(rank), blocks_(blocks) {}

  /// C3: whether the task at `position` looks here for the result of the one at `from`, before it.
  GRIDLOOM_FN static bool reaches(std::uint32_t position, std::uint32_t from) {
    return position - from < Slots;
  }
  GRIDLOOM_FN static std::uint32_t tag_of(std::uint32_t position) { return position + 1; }
  GRIDLOOM_FN static std::uint32_t position_of(std::uint32_t tag) { return tag - 1; }
  /// In the block's own ring, as an address that `look` takes.
  GRIDLOOM_FN tagged<std::uint32_t> const* place_of(std::uint32_t position) const {
    return reinterpret_cast<tagged<std::uint32_t> const*>(slot_of(position));
  }

  /// C2: whether to look for larger tags in this turn of a warp; and whether a lane turns to memory
  /// after so many turns in vain.
  GRIDLOOM_FN static bool doubts(std::uint32_t turn) { return turn % 4 == 0; }
  GRIDLOOM_FN static bool out_of_patience(unsigned attempt) { return attempt >= Patience; }

  /// The tag of a slot, and its result.
  template <class Memory>
  GRIDLOOM_FN static std::uint32_t look(Memory& memory, tagged<std::uint32_t> const* place,
                                        std::uint32_t& value) {
    if constexpr (detail::one_access<std::uint32_t>) {
      return memory.read_tagged_alone(place, value);  // C1
    } else {
      ring_slot const seen = memory.load_relaxed(reinterpret_cast<ring_slot const*>(place));  // C1
      value = static_cast<std::uint32_t>(seen);
      return static_cast<std::uint32_t>(seen >> 32);
    }
  }
  /// Puts a result into all rings, the block's own first. To put it there once more is quicker than to
  /// leave it out.
  template <class Memory>
  GRIDLOOM_FN void put(Memory& memory, std::uint32_t position, std::uint32_t value) const {
    ring_slot* const slot = slot_of(position);
    write(memory, slot, tag_of(position), value);
    if (blocks_ == 1) return;
    for (int rank = 0; rank < blocks_; ++rank)
      write(memory, in_block(rank, rank_, slot, Slots), tag_of(position), value);
  }

 private:
  GRIDLOOM_FN ring_slot* slot_of(std::uint32_t position) const {
    return own_ + (position & (Slots - 1));
  }
  template <class Memory>
  GRIDLOOM_FN static void write(Memory& memory, ring_slot* slot, std::uint32_t tag,
                                std::uint32_t value) {
    if constexpr (detail::one_access<std::uint32_t>) {
      memory.put_tagged(reinterpret_cast<tagged<std::uint32_t>*>(slot), tag, value);  // C1
    } else {
      memory.store_relaxed(slot, ring_slot{tag} << 32 | value);  // C1
    }
  }

  ring_slot* own_;
  int rank_;
  int blocks_;
};

}  // namespace gridloom::wavefront
