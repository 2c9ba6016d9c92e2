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

/// Next tickets of producers and consumers, each on a line of its own.
struct queue_words {
  alignas(line_bytes) std::uint32_t tail;
  alignas(line_bytes) std::uint32_t head;
};

/// View of a queue. `capacity` is a power of two up to 2^30.
template <class Item>
struct work_queue_ref {
  queue_words* words = nullptr;
  std::uint32_t* sequences = nullptr;
  Item* items = nullptr;
  std::uint32_t capacity = 0;

  /// Takes tickets of up to `wanted` items that are there or about to be; returns how many, from
  /// `first` on. One thread.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN std::uint32_t claim(Memory& memory, std::uint32_t wanted,
                                                std::uint32_t& first) const {
    for (;;) {
      std::uint32_t const head = memory.load_relaxed(&words->head);
      auto const waiting = static_cast<std::int32_t>(memory.load_relaxed(&words->tail) - head);
      if (waiting <= 0) return 0;
      auto const there = static_cast<std::uint32_t>(waiting);
      std::uint32_t const n = there < wanted ? there : wanted;
      if (memory.compare_exchange_relaxed(&words->head, head, head + n)) {
        first = head;
        return n;
      }
    }
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
  /// Gives the slot back, after the item was read.
  template <class Memory>
  GRIDLOOM_FN void free(Memory& memory, std::uint32_t ticket) const {
    memory.store_release(sequences + (ticket & (capacity - 1)), ticket + capacity);
  }

  /// Tickets for `n` items; whether there is room for them is asked by `has_room`.
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
  /// Puts the item of a reserved ticket into its free slot, with release order.
  template <class Memory>
  GRIDLOOM_FN void publish(Memory& memory, std::uint32_t ticket, Item const& value) const {
    items[ticket & (capacity - 1)] = value;
    memory.store_release(sequences + (ticket & (capacity - 1)), ticket + 1);
  }
};

}  // namespace gridloom::mhive
