#pragma once
// The slots of a bounded ring in device memory, and the one protocol by which a slot passes from a
// producer to a consumer and back. How they come by their tickets is a claim policy's business:
// mpmc_ring.hpp has bounded and unbounded tickets, mhive/work_queue.hpp counts the items.
//
// Tickets are 32-bit and wrap; ticket t uses slot t mod capacity. A slot's tag is its sequence
// number, an idea of D. Vyukov's bounded MPMC queue: t means free for the producer of ticket t,
// t + 1 that the value of ticket t is there, t + capacity free for the next lap. A ticket has one
// producer and one consumer, so whoever may write a slot is alone with it.
//
// Rules of order, cited where they are served:
// S1. The tag comes with its value. Where both are one access (tagged.hpp) they are never seen
//     apart. Otherwise the value is written before a releasing store of the tag, and read after an
//     acquiring load of it.
// S2. Who takes a value sees what its producer saw. The producer puts a batch_fence before
//     `publish`. The consumer's `get` acquires; `look` does not, and a batch_fence follows it.
// S3. A slot goes back without a fence. The next producer looks for the tag that `free` wrote, and
//     nothing else is handed over: the tag's own word orders reading the old value before writing
//     the new one (coherence). Where tag and value are apart, `free` releases and `has_room`
//     acquires.
//
// Progress. `get` fails only until the ticket's producer has published, `has_room` only until the
// consumer of ticket - capacity has freed the slot. Neither waits: the caller does, under its
// watchdog.

#include <cstdint>

#include "gridloom/portable.hpp"
#include "gridloom/tagged.hpp"

namespace gridloom {

/// View of the slots. `capacity` is a power of two, 2 to 2^30. Any number of threads may call any
/// member, each for tickets of its own.
template <class T>
struct ring_slots_ref {
  tagged<T>* slots = nullptr;
  std::uint32_t capacity = 0;

  /// Tag of slot i before the first use, when tickets start at `first`.
  GRIDLOOM_FN static std::uint32_t first_tag(std::uint32_t i, std::uint32_t num_slots,
                                             std::uint32_t first = 0) {
    return first + ((i - first) & (num_slots - 1));
  }

  /// Whether the slot of a reserved ticket is free. False for ever if nobody takes what is in it.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool has_room(Memory& memory, std::uint32_t ticket) const {
    return memory.has_tag(slot_of(ticket), ticket);  // S3
  }
  /// Writes the value of a reserved ticket into its free slot. After a batch_fence (S2).
  template <class Memory>
  GRIDLOOM_FN void publish(Memory& memory, std::uint32_t ticket, T const& value) const {
    memory.put_tagged(slot_of(ticket), ticket + 1, value);  // S1
  }
  /// Whether the value of a claimed ticket has come, and the value. What its producer wrote before
  /// is visible then.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool get(Memory& memory, std::uint32_t ticket, T& value) const {
    return memory.get_tagged(slot_of(ticket), ticket + 1, value);  // S1, S2
  }
  /// The same for a caller whose batch_fence follows: until then only the value itself is visible.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool look(Memory& memory, std::uint32_t ticket, T& value) const {
    return memory.get_tagged_alone(slot_of(ticket), ticket + 1, value);  // S1
  }
  /// Gives the slot back after `value` was read from it, by all who read it. One thread.
  template <class Memory>
  GRIDLOOM_FN void free(Memory& memory, std::uint32_t ticket, T const& value) const {
    memory.free_tagged(slot_of(ticket), ticket + capacity, value);  // S3
  }

 private:
  GRIDLOOM_FN tagged<T>* slot_of(std::uint32_t ticket) const {
    return slots + (ticket & (capacity - 1));
  }
};

}  // namespace gridloom
