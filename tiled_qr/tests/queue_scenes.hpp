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

struct traffic {
  int producers;
  int consumers;
  /// Number of values that each producer puts, at most 8.
  std::uint32_t each;
};

class queue_scene {
 public:
  static constexpr std::uint32_t most_slots = 4;

  /// Tickets begin at `first`, a multiple of the capacity.
  queue_scene(schedule& on, std::uint32_t log_capacity, std::uint32_t first, traffic who)
      : on_(&on), log_capacity_(log_capacity), who_(who) {
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
        while (!queue().try_put(memory, value + 1)) on_->yielded();
      }
      return;
    }
    std::array<int, 4> last{-1, -1, -1, -1};
    while (received_ < total()) {
      std::uint32_t value = 0;
      if (!queue().try_take(memory, value)) {
        on_->yielded();
        continue;
      }
      --value;
      if (memory.load_relaxed(&words_->payload[value]) != 1000 + value)
        on_->fail("a value came before its data");
      if (taken_[value]) on_->fail("a value came twice");
      taken_[value] = true;
      // Values of one producer must arrive in the order in which it put them.
      if (last[value / 8] >= static_cast<int>(value % 8)) on_->fail("not first in, first out");
      last[value / 8] = static_cast<int>(value % 8);
      ++received_;
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

  schedule* on_;
  std::uint32_t log_capacity_;
  traffic who_;
  std::unique_ptr<words> words_ = std::make_unique<words>();
  std::array<bool, 32> taken_{};
  int received_ = 0;
};

}  // namespace gridloom::tiled_qr::test
