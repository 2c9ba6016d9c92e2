#pragma once
// Rings of results in the shared memory of a cluster's blocks. The lane that has run a task puts
// the result into the rings of all blocks. So a waiting lane polls the shared memory of its own
// block. A result goes from one multiprocessor to another without the level-2 cache.
//
// A ring is a cache. The words in memory are also written (IO.R1 of in_order.hpp). A lane that does
// not find a result in the ring finds it in memory.
//
// Rules of order, cited where they are served:
// RR.R1. A slot is one word of 64 bits, read and written whole: a tag and a result. The tag is the
//     task's position + 1. Rings are zeroed and the cluster meets before the first task runs. So a
//     tag proves that the task ran in this launch and that the result in the slot is the task's. No
//     fence is needed.
// RR.R2. A lane may miss a result in the ring. A task that shares the slot may have overwritten it:
//     a later one, or an earlier one whose store arrives late. (Stores of different threads to one
//     slot have no order.) So a waiting lane also looks at the word in memory: once per turn if it
//     last saw a larger tag than the wanted one, and once in `Patience` turns in any case. So
//     IO.R3 of in_order.hpp holds. A turn is a bounded number of loads. The lane that waits at p
//     sees p's predecessors in the ring or, some turns later, in memory.
// RR.R3. No block leaves while another may write to its ring: the cluster meets at the end, also
//     when the watchdog stops the run.

#include <cstddef>
#include <cstdint>

#include "gridloom/portable.hpp"
#include "gridloom/taskgraph/cluster.hpp"

namespace gridloom::wavefront {

/// A tag and a result; 0 at the start of a launch.
using ring_slot = std::uint64_t;

/// One block's view of all rings. `Slots` is a power of two.
template <std::uint32_t Slots, std::uint32_t Patience>
class result_ring {
  static_assert((Slots & (Slots - 1)) == 0);

 public:
  static constexpr std::uint32_t slots = Slots;

  /// `own` is the ring of this block, whose rank in the cluster is `rank`.
  GRIDLOOM_FN result_ring(ring_slot* own, int rank, int blocks)
      : own_(own), rank_(rank), blocks_(blocks) {}

  /// The tag of a task's result, which is never 0.
  GRIDLOOM_FN static std::uint32_t tag_of(std::uint32_t position) { return position + 1; }
  GRIDLOOM_FN static std::uint32_t position_of(std::uint32_t tag) { return tag - 1; }
  /// The slot of a task in the block's own ring.
  GRIDLOOM_FN own_word place_of(std::uint32_t position) const {
    return own_word(slot_of(position));
  }

  /// Whether a lane that waits for the tag `wanted` should look in memory after `turns` turns, if
  /// the slot holds the tag `seen` (RR.R2).
  GRIDLOOM_FN static bool doubts(std::uint32_t turns, std::uint32_t seen, std::uint32_t wanted) {
    return seen > wanted || turns % Patience == 0;
  }

  /// Returns the tag of a slot, and sets `value` to the result in it.
  template <class Memory>
  GRIDLOOM_FN static std::uint32_t look(Memory& memory, own_word const& place,
                                        std::uint32_t& value) {
    ring_slot const seen = place.load(memory);  // RR.R1
    value = static_cast<std::uint32_t>(seen);
    return static_cast<std::uint32_t>(seen >> 32);
  }
  /// Puts a result into all rings, the block's own first.
  template <class Memory>
  GRIDLOOM_FN void put(Memory& memory, std::uint32_t position, std::uint32_t value) const {
    ring_slot* const slot = slot_of(position);
    ring_slot const result = ring_slot{tag_of(position)} << 32 | value;
    store_own(memory, slot, result);  // RR.R1
    if (blocks_ > 1) put_elsewhere<1>(memory, slot, result);
  }

 private:
  GRIDLOOM_FN ring_slot* slot_of(std::uint32_t position) const {
    return own_ + (position & (Slots - 1));
  }
  /// Puts a result into the rings of the blocks for which (rank xor own rank) >= `From`. The
  /// recursion is unrolled, because in a loop each store would wait for the previous one.
  template <int From, class Memory>
  GRIDLOOM_FN void put_elsewhere(Memory& memory, ring_slot* slot, ring_slot result) const {
    GRIDLOOM_UNROLL
    for (int k = From; k < 2 * From; ++k) {
      int const rank = rank_ ^ k;
      if (rank < blocks_) store_in_block(memory, rank, rank_, slot, Slots, result);  // RR.R1
    }
    if constexpr (2 * From < most_cluster_blocks) {
      if (blocks_ > 2 * From) put_elsewhere<2 * From>(memory, slot, result);
    }
  }

  ring_slot* own_;
  int rank_;
  int blocks_;
};

}  // namespace gridloom::wavefront
