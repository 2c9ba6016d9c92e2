#pragma once
// Bounded multi-producer multi-consumer ring of words. It consists of ring slots (ring_slots.hpp,
// with rules RS.R1 to RS.R3) and two ways to claim them, which can be mixed:
// - `try_push` and `try_pop` are for whole warps: one compare-and-swap claims up to 32 values. They
//   fail if the ring is full or empty.
// - `reserve_pop` takes tickets even if there are no values yet, and `try_take` checks whether the
//   value of a ticket has arrived. So a waiting consumer polls its own slot instead of a shared
//   counter, and values go to the consumers that have waited longest. For tickets, the caller must
//   ensure that there is room (see `reserve_push`).
//
// Mixing has one limit, because pop tickets count as free room. `try_push` may get a slot that a
// ticket's holder has not read yet, and then waits for the holder. So a thread that holds pop
// tickets pushes by `try_publish`, and polls its tickets between attempts.
//
// Order. Accesses to head and tail are relaxed, because they only give each ticket to one thread.
// The slot orders everything that is passed on with a value (RS.R2).

#include <cstdint>

#include "gridloom/group.hpp"
#include "gridloom/queue/ring_slots.hpp"
#include "gridloom/watchdog.hpp"

namespace gridloom {

/// Head and tail, on separate cache lines.
struct mpmc_ring_words {
  /// Next ticket of a producer.
  alignas(line_bytes) std::uint32_t tail;
  /// Next ticket of a consumer.
  alignas(line_bytes) std::uint32_t head;
};

/// View of a ring. Any number of threads may call any member at once.
class mpmc_ring_ref : public ring_slots_ref<std::uint32_t> {
 public:
  using slot = tagged<std::uint32_t>;

  GRIDLOOM_FN mpmc_ring_ref(mpmc_ring_words* words, slot* first_slot, std::uint32_t num_slots)
      : ring_slots_ref{first_slot, num_slots}, words_(words) {}

  /// Initial contents of slot i if head and tail start at ticket `first`.
  GRIDLOOM_FN static slot empty_slot(std::uint32_t i, std::uint32_t num_slots,
                                     std::uint32_t first = 0) {
    return {first_tag(i, num_slots, first), 0};
  }

  /// Pushes values of the threads of a warp, with one atomic operation. `has`: whether this thread
  /// has a value. Returns whether its value was pushed. Called by all threads of the warp. May wait
  /// briefly for a consumer that has claimed a slot but not read it.
  template <class Memory, warp_group Warp, class Watch>
  [[nodiscard]] GRIDLOOM_FN bool try_push(Memory& memory, Warp const& warp, bool has,
                                          std::uint32_t value, Watch& watch) const {
    memory.batch_fence();  // RS.R2
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

  /// Pops values for the threads of a warp, with one atomic operation. `wants`: whether this thread
  /// wants a value. Returns whether it got one. Called by all threads of the warp. May wait briefly
  /// for a producer that has claimed a slot but not written it.
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

  /// Takes `n` tickets for values to publish, and returns the first ticket. The caller ensures that
  /// there is room, or waits for room.
  template <class Memory>
  GRIDLOOM_FN std::uint32_t reserve_push(Memory& memory, std::uint32_t n) const {
    return memory.fetch_add_relaxed(&words_->tail, n);
  }
  /// Takes `n` tickets for values to consume, and returns the first ticket. Each ticket stands for
  /// one value, which may come later.
  template <class Memory>
  GRIDLOOM_FN std::uint32_t reserve_pop(Memory& memory, std::uint32_t n) const {
    return memory.fetch_add_relaxed(&words_->head, n);
  }
  /// Publishes the value of a reserved ticket. Returns false while the slot holds an unread value.
  /// Called after a batch_fence (RS.R2).
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool try_publish(Memory& memory, std::uint32_t ticket,
                                             std::uint32_t value) const {
    if (!has_room(memory, ticket)) return false;
    publish(memory, ticket, value);
    return true;
  }
  /// Takes the value of a reserved ticket. Returns false while the value has not come.
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN bool try_take(Memory& memory, std::uint32_t ticket,
                                          std::uint32_t& value) const {
    std::uint32_t seen = 0;
    if (!get(memory, ticket, seen)) return false;
    free(memory, ticket, seen);
    value = seen;
    return true;
  }

  /// If positive, the number of values that wait for a consumer; if negative, the number of
  /// consumers that wait for a value. Outdated as soon as it is returned.
  template <class Memory>
  GRIDLOOM_FN std::int32_t backlog(Memory& memory) const {
    std::uint32_t const head = memory.load_relaxed(&words_->head);
    return static_cast<std::int32_t>(memory.load_relaxed(&words_->tail) - head);
  }

 private:
  /// Advances `mine` by up to `wanted`, but not beyond `other + distance`. Returns the number of
  /// tickets, and sets `first` to the first ticket.
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
