#pragma once
// Bounded multi-producer multi-consumer ring of words: ring slots (ring_slots.hpp, which argues
// their rules S1 to S3) with two claim policies, which mix:
// - `try_push`, `try_pop`: whole warps at once, one compare-and-swap for up to 32 values; full and
//   empty are return values.
// - tickets: `reserve_pop` takes tickets whether or not there are values yet, and `try_take` looks
//   whether one has arrived. A consumer that waits holds a ticket and polls a slot of its own
//   instead of a shared counter; a value finds the consumer that has waited longest. Only
//   `reserve_push` and the caller's capacity bound it.
//
// One limit on mixing: a pop ticket counts as room, so `try_push` may get a slot that the ticket's
// holder has yet to read, and waits for that. Who holds pop tickets therefore pushes by
// `try_publish`, and polls them between attempts.
//
// Order. Head and tail are relaxed: they only give each ticket to one thread, and all that travels
// with a value is ordered by its slot (S2).

#include <cstdint>

#include "gridloom/group.hpp"
#include "gridloom/queue/ring_slots.hpp"
#include "gridloom/watchdog.hpp"

namespace gridloom {

/// Head and tail, each on a line of its own.
struct mpmc_ring_words {
  /// Next ticket of a producer.
  alignas(line_bytes) std::uint32_t tail;
  /// Next ticket of a consumer.
  alignas(line_bytes) std::uint32_t head;
};

/// View of a ring. Any number of threads may call any member.
class mpmc_ring_ref : public ring_slots_ref<std::uint32_t> {
 public:
  using slot = tagged<std::uint32_t>;

  GRIDLOOM_FN mpmc_ring_ref(mpmc_ring_words* words, slot* first_slot, std::uint32_t num_slots)
      : ring_slots_ref{first_slot, num_slots}, words_(words) {}

  /// Slot i before the first use, when head and tail start at ticket `first`.
  GRIDLOOM_FN static slot empty_slot(std::uint32_t i, std::uint32_t num_slots,
                                     std::uint32_t first = 0) {
    return {first_tag(i, num_slots, first), 0};
  }

  /// Values of a warp's threads in, with one atomic. `has` says who has a value; the result, whose
  /// value is in. Called by all threads of the warp. May wait a moment for a consumer that has
  /// claimed a slot and not read it.
  template <class Memory, warp_group Warp, class Watch>
  [[nodiscard]] GRIDLOOM_FN bool try_push(Memory& memory, Warp const& warp, bool has,
                                          std::uint32_t value, Watch& watch) const {
    memory.batch_fence();  // S2
    std::uint32_t const givers = warp.ballot(has);
    std::uint32_t first = 0;
    std::uint32_t granted = 0;
    if (warp.thread_rank() == 0) {
      granted = claim(memory, &words_->tail, &words_->head, capacity, count_lanes(givers), first);
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
  /// Puts the value of a reserved ticket in; false as long as the slot's last value is unread.
  /// After a batch_fence (S2).
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool try_publish(Memory& memory, std::uint32_t ticket,
                                             std::uint32_t value) const {
    if (!has_room(memory, ticket)) return false;
    publish(memory, ticket, value);
    return true;
  }
  /// Takes the value of a reserved ticket; false as long as it has not come.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool try_take(Memory& memory, std::uint32_t ticket,
                                          std::uint32_t& value) const {
    std::uint32_t seen = 0;
    if (!get(memory, ticket, seen)) return false;
    free(memory, ticket, seen);
    value = seen;
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
};

}  // namespace gridloom
