#pragma once
// The queue of one task type: a bounded ring of work items with a sequence number in every slot.
// Any number of workers put items in and take them out at once.
//
// Tickets are 32-bit and wrap; ticket t uses slot t mod capacity. Sequence t: the slot waits for
// the item of ticket t; t + 1: the item is there. Unlike the common mpmc_ring, whose values are a
// word, items have any size, so a consumer reads the item before it frees the slot.

#include <cstdint>

#include "gridloom/atomic.hpp"
#include "gridloom/portable.hpp"

namespace gridloom::mhive {

/// Next tickets of producers and consumers, and the items nobody has claimed, each on a line of its
/// own. The count is what keeps consumers from taking tickets that no item will come for: it is
/// lowered first and corrected if there was less, two updates that never fail, where a
/// compare-and-swap of the head would fail most of the time under thousands of workers.
struct queue_words {
  alignas(line_bytes) std::uint32_t tail;
  alignas(line_bytes) std::uint32_t head;
  alignas(line_bytes) std::int32_t count;
  /// Tickets before this one that were not executed when somebody cleared the queue are dropped.
  alignas(line_bytes) std::uint32_t cleared;
};

/// View of a queue. `capacity` is a power of two up to 2^30.
template <class Item>
struct work_queue_ref {
  static constexpr std::uint32_t longest_queue = 1U << 30U;

  queue_words* words = nullptr;
  std::uint32_t* sequences = nullptr;
  Item* items = nullptr;
  std::uint32_t capacity = 0;

  /// Takes up to `wanted` of the items that are there or about to be from the count; returns how
  /// many. `tickets` then says which. One thread.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN std::int32_t claim(Memory& memory, std::int32_t wanted) const {
    std::int32_t const there = memory.fetch_sub_in_batch(&words->count, wanted);
    std::int32_t const granted = there <= 0 ? 0 : (there < wanted ? there : wanted);
    if (granted < wanted) memory.fetch_add_relaxed(&words->count, wanted - granted);
    return granted;
  }
  /// The first of `n` tickets that were claimed.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN std::uint32_t tickets(Memory& memory, std::int32_t n) const {
    return memory.fetch_add_relaxed(&words->head, static_cast<std::uint32_t>(n));
  }

  /// Whether the item of a claimed ticket has arrived, with acquire order. Its producer has the
  /// ticket and is about to publish.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool arrived(Memory& memory, std::uint32_t ticket) const {
    return memory.load_acquire(sequences + (ticket & (capacity - 1))) == ticket + 1;
  }
  /// The item of a ticket that arrived.
  [[nodiscard]] GRIDLOOM_FN Item const& item(std::uint32_t ticket) const {
    return items[ticket & (capacity - 1)];
  }
  /// Whether a task of a clearable type was dropped. Tickets wrap, so the boundary follows them at
  /// a distance that no slot's ticket can lie behind.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool dropped(Memory& memory, std::uint32_t ticket) const {
    if ((ticket & (longest_queue / 4 - 1)) == 0) drop_before(memory, ticket - longest_queue);
    return static_cast<std::int32_t>(ticket - memory.load_relaxed(&words->cleared)) < 0;
  }
  /// Drops the tasks of all tickets before this one. The boundary only grows.
  template <class Memory>
  GRIDLOOM_FN void drop_before(Memory& memory, std::uint32_t ticket) const {
    for (;;) {
      std::uint32_t const held = memory.load_relaxed(&words->cleared);
      if (static_cast<std::int32_t>(ticket - held) <= 0) return;
      if (memory.compare_exchange_relaxed(&words->cleared, held, ticket)) return;
    }
  }
  /// Gives the slot back, after the item was read.
  template <class Memory>
  GRIDLOOM_FN void free(Memory& memory, std::uint32_t ticket) const {
    memory.store_release(sequences + (ticket & (capacity - 1)), ticket + capacity);
  }

  /// Tickets for `n` items; whether there is room for them is asked by `has_room`. One thread.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN std::uint32_t reserve(Memory& memory, std::uint32_t n) const {
    return memory.fetch_add_relaxed(&words->tail, n);
  }
  /// Whether the slot of a reserved ticket is free. False for ever if the queue is full and nobody
  /// takes from it.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool has_room(Memory& memory, std::uint32_t ticket) const {
    return memory.load_acquire(sequences + (ticket & (capacity - 1))) == ticket;
  }
  /// As has_room, for several slots at once; a batch_fence follows.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool has_room_in_batch(Memory& memory, std::uint32_t ticket) const {
    return memory.load_in_batch(sequences + (ticket & (capacity - 1))) == ticket;
  }
  /// Writes the item of a reserved ticket into its free slot. A batch_fence and `publish` follow.
  GRIDLOOM_FN void write(std::uint32_t ticket, Item const& value) const {
    items[ticket & (capacity - 1)] = value;
  }
  template <class Memory>
  GRIDLOOM_FN void publish(Memory& memory, std::uint32_t ticket) const {
    memory.store_in_batch(sequences + (ticket & (capacity - 1)), ticket + 1);
  }
  /// Lets consumers claim `n` items whose tickets were reserved. After a batch_fence, if whoever
  /// claims them must also see what their producer saw before, which the gate of a program with
  /// phases needs (control.hpp). One thread.
  template <class Memory>
  GRIDLOOM_FN void offer(Memory& memory, std::uint32_t n) const {
    memory.fetch_add_in_batch(&words->count, static_cast<std::int32_t>(n));
  }
};

}  // namespace gridloom::mhive
