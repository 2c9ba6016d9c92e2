#pragma once
// The queue of one task type. Items lie in ring slots (gridloom/queue/ring_slots.hpp, rules RS.R1
// to RS.R3). The items of released groups stay where they are (group_pages.hpp). Consumers claim no
// more tickets than items were offered. Any number of workers put items in and take them out
// concurrently. Items may have any size, but items of up to 12 bytes cost least (tagged.hpp).
//
// Rules of order, cited where they apply:
// WQ.R1. The thread that claims an item sees what its producer saw of the gate before it offered
//     the item (control.hpp). `offer` follows a batch_fence, and `claim_tickets` acquires.
//     If the claim is issued together with other work, the batch_fence of that work acquires.
// WQ.R2. The thread that reads an item sees what its producer wrote before (RS.R2). The same
//     batch_fence serves both rules.
// WQ.R3. The tail is relaxed, since it only gives each ticket to one producer.

#include <cstdint>

#include "gridloom/atomic.hpp"
#include "gridloom/portable.hpp"
#include "gridloom/queue/ring_slots.hpp"
#include "mhive/group_pages.hpp"

namespace gridloom::mhive {

/// The consumers' word of a queue: head · 2^32 + count. The head is the next ticket that is not
/// claimed. The count is the number of items that were offered and not claimed, and stops consumers
/// from taking tickets without items. It may fall below 0 for a moment (see claim_tickets). Then the word
/// borrows from the head, for which decoding accounts.
namespace ready {
GRIDLOOM_FN inline std::uint64_t word(std::uint32_t head, std::int64_t count) {
  return (std::uint64_t{head} << 32U) + static_cast<std::uint64_t>(count);
}
GRIDLOOM_FN inline std::int32_t count(std::uint64_t word) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(word));
}
GRIDLOOM_FN inline std::uint32_t head(std::uint64_t word) {
  return static_cast<std::uint32_t>(
      (word - static_cast<std::uint64_t>(std::int64_t{count(word)})) >> 32U);
}
}  // namespace ready

/// The words of a queue. Frequently written words have a cache line of their own.
struct queue_words {
  /// The next ticket that a producer gets.
  alignas(line_bytes) std::uint32_t tail;
  alignas(line_bytes) std::uint64_t ready;
  /// Tasks that grouped dependencies hold back: groups · 2^32 + tasks. `one_group` is the address
  /// of one of the groups, or 0.
  alignas(line_bytes) std::uint64_t held_back;
  std::uint64_t one_group;
  /// A ticket below this one is dropped if it had not been executed when a task called clear().
  alignas(line_bytes) std::uint32_t cleared;
  /// Tickets whose items were put back into the queue, with new tickets.
  std::uint32_t put_back;
};

/// Tickets first .. first + n - 1.
struct claimed_tickets {
  std::int32_t n = 0;
  std::uint32_t first = 0;
};

/// The `meanwhile` of a caller without other work.
struct nothing_meanwhile {
  GRIDLOOM_FN static bool needed() { return false; }
  GRIDLOOM_FN void operator()() const {}
};

/// Claims up to `wanted` items of a queue that were offered. Acquires, so that later accesses come after the
/// claim. `seen` is the word `ready` as the caller read it, and holds at least one item. One
/// thread. If `meanwhile.needed()`, calls `meanwhile()` while the claim is on its way. It begins with
/// a batch_fence and then is no longer needed.
///
/// A few items are claimed by compare-and-swap, which changes nothing if it fails. With many
/// items and thousands of workers, most compare-and-swaps would fail. So two updates that never
/// fail replace it: the first lowers the count, the second corrects it and advances the head.
template <class Memory, class Meanwhile = nothing_meanwhile>
[[nodiscard]] GRIDLOOM_FN claimed_tickets claim_tickets(queue_words& words, Memory& memory,
                                                        std::uint64_t seen, std::int32_t wanted,
                                                        bool many, Meanwhile&& meanwhile = {}) {
  constexpr int compare_attempts = 2;
  auto const most = [wanted](std::int32_t there) { return there < wanted ? there : wanted; };
  for (int attempt = 0; attempt < (many ? 0 : compare_attempts); ++attempt) {
    std::int32_t const n = most(ready::count(seen));
    if (n <= 0) return {};
    auto const rest = seen + ready::word(static_cast<std::uint32_t>(n), -std::int64_t{n});
    std::uint64_t before = 0;
    if (meanwhile.needed()) {
      before = memory.exchange_if_in_batch(&words.ready, seen, rest);
      meanwhile();  // WQ.R1
    } else {
      before = memory.exchange_if_acquire(&words.ready, seen, rest);  // WQ.R1
    }
    if (before == seen) return {n, ready::head(seen)};
    seen = before;
  }
  if (meanwhile.needed()) meanwhile();
  std::int32_t const there = ready::count(  // WQ.R1
      memory.fetch_add_acquire(&words.ready, ready::word(0, -std::int64_t{wanted})));
  std::int32_t const n = there <= 0 ? 0 : most(there);
  std::uint64_t const before = memory.fetch_add_relaxed(
      &words.ready, ready::word(static_cast<std::uint32_t>(n), std::int64_t{wanted} - n));
  return {n, ready::head(before)};
}

/// View of a queue. `capacity` is a power of two up to 2^30.
template <class Item>
struct work_queue_ref : ring_slots_ref<Item> {
  static constexpr std::uint32_t longest_queue = 1U << 30U;

  queue_words* words = nullptr;
  /// Where the items of released groups lie, for a grouped type.
  group_pages_ref<Item> groups{};

  /// Records that all tickets below `ticket` were given out. Used by a controller, which gives out
  /// tickets itself, and by its kernels. `claim_tickets` and `take_before` advance the head themselves.
  template <class Memory>
  GRIDLOOM_FN void raise_head(Memory& memory, std::uint32_t ticket) const {
    std::uint64_t seen = memory.load_relaxed(&words->ready);
    while (static_cast<std::int32_t>(ticket - ready::head(seen)) > 0) {
      std::uint64_t const before =
          memory.exchange_if_in_batch(&words->ready, seen, ready::word(ticket, 0));
      if (before == seen) return;
      seen = before;
    }
  }
  /// Gives out the next ticket below `end`, even if its item was not offered. Returns false if
  /// there is none. One thread.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool take_before(Memory& memory, std::uint32_t end,
                                             std::uint32_t& ticket) const {
    std::uint64_t seen = memory.load_relaxed(&words->ready);
    for (;;) {
      ticket = ready::head(seen);
      if (ticket == end) return false;
      std::uint64_t const before =
          memory.exchange_if_in_batch(&words->ready, seen, ready::word(ticket + 1, 0));
      if (before == seen) return true;
      seen = before;
    }
  }
  /// Whether the task of this ticket was dropped. For a clearable type. Tickets wrap around. So the
  /// word `cleared` is raised now and then, before it is so far behind that it would count as
  /// ahead.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool dropped(Memory& memory, std::uint32_t ticket) const {
    if ((ticket & (longest_queue / 4 - 1)) == 0) drop_before(memory, ticket - longest_queue);
    return static_cast<std::int32_t>(ticket - memory.load_relaxed(&words->cleared)) < 0;
  }
  /// Drops the tasks of all tickets below `ticket`. The word `cleared` only grows.
  template <class Memory>
  GRIDLOOM_FN void drop_before(Memory& memory, std::uint32_t ticket) const {
    for (;;) {
      std::uint32_t const held = memory.load_relaxed(&words->cleared);
      if (static_cast<std::int32_t>(ticket - held) <= 0) return;
      if (memory.compare_exchange_relaxed(&words->cleared, held, ticket)) return;
    }
  }

  /// Takes tickets for `n` items and returns the first. `has_room` says whether their slots are
  /// free. One thread.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN std::uint32_t reserve(Memory& memory, std::uint32_t n) const {
    return memory.fetch_add_relaxed(&words->tail, n);  // WQ.R3
  }
  /// Lets consumers claim `n` items whose tickets were reserved. Call it after a batch_fence
  /// (WQ.R1). One thread.
  template <class Memory>
  GRIDLOOM_FN void offer(Memory& memory, std::uint32_t n) const {
    memory.fetch_add_in_batch(&words->ready, ready::word(0, n));  // WQ.R1
  }
};

}  // namespace gridloom::mhive
