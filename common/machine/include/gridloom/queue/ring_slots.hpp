#pragma once
// The slots of a bounded ring in device memory, and the protocol by which a slot passes from a
// producer to a consumer and back. The user of this header decides how threads get tickets: see
// mpmc_ring.hpp and mhive/work_queue.hpp.
//
// Tickets have 32 bits and wrap around. Ticket t uses slot t mod capacity. The tag of a slot is its
// sequence number, an idea of D. Vyukov's bounded MPMC queue:
// - t: the slot is free for the producer of ticket t;
// - t + 1: the slot holds the value of ticket t;
// - t + capacity: the slot is free for the next lap.
// A ticket has one producer and one consumer, so a slot has at most one writer at a time.
//
// Rules of order:
// RS.R1. A thread that sees the tag sees the value. If one access covers both (tagged.hpp), nothing
//     more is needed. Otherwise the value is written before a release store of the tag, and read
//     after an acquire load of the tag.
// RS.R2. The consumer of a value sees what the value's producer saw. The producer calls batch_fence
//     before `publish`. The consumer's `get` acquires; after `look` the consumer calls batch_fence.
// RS.R3. Returning a slot needs no fence, because nothing but the slot is handed over. The next
//     producer waits for the tag that `free` wrote. Coherence of the tag's word orders the read of
//     the old value before the write of the new one. If tag and value are separate accesses, `free`
//     releases and `has_room` acquires.
//
// Progress. `get` fails only until the producer of the ticket has published. `has_room` fails only
// until the consumer of ticket - capacity has freed the slot. Neither function waits. The caller
// waits, under its watchdog.

#include <cstdint>

#include "gridloom/portable.hpp"
#include "gridloom/tagged.hpp"

namespace gridloom {

/// View of the slots. `capacity` is a power of two from 2 to 2^30. Any number of threads may call
/// any member at once, each for its own tickets.
template <class T>
struct ring_slots_ref {
  tagged<T>* slots = nullptr;
  std::uint32_t capacity = 0;

  /// Initial tag of slot i if tickets start at `first`.
  GRIDLOOM_FN static std::uint32_t first_tag(std::uint32_t i, std::uint32_t num_slots,
                                             std::uint32_t first = 0) {
    return first + ((i - first) & (num_slots - 1));
  }

  /// Whether the slot of a reserved ticket is free.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool has_room(Memory& memory, std::uint32_t ticket) const {
    return memory.has_tag(slot_of(ticket), ticket);  // RS.R3
  }
  /// Writes the value of a reserved ticket into its free slot. Called after a batch_fence (RS.R2).
  template <class Memory>
  GRIDLOOM_FN void publish(Memory& memory, std::uint32_t ticket, T const& value) const {
    memory.put_tagged(slot_of(ticket), ticket + 1, value);  // RS.R1
  }
  /// Returns whether the value of a claimed ticket has come, and sets `value`. If it has come,
  /// everything that its producer wrote before is visible.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool get(Memory& memory, std::uint32_t ticket, T& value) const {
    return memory.get_tagged(slot_of(ticket), ticket + 1, value);  // RS.R1, RS.R2
  }
  /// Like `get`, but only the value itself is visible until the caller calls batch_fence.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool look(Memory& memory, std::uint32_t ticket, T& value) const {
    return memory.get_tagged_alone(slot_of(ticket), ticket + 1, value);  // RS.R1
  }
  /// Gives the slot back after all its readers have read `value`. Called by one thread.
  template <class Memory>
  GRIDLOOM_FN void free(Memory& memory, std::uint32_t ticket, T const& value) const {
    memory.free_tagged(slot_of(ticket), ticket + capacity, value);  // RS.R3
  }

 private:
  GRIDLOOM_FN tagged<T>* slot_of(std::uint32_t ticket) const {
    return slots + (ticket & (capacity - 1));
  }
};

}  // namespace gridloom
