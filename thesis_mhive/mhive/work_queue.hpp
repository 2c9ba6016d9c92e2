#pragma once
// The queue of one task type: ring slots (gridloom/queue/ring_slots.hpp, rules S1 to S3) whose
// consumers claim only as many tickets as items were offered. Any number of workers put items in
// and take them out at once. Items have any size; those of up to 12 bytes cost the least (see
// tagged.hpp).
//
// Rules of order, cited where they are served:
// Q1. What a producer saw of the gate before it offered an item (control.hpp), whoever claims the
//     item sees: `offer` follows a batch_fence, `claim` acquires.
// Q2. What a producer wrote before, whoever reads the item sees: S2. One batch_fence serves both.
// Q3. The tail is relaxed: it only gives each ticket to one producer.

#include <cstdint>

#include "gridloom/atomic.hpp"
#include "gridloom/portable.hpp"
#include "gridloom/queue/ring_slots.hpp"

namespace gridloom::mhive {

/// The consumers' side of a queue in one word: head · 2^32 + count, with the next ticket that
/// nobody has and the number of items that were offered and not claimed. The count is what keeps
/// consumers from taking tickets that no item will come for. It may be below 0 for a moment, see
/// claim; then the sum borrows from the head, and is decoded accordingly.
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

/// Each on a line of its own.
struct queue_words {
  /// Next ticket of producers.
  alignas(line_bytes) std::uint32_t tail;
  alignas(line_bytes) std::uint64_t ready;
  /// Grouped dependencies that hold tasks back: groups · 2^32 + tasks, and one of the groups, if
  /// known.
  alignas(line_bytes) std::uint64_t held_back;
  std::uint64_t a_group;
  /// Tickets before this one that were not executed when somebody cleared the queue are dropped.
  alignas(line_bytes) std::uint32_t cleared;
};

/// Tickets first .. first + n - 1.
struct claimed_tickets {
  std::int32_t n = 0;
  std::uint32_t first = 0;
};

/// View of a queue. `capacity` is a power of two up to 2^30.
template <class Item>
struct work_queue_ref : ring_slots_ref<Item> {
  static constexpr std::uint32_t longest_queue = 1U << 30U;

  queue_words* words = nullptr;

  /// Claims up to `wanted` of the items that are there or about to be; acquires, so that what
  /// follows comes after the claim. `seen` is the word `ready` as the caller saw it, with at least
  /// one item. One thread.
  ///
  /// Where few items are left, by compare-and-swap, which disturbs nobody if it fails. Where there
  /// are many, and thousands of workers, most would fail; then by two updates that never do: the
  /// count is lowered first, and corrected as the head moves on.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN claimed_tickets claim(Memory& memory, std::uint64_t seen,
                                                  std::int32_t wanted, bool many) const {
    for (int attempt = 0; attempt < (many ? 0 : compare_attempts); ++attempt) {
      std::int32_t const n = least(ready::count(seen), wanted);
      if (n <= 0) return {};
      auto const rest = seen + ready::word(static_cast<std::uint32_t>(n), -std::int64_t{n});
      std::uint64_t const before = memory.exchange_if_acquire(&words->ready, seen, rest);  // Q1
      if (before == seen) return {n, ready::head(seen)};
      seen = before;
    }
    std::int32_t const there = ready::count(  // Q1
        memory.fetch_add_acquire(&words->ready, ready::word(0, -std::int64_t{wanted})));
    std::int32_t const n = there <= 0 ? 0 : least(there, wanted);
    std::uint64_t const before = memory.fetch_add_relaxed(
        &words->ready, ready::word(static_cast<std::uint32_t>(n), std::int64_t{wanted} - n));
    return {n, ready::head(before)};
  }

  /// All tickets before this one have been given out. By a controller, which gives them out itself,
  /// or its kernels: `claim` and `take_before` do that by themselves.
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
  /// Gives out the next ticket before `end`, whose items need not have been offered. False when
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

  /// Tickets for `n` items; whether there is room for them is asked by `has_room`. One thread.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN std::uint32_t reserve(Memory& memory, std::uint32_t n) const {
    return memory.fetch_add_relaxed(&words->tail, n);  // Q3
  }
  /// Lets consumers claim `n` items whose tickets were reserved. After a batch_fence (Q1). One
  /// thread.
  template <class Memory>
  GRIDLOOM_FN void offer(Memory& memory, std::uint32_t n) const {
    memory.fetch_add_in_batch(&words->ready, ready::word(0, n));  // Q1
  }

 private:
  static constexpr int compare_attempts = 2;

  GRIDLOOM_FN static std::int32_t least(std::int32_t a, std::int32_t b) { return a < b ? a : b; }
};

}  // namespace gridloom::mhive
