#pragma once
// Bounded first-in first-out queue without locks, after Tsigas and Zhang, "A Simple, Fast and
// Scalable Non-Blocking Concurrent FIFO Queue for Shared Memory Multiprocessor Systems" (SPAA
// 2001). The report uses it for ready queues and for the queue of finished tasks (II.D, point 3).
//
// The paper's two ideas are kept. First, each slot says whether it is empty. An agent puts a value
// in, or takes it out, by a compare-and-swap of the slot. Second, tail and head are hints that lag
// behind and move once in a few operations. An agent searches for the right slot from the hint on.
//
// Departure. In the paper an empty slot holds one of two nulls, which alternate from lap to lap.
// They stop an agent that slept through one lap from writing into a slot that is empty again. They
// do not stop an agent that slept through two laps. Here each slot holds the number of its lap
// beside the value, which protects against up to 2^32 operations.
//
// Tickets count the operations of a queue and wrap. Ticket t uses slot t mod capacity in lap t /
// capacity. A slot is (lap, 0) when it is free for the put of that lap. It is (lap, value) when it
// holds that lap's value, and (lap + 1, 0) after the take.
//
// Rules of order, cited in the code:
// FQ.R1. A slot passes from one agent to another by a compare-and-swap of the whole slot. A slot's
//     states only go forward, so the compare-and-swap of an agent that saw an old state fails.
// FQ.R2. The agent that takes a value sees what the agent that put it had done before. The put
//     releases; the load that sees the value acquires. Nothing is read from a free slot, so the
//     compare-and-swap of a take is relaxed.
// FQ.R3. Hints are never ahead: the agent that moves a hint to t + 1 saw that ticket t was put
//     (taken).
// FQ.R4. All tickets before a hint were put (taken). An agent skips a ticket only if the ticket's
//     slot proves that it was put (taken). Then the slot holds that lap's value (for a put), or is
//     in a later lap. So the first free (filled) slot that an agent finds belongs to the oldest
//     ticket.
// FQ.R5. An agent that alone puts into a queue, or alone takes from it, counts its tickets and needs
//     no hint. No other agent fills a free slot (empties a filled one). So a load, and later a
//     store, do what the compare-and-swap does.

#include <cstdint>
#include <type_traits>

#include "gridloom/group.hpp"
#include "gridloom/portable.hpp"

namespace gridloom::tiled_qr {

/// The hints of one queue, each in a cache line of its own; 0 at the start.
struct fifo_words {
  alignas(line_bytes) std::uint32_t tail;
  alignas(line_bytes) std::uint32_t head;
};

/// View of a queue of values other than 0. Any number of threads may call any member.
class fifo_queue_ref {
 public:
  fifo_queue_ref() = default;
  /// `slots` is an array of 2^`log_capacity` slots, at least 1, all 0 at the start.
  GRIDLOOM_FN fifo_queue_ref(fifo_words* words, std::uint64_t* slots, std::uint32_t log_capacity)
      : words_(words), slots_(slots), log_capacity_(log_capacity) {}

  /// Returns false if the queue is full.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool try_put(Memory& memory, std::uint32_t value) const {
    std::uint32_t const hint = memory.load_relaxed(&words_->tail);
    for (std::uint32_t ticket = hint;;) {
      std::uint64_t const seen = memory.load_relaxed(slot_of(ticket));
      std::int32_t const ahead = lap_difference(seen, ticket);
      // The slot still holds the previous lap's value, so the queue is full.
      if (ahead < 0) return false;
      if (ahead == 0 && value_of(seen) == 0) {
        if (memory.compare_exchange_release(slot_of(ticket), seen,
                                            filled(seen, value))) {  // FQ.R1, FQ.R2
          move(memory, &words_->tail, hint, ticket);
          return true;
        }
        continue;
      }
      ticket = further(memory, &words_->tail, ticket);  // FQ.R4
    }
  }

  /// Returns false if the queue is empty. Otherwise `value` gets the oldest value.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool try_take(Memory& memory, std::uint32_t& value) const {
    std::uint32_t const hint = memory.load_relaxed(&words_->head);
    for (std::uint32_t ticket = hint;;) {
      std::uint64_t const seen = memory.load_acquire(slot_of(ticket));  // FQ.R2
      std::int32_t const ahead = lap_difference(seen, ticket);
      if (ahead < 0 || (ahead == 0 && value_of(seen) == 0)) return false;
      if (ahead == 0) {
        if (memory.compare_exchange_relaxed(slot_of(ticket), seen, emptied(seen))) {  // FQ.R1
          value = value_of(seen);
          move(memory, &words_->head, hint, ticket);
          return true;
        }
        continue;
      }
      ticket = further(memory, &words_->head, ticket);  // FQ.R4
    }
  }

  // For an agent that alone puts, or alone takes (FQ.R5). It uses each ticket once, from 0 on.

  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool has_room(Memory& memory, std::uint32_t ticket) const {
    return memory.load_relaxed(slot_of(ticket)) == freed(ticket);
  }
  /// The ticket's slot must have room.
  template <class Memory>
  GRIDLOOM_FN void put(Memory& memory, std::uint32_t ticket, std::uint32_t value) const {
    memory.store_release(slot_of(ticket), filled(freed(ticket), value));  // FQ.R2
  }
  /// Takes the oldest values that are there, one per thread of a group, in the order of ranks.
  /// Returns 0 in the other threads. `first` is the ticket of the first thread.
  template <class Memory, warp_group Group>
  [[nodiscard]] GRIDLOOM_FN std::uint32_t take(Memory& memory, Group const& group,
                                               std::uint32_t first) const {
    std::uint32_t const ticket = first + static_cast<std::uint32_t>(group.thread_rank());
    std::uint64_t* const slot = slot_of(ticket);
    std::uint64_t const seen = memory.load_acquire(slot);  // FQ.R2
    bool const is_there = lap_difference(seen, ticket) == 0 && value_of(seen) != 0;
    // A value may have come after a lower thread has looked for the one before it.
    std::uint32_t const missing = ~group.ballot(is_there) & lanes_below(group.thread_rank());
    if (!is_there || missing != 0) return 0;
    memory.store_relaxed(slot, emptied(seen));
    return value_of(seen);
  }

 private:
  /// A hint moves once in this many tickets.
  static constexpr std::uint32_t lag = 2;

  GRIDLOOM_FN std::uint64_t* slot_of(std::uint32_t ticket) const {
    return slots_ + (ticket & ((1U << log_capacity_) - 1U));
  }
  GRIDLOOM_FN static std::uint32_t value_of(std::uint64_t slot) {
    return static_cast<std::uint32_t>(slot);
  }
  /// A ticket's lap is the part of its bits above the slot's number, and wraps.
  GRIDLOOM_FN std::uint32_t lap_mask() const { return ~0U >> log_capacity_; }
  GRIDLOOM_FN std::int32_t lap_difference(std::uint64_t slot, std::uint32_t ticket) const {
    std::uint32_t const laps = static_cast<std::uint32_t>(slot >> 32U) - (ticket >> log_capacity_);
    return static_cast<std::int32_t>(laps << log_capacity_);
  }
  /// The slot of a ticket that is free for its put.
  GRIDLOOM_FN std::uint64_t freed(std::uint32_t ticket) const {
    return std::uint64_t{ticket >> log_capacity_} << 32U;
  }
  GRIDLOOM_FN static std::uint64_t filled(std::uint64_t seen, std::uint32_t value) {
    return seen | value;
  }
  GRIDLOOM_FN std::uint64_t emptied(std::uint64_t seen) const {
    std::uint32_t const lap = (static_cast<std::uint32_t>(seen >> 32U) + 1U) & lap_mask();
    return std::uint64_t{lap} << 32U;
  }
  /// The next ticket to look at: `ticket` + 1, or the hint if it is further.
  template <class Memory>
  GRIDLOOM_FN static std::uint32_t further(Memory& memory, std::uint32_t* hint,
                                           std::uint32_t ticket) {
    std::uint32_t const now = memory.load_relaxed(hint);
    return static_cast<std::int32_t>(now - (ticket + 1)) > 0 ? now : ticket + 1;
  }
  template <class Memory>
  GRIDLOOM_FN static void move(Memory& memory, std::uint32_t* word, std::uint32_t hint,
                               std::uint32_t ticket) {
    // If this fails, another agent has moved the hint; the next agent will move it further.
    if ((ticket + 1) % lag == 0)
      static_cast<void>(memory.compare_exchange_relaxed(word, hint, ticket + 1));  // FQ.R3
  }

  fifo_words* words_ = nullptr;
  std::uint64_t* slots_ = nullptr;
  std::uint32_t log_capacity_ = 0;
};

static_assert(std::is_trivially_copyable_v<fifo_queue_ref>);

}  // namespace gridloom::tiled_qr
