#pragma once
// Where workers find the items of released groups, which stay in the application's memory.
//
// A released group gets tickets like single tasks, so every scheduler hands its tasks out as it
// does others. But nobody copies the items into the slots of the queue. The tickets are divided
// into pages, and the entry of a page says where the items of its tickets lie. So a few threads
// publish a group of any size, and its tasks find their items by their tickets alone. The tasks of a
// large group access different entries, because an L2 slice answers only about one access to a word
// per cycle.
//
// An entry holds one part of one group. If several groups want the same page at once, the items of
// the others are copied into slots.
//
// Rules of order, cited where they apply:
// GP.R1. An entry has one writer at a time. A thread takes an entry by compare-and-swap, and only
//     if all items of its last part were read.
// GP.R2. A worker that finds its ticket in an entry sees what the releasing worker saw. The writer
//     calls batch_fence before `publish`, and `find` acquires.
// GP.R3. An entry does not change while a ticket in it is unread. The ticket's own worker lowers
//     the count only after all its threads have read the item, which a barrier ensures, or one has
//     read it for all. Lowering releases and taking acquires. On a GPU both are relaxed, since
//     nothing but the entry is handed over, and coherence orders the accesses to it (see RS.R3).
//     PTX does not order accesses of 8 and 16 bytes to one entry, but L2 executes accesses to one
//     sector one after the other. A count outside of the entry would cost every task a releasing
//     fence.
// GP.R4. A group's ticket uses its slot without an item. Its worker does what producer and consumer
//     do otherwise: it waits until the slot is free, and frees it for the next lap (RS.R3). This
//     wait ends, because it is for an earlier ticket, which was given out before.
//
// An item is read before its task begins. So it may change from then on.

#include <cstdint>

#include "gridloom/portable.hpp"
#include "gridloom/tagged.hpp"

namespace gridloom::mhive {

/// The word of an entry: first ticket · 2^32 + size · 2^16 + number of unread items. A part whose
/// items were all read contains no ticket. An entry that is being written has size 0.
namespace part {
GRIDLOOM_FN inline std::uint64_t word(std::uint32_t first, std::uint32_t size,
                                      std::uint32_t unread) {
  return std::uint64_t{first} << 32U | size << 16U | unread;
}
GRIDLOOM_FN inline std::uint32_t first(std::uint64_t word) {
  return static_cast<std::uint32_t>(word >> 32U);
}
GRIDLOOM_FN inline std::uint32_t size(std::uint64_t word) { return (word >> 16U) & 0xffffU; }
GRIDLOOM_FN inline std::uint32_t unread(std::uint64_t word) { return word & 0xffffU; }
}  // namespace part

/// View of the entries of a queue. Any number of threads may call its functions at once.
template <class Item>
struct group_pages_ref {
  using entry = tagged<Item const*, std::uint64_t>;
  /// Tickets of a page.
  static constexpr std::uint32_t page = 256;

  entry* entries = nullptr;
  /// The queue's capacity.
  std::uint32_t capacity = 0;

  /// Number of entries of a queue.
  static std::uint32_t entries_for(std::uint32_t capacity) {
    return capacity < page ? 1 : capacity / page;
  }

  /// Publishes a part of a group: `n` items, whose tickets begin with `first` and lie on one page.
  /// Returns false if the page's entry is in use. Call it after a batch_fence (GP.R2). One thread.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool publish(Memory& memory, std::uint32_t first, std::uint32_t n,
                                         Item const* items) const {
    entry* const own = entry_of(first);
    std::uint64_t const last = memory.load_relaxed(&own->tag);
    if (part::unread(last) != 0) return false;
    std::uint64_t const found =
        memory.exchange_if_in_batch(&own->tag, last, part::word(first, 0, 1));  // GP.R1, GP.R3
    if (found == last) memory.put_tagged(own, part::word(first, n, n), items);  // GP.R2
    return found == last;
  }
  /// Returns whether the ticket belongs to a published group, and sets `item`. If so, everything
  /// that the releasing worker saw is visible.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool find(Memory& memory, std::uint32_t ticket, Item& item) const {
    entry seen;
    auto const holds = [&](std::uint64_t word) {
      return ticket - part::first(word) < part::size(word) && part::unread(word) != 0;
    };
    if (!memory.get_tagged_if(entry_of(ticket), holds, seen)) return false;  // GP.R2, GP.R3
    item = seen.value[ticket - part::first(seen.tag)];
    return true;
  }
  /// Counts an item that was found as read by all threads of its worker. One thread.
  template <class Memory>
  GRIDLOOM_FN void count_read(Memory& memory, std::uint32_t ticket) const {
    memory.fetch_sub_in_batch(&entry_of(ticket)->tag, std::uint64_t{1});  // GP.R3
  }

 private:
  GRIDLOOM_FN entry* entry_of(std::uint32_t ticket) const {
    return entries + (ticket & (capacity - 1)) / page;
  }
};

}  // namespace gridloom::mhive
