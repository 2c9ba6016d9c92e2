#pragma once
// Scenes for seeded schedules: two to four workers use one queue. Producers put values, and
// consumers take them.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "scheduled_memory.hpp"
#include "tiled_qr/fifo_queue.hpp"

namespace gridloom::tiled_qr::test {

using gridloom::test::schedule;
using gridloom::test::scheduled_memory;
using gridloom::test::scheduled_warp;
using gridloom::test::warp_board;

struct traffic {
  int producers;
  int consumers;
  /// Number of values that each producer puts, at most 8.
  std::uint32_t each;
  /// Whether the consumers are lanes of one warp, which alone takes, and one producer alone puts.
  bool counted = false;
};

class queue_scene {
 public:
  static constexpr std::uint32_t most_slots = 4;

  /// Tickets begin at `first`, a multiple of the capacity.
  queue_scene(schedule& on, std::uint32_t log_capacity, std::uint32_t first, traffic who)
      : on_(&on), log_capacity_(log_capacity), first_(first), who_(who) {
    std::uint64_t const lap = std::uint64_t{first >> log_capacity} << 32U;
    words_->of = {first, first};
    on.memory().add(&words_->of.tail, first);
    on.memory().add(&words_->of.head, first);
    // The model knows only these words, so it reports an access to any other word.
    for (std::uint32_t i = 0; i < 1U << log_capacity; ++i) on.memory().add(&words_->slots[i], lap);
    for (auto& word : words_->payload) on.memory().add(&word, 0);
  }
  [[nodiscard]] int workers() const { return who_.producers + who_.consumers; }
  void work(int worker) {
    scheduled_memory memory(*on_, worker);
    if (worker < who_.producers) {
      for (std::uint32_t k = 0; k < who_.each; ++k) {
        std::uint32_t const value = static_cast<std::uint32_t>(worker) * 8 + k;
        memory.store_relaxed(&words_->payload[value], 1000 + value);
        while (!put(memory, first_ + k, value + 1)) on_->yielded();
      }
      return;
    }
    std::array<int, 4> last{-1, -1, -1, -1};
    if (who_.counted) return take_together(memory, worker - who_.producers, last);
    while (received_ < total()) {
      std::uint32_t value = 0;
      if (!queue().try_take(memory, value)) {
        on_->yielded();
        continue;
      }
      require_order(--value, last);
      receive(memory, value);
    }
  }
  [[nodiscard]] std::string verdict() const {
    return received_ == total() ? "" : "values were lost";
  }

 private:
  struct words {
    fifo_words of{};
    std::array<std::uint64_t, most_slots> slots{};
    std::array<std::uint32_t, 32> payload{};
  };
  [[nodiscard]] int total() const { return who_.producers * static_cast<int>(who_.each); }
  [[nodiscard]] fifo_queue_ref queue() const {
    return {&words_->of, words_->slots.data(), log_capacity_};
  }
  bool put(scheduled_memory& memory, std::uint32_t ticket, std::uint32_t value) const {
    if (!who_.counted || who_.producers > 1) return queue().try_put(memory, value);
    if (!queue().has_room(memory, ticket)) return false;
    queue().put(memory, ticket, value);
    return true;
  }
  void take_together(scheduled_memory& memory, int lane, std::array<int, 4>& last) {
    scheduled_warp const warp(*on_, *board_, who_.producers, who_.consumers, lane);
    for (int taken = 0; taken < total();) {
      std::uint32_t const own =
          queue().take(memory, warp, first_ + static_cast<std::uint32_t>(taken));
      int const before = taken;
      for (int from = 0; from < who_.consumers; ++from) {
        std::uint32_t const value = warp.shuffle(own, from);
        if (value == 0) continue;
        require_order(value - 1, last);
        ++taken;
      }
      if (own != 0) receive(memory, own - 1);
      if (taken == before) on_->yielded();
    }
  }
  /// Values of one producer must arrive in the order in which it put them.
  void require_order(std::uint32_t value, std::array<int, 4>& last) const {
    if (last[value / 8] >= static_cast<int>(value % 8)) on_->fail("not first in, first out");
    last[value / 8] = static_cast<int>(value % 8);
  }
  void receive(scheduled_memory& memory, std::uint32_t value) {
    if (memory.load_relaxed(&words_->payload[value]) != 1000 + value)
      on_->fail("a value came before its data");
    if (taken_[value]) on_->fail("a value came twice");
    taken_[value] = true;
    ++received_;
  }

  schedule* on_;
  std::uint32_t log_capacity_;
  std::uint32_t first_;
  traffic who_;
  std::unique_ptr<warp_board> board_ = std::make_unique<warp_board>();
  std::unique_ptr<words> words_ = std::make_unique<words>();
  std::array<bool, 32> taken_{};
  int received_ = 0;
};

}  // namespace gridloom::tiled_qr::test
