#pragma once
// A ring in the memory of a schedule. ring_scenes.hpp has the workers.

#include <array>
#include <bit>
#include <memory>
#include <string>

#include "gridloom/queue/mpmc_ring.hpp"
#include "scheduled_memory.hpp"

namespace gridloom::test {

/// A ring in the memory of a schedule, with a record of the values that were sent and received.
///
/// Each value v has data in another word. The producer writes the data before it pushes v, and the
/// consumer reads them after it pops v. If it sees the old data, the queue does not order memory.
class ring_scene {
 public:
  static constexpr std::uint32_t max_capacity = 4;
  static constexpr std::uint32_t max_values = 16;

  /// `only_tries`: workers use only try_push and try_pop, so head and tail bound each other.
  ring_scene(schedule& on, std::uint32_t capacity, std::uint32_t first, bool only_tries)
      : on_(&on), capacity_(capacity) {
    on.memory().add(&words_->tail, first);
    on.memory().add(&words_->head, first);
    for (std::uint32_t i = 0; i < capacity; ++i) {
      on.memory().add(&(*slots_)[i],
                      std::bit_cast<std::uint64_t>(mpmc_ring_ref::empty_slot(i, capacity, first)));
    }
    for (auto& word : *payload_) on.memory().add(&word, 0);
    if (only_tries) on.set_invariant([this] { return bounds(); });
  }
  ring_scene(ring_scene const&) = delete;

  [[nodiscard]] mpmc_ring_ref ring() const { return {words_.get(), slots_->data(), capacity_}; }
  [[nodiscard]] schedule& on() const { return *on_; }
  [[nodiscard]] bool all_received() const { return received_ == expected_; }
  /// Sets the number of values.
  void expect(int values) { expected_ = values; }

  /// Returns the k-th value of a producer after writing its data.
  std::uint32_t make(scheduled_memory& memory, int producer, std::uint32_t k) {
    std::uint32_t const value = static_cast<std::uint32_t>(producer) * 4 + k;
    memory.store_relaxed(&(*payload_)[value], data_of(value));
    return value;
  }
  /// Records that a consumer received the value.
  void receive(scheduled_memory& memory, int consumer, std::uint32_t value) {
    if (value >= max_values) on_->fail("received " + std::to_string(value) + ", which nobody sent");
    if (memory.load_relaxed(&(*payload_)[value]) != data_of(value)) {
      on_->fail("worker " + std::to_string(consumer) + " received " + std::to_string(value) +
                " before its data");
    }
    if (taken_[value]++ != 0) on_->fail("received " + std::to_string(value) + " twice");
    ++received_;
  }
  /// Called with a consumer's values in order of tickets. Values of one producer must ascend.
  void check_order(int consumer, std::uint32_t value) {
    int& last = last_from_[static_cast<std::size_t>(consumer)][value / 4];
    if (static_cast<int>(value) < last)
      on_->fail("received " + std::to_string(value) + " out of order");
    last = static_cast<int>(value);
  }

  void receive_in_order(scheduled_memory& memory, int consumer, std::uint32_t value) {
    receive(memory, consumer, value);
    check_order(consumer, value);
  }

  [[nodiscard]] std::string verdict() const {
    if (!all_received()) return std::to_string(expected_ - received_) + " values lost";
    std::uint64_t const head = on_->memory().newest(&words_->head);
    if (on_->memory().newest(&words_->tail) != head)
      return "the ring is empty, but head and tail differ";
    for (std::uint32_t i = 0; i < capacity_; ++i) {
      auto const next = static_cast<std::uint32_t>(head);
      auto const left = std::bit_cast<mpmc_ring_ref::slot>(on_->memory().newest(&(*slots_)[i]));
      if (left.tag != mpmc_ring_ref::first_tag(i, capacity_, next)) {
        return "slot " + std::to_string(i) + " is not ready for the next lap";
      }
    }
    return "";
  }

 private:
  static std::uint32_t data_of(std::uint32_t value) { return 1000 + value; }
  [[nodiscard]] std::string bounds() const {
    auto const inside =
        static_cast<std::int32_t>(static_cast<std::uint32_t>(on_->memory().newest(&words_->tail)) -
                                  static_cast<std::uint32_t>(on_->memory().newest(&words_->head)));
    if (inside < 0) return "more was claimed than is inside";
    if (inside > static_cast<std::int32_t>(capacity_))
      return "more is inside than there is room for";
    return "";
  }

  schedule* on_;
  std::uint32_t capacity_;
  std::unique_ptr<mpmc_ring_words> words_ = std::make_unique<mpmc_ring_words>();
  using slots = std::array<mpmc_ring_ref::slot, max_capacity>;
  using payload = std::array<std::uint32_t, max_values>;
  std::unique_ptr<slots> slots_ = std::make_unique<slots>();
  std::unique_ptr<payload> payload_ = std::make_unique<payload>();
  int expected_ = 0;
  int received_ = 0;
  std::array<int, max_values> taken_{};
  std::array<std::array<int, 4>, 4> last_from_{};
};

}  // namespace gridloom::test
