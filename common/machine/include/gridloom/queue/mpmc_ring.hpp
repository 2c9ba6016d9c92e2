#pragma once
// Bounded multi-producer multi-consumer ring with a sequence number in every slot.
//
// A slot is one 64-bit word, sequence above value, so a consumer learns both by one load. Tickets
// are 32-bit and wrap; ticket t uses slot t mod capacity. A slot whose sequence is t is free for
// the producer of ticket t; t + 1 means that the value of ticket t is in it; its consumer sets t +
// capacity, which frees it for the next lap. The idea of per-slot sequence numbers is D. Vyukov's
// bounded MPMC queue.
//
// Two ways to use it, which mix:
// - `try_push`, `try_pop`: whole warps at once, one compare-and-swap for up to 32 values; full and
// empty are return
//   values.
// - tickets: `reserve_pop` takes tickets whether or not there are values yet, and `try_take` looks
// whether one has
//   arrived. A consumer that waits holds a ticket and polls a slot of its own instead of a shared
//   counter; a value finds the consumer that has waited longest. Only `reserve_push` and the
//   caller's capacity bound it.
// One limit on mixing: a pop ticket counts as room, so `try_push` may get a slot that the ticket's
// holder has yet to read, and waits for that. Who holds pop tickets therefore pushes by
// `try_publish`, and polls them between attempts.

#include <cstdint>

#include "gridloom/group.hpp"
#include "gridloom/watchdog.hpp"

namespace gridloom {

/// Head and tail, each on a line of its own.
struct mpmc_ring_words {
  alignas(line_bytes) std::uint32_t tail;  ///< next ticket of a producer
  alignas(line_bytes) std::uint32_t head;  ///< next ticket of a consumer
};

/// View of a ring of `capacity` slots, a power of two, 2 to 2^30. Any number of threads may call
/// any member.
class mpmc_ring_ref {
 public:
  GRIDLOOM_FN mpmc_ring_ref(mpmc_ring_words* words, std::uint64_t* slots, std::uint32_t capacity)
      : words_(words), slots_(slots), mask_(capacity - 1) {}

  GRIDLOOM_FN std::uint32_t capacity() const { return mask_ + 1; }

  /// Content of slot i before the first use, when head and tail start at ticket `first`.
  GRIDLOOM_FN static std::uint64_t empty_slot(std::uint32_t i, std::uint32_t capacity,
                                              std::uint32_t first = 0) {
    return word(first + ((i - first) & (capacity - 1)), 0);
  }

  /// Values of a warp's threads in, with one atomic. `has` says who has a value; the result, whose
  /// value is in. Called by all threads of the warp. May wait a moment for a consumer that has
  /// claimed a slot and not read it.
  template <class Memory, warp_group Warp, class Watch>
  [[nodiscard]] GRIDLOOM_FN bool try_push(Memory& memory, Warp const& warp, bool has,
                                          std::uint32_t value, Watch& watch) const {
    std::uint32_t const givers = warp.ballot(has);
    std::uint32_t first = 0;
    std::uint32_t granted = 0;
    if (warp.thread_rank() == 0) {
      granted = claim(memory, &words_->tail, &words_->head, capacity(), count_lanes(givers), first);
    }
    granted = warp.shuffle(granted, 0);
    first = warp.shuffle(first, 0);
    auto const rank =
        static_cast<std::uint32_t>(count_lanes(givers & lanes_below(warp.thread_rank())));
    if (!has || rank >= granted) return false;
    for (unsigned attempt = 0; !try_publish(memory, first + rank, value); ++attempt) {
      if (watch.stop(memory, wait_kind::ring_slot, first + rank, 0, 1)) return false;
      warp.pause(attempt);
    }
    return true;
  }

  /// Values for a warp's threads out, with one atomic. `wants` says who wants one; the result, who
  /// got one. Called by all threads of the warp. May wait a moment for a producer that has claimed
  /// a slot and not written it.
  template <class Memory, warp_group Warp, class Watch>
  [[nodiscard]] GRIDLOOM_FN bool try_pop(Memory& memory, Warp const& warp, bool wants,
                                         std::uint32_t& value, Watch& watch) const {
    std::uint32_t const takers = warp.ballot(wants);
    std::uint32_t first = 0;
    std::uint32_t granted = 0;
    if (warp.thread_rank() == 0) {
      granted = claim(memory, &words_->head, &words_->tail, 0, count_lanes(takers), first);
    }
    granted = warp.shuffle(granted, 0);
    first = warp.shuffle(first, 0);
    auto const rank =
        static_cast<std::uint32_t>(count_lanes(takers & lanes_below(warp.thread_rank())));
    if (!wants || rank >= granted) return false;
    for (unsigned attempt = 0; !try_take(memory, first + rank, value); ++attempt) {
      if (watch.stop(memory, wait_kind::ring_slot, first + rank, 0, 1)) return false;
      warp.pause(attempt);
    }
    return true;
  }

  /// `n` tickets to publish under; the first is returned. The caller knows that there is room, or
  /// waits for it.
  template <class Memory>
  GRIDLOOM_FN std::uint32_t reserve_push(Memory& memory, std::uint32_t n) const {
    return memory.fetch_add_relaxed(&words_->tail, n);
  }
  /// `n` tickets to take under; the first is returned. Each belongs to one value, there already or
  /// still to come.
  template <class Memory>
  GRIDLOOM_FN std::uint32_t reserve_pop(Memory& memory, std::uint32_t n) const {
    return memory.fetch_add_relaxed(&words_->head, n);
  }
  /// Puts the value of a reserved ticket in, with release order; false as long as the slot's last
  /// value is unread.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool try_publish(Memory& memory, std::uint32_t ticket,
                                             std::uint32_t value) const {
    std::uint64_t* const slot = slots_ + (ticket & mask_);
    if (sequence(memory.load_acquire(slot)) != ticket) return false;
    memory.store_release(slot, word(ticket + 1, value));
    return true;
  }
  /// Takes the value of a reserved ticket, with acquire order; false as long as it has not come.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool try_take(Memory& memory, std::uint32_t ticket,
                                          std::uint32_t& value) const {
    std::uint64_t* const slot = slots_ + (ticket & mask_);
    std::uint64_t const content = memory.load_acquire(slot);
    if (sequence(content) != ticket + 1) return false;
    value = static_cast<std::uint32_t>(content);
    memory.store_release(slot, word(ticket + capacity(), 0));
    return true;
  }

  /// Halves of `try_take` for a caller that orders by `batch_fence`: look first, do other things,
  /// then accept.
  template <class Memory>
  GRIDLOOM_FN std::uint64_t peek_in_batch(Memory& memory, std::uint32_t ticket) const {
    return memory.load_in_batch(slots_ + (ticket & mask_));
  }
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool accept_in_batch(Memory& memory, std::uint32_t ticket,
                                                 std::uint64_t peeked, std::uint32_t& value) const {
    if (sequence(peeked) != ticket + 1) return false;
    value = static_cast<std::uint32_t>(peeked);
    // The slot's value was read by the load whose result this depends on: nothing is left that must
    // be kept before this store, and the next producer's store is ordered behind it by its own look
    // at the sequence.
    memory.store_in_batch(slots_ + (ticket & mask_), word(ticket + capacity(), 0));
    return true;
  }

  /// Values waiting for a consumer if positive, consumers waiting for a value if negative; out of
  /// date at once.
  template <class Memory>
  GRIDLOOM_FN std::int32_t backlog(Memory& memory) const {
    std::uint32_t const head = memory.load_relaxed(&words_->head);
    return static_cast<std::int32_t>(memory.load_relaxed(&words_->tail) - head);
  }

 private:
  GRIDLOOM_FN static std::uint64_t word(std::uint32_t sequence, std::uint32_t value) {
    return std::uint64_t{sequence} << 32 | value;
  }
  GRIDLOOM_FN static std::uint32_t sequence(std::uint64_t word) {
    return static_cast<std::uint32_t>(word >> 32);
  }

  /// Advances `mine` by up to `wanted` as far as `other + distance` allows; returns how far, and
  /// from where.
  template <class Memory>
  GRIDLOOM_FN static std::uint32_t claim(Memory& memory, std::uint32_t* mine,
                                         std::uint32_t const* other, std::uint32_t distance,
                                         int wanted, std::uint32_t& first) {
    while (wanted > 0) {
      std::uint32_t const from = memory.load_relaxed(mine);
      auto const room = static_cast<std::int32_t>(memory.load_relaxed(other) + distance - from);
      if (room <= 0) return 0;
      auto const n = static_cast<std::uint32_t>(room < wanted ? room : wanted);
      if (memory.compare_exchange_relaxed(mine, from, from + n)) {
        first = from;
        return n;
      }
    }
    return 0;
  }

  mpmc_ring_words* words_;
  std::uint64_t* slots_;
  std::uint32_t mask_;
};

}  // namespace gridloom
