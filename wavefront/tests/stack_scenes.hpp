#pragma once
// Scenarios of two to four workers with one lock or one locked stack, for seeded schedules.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "scheduled_memory.hpp"
#include "wavefront/locked_stack.hpp"

namespace gridloom::wavefront::test {

using gridloom::test::schedule;
using gridloom::test::scheduled_memory;
using gridloom::test::scheduled_watch;

/// Workers count under a lock, in two words that are equal whenever the lock is free.
class counting_under_a_lock {
 public:
  counting_under_a_lock(schedule& on, int workers, std::uint32_t each)
      : on_(&on), workers_(workers), each_(each) {
    for (auto const* word : {&words_->lock, &words_->first, &words_->second})
      on.memory().add(word, 0);
  }
  [[nodiscard]] int workers() const { return workers_; }
  void work(int worker) {
    scheduled_memory memory(*on_, worker);
    scheduled_watch watch(*on_);
    cas_lock_ref const lock(&words_->lock);
    for (std::uint32_t k = 0; k < each_; ++k) {
      if (!lock.lock(memory, worker, watch, 0)) on_->fail("the lock gave up");
      if (inside_++ != 0) on_->fail("two hold the lock");
      std::uint32_t const first = memory.load_relaxed(&words_->first);
      std::uint32_t const second = memory.load_relaxed(&words_->second);
      if (first != second) on_->fail("only some of the last owner's stores are visible");
      memory.store_relaxed(&words_->first, first + 1);
      memory.store_relaxed(&words_->second, second + 1);
      --inside_;
      lock.unlock(memory, worker);
    }
  }
  [[nodiscard]] std::string verdict() const {
    if (on_->memory().newest(&words_->lock) != 0) return "the lock is held in the end";
    return on_->memory().newest(&words_->first) == static_cast<std::uint32_t>(workers_) * each_
               ? ""
               : "counts lost";
  }

 private:
  struct words {
    std::uint32_t lock, first, second;
  };
  schedule* on_;
  int workers_;
  std::uint32_t each_;
  std::unique_ptr<words> words_ = std::make_unique<words>();
  int inside_ = 0;
};

/// Workers push and pop. The content of the stack is known, since they hold the lock.
class sharing_a_stack {
 public:
  static constexpr std::uint32_t max_capacity = 4;

  sharing_a_stack(schedule& on, std::uint32_t capacity, int workers, std::uint32_t each)
      : on_(&on), capacity_(capacity), workers_(workers), each_(each) {
    on.memory().add(&words_->of.lock, 0);
    on.memory().add(&words_->of.size, 0);
    // An access outside the stack's slots is an error, because the model has no such word.
    for (std::uint32_t i = 0; i < capacity; ++i) on.memory().add(&words_->items[i], 0);
    for (auto& word : words_->payload) on.memory().add(&word, 0);
  }
  [[nodiscard]] int workers() const { return workers_; }
  void work(int worker) {
    scheduled_memory memory(*on_, worker);
    std::uint32_t k = 0;
    while (k < each_ || received_ < total()) {
      if (k < each_) {
        std::uint32_t const value = static_cast<std::uint32_t>(worker) * 4 + k;
        memory.store_relaxed(&words_->payload[value], 1000 + value);
        if (push(memory, worker, value)) ++k;
      }
      std::uint32_t value = 0;
      if (!pop(memory, worker, value)) {
        on_->yielded();
        continue;
      }
      if (memory.load_relaxed(&words_->payload[value]) != 1000 + value)
        on_->fail("an item came before its data");
      ++received_;
    }
  }
  [[nodiscard]] std::string verdict() const {
    if (on_->memory().newest(&words_->of.size) != 0 || !inside_.empty()) return "items are left";
    return received_ == total() ? "" : "items lost";
  }

 private:
  struct words {
    locked_stack_words of{};
    std::array<std::uint32_t, max_capacity> items{};
    std::array<std::uint32_t, 16> payload{};
  };
  [[nodiscard]] int total() const { return workers_ * static_cast<int>(each_); }
  [[nodiscard]] locked_stack_ref stack() const {
    return {&words_->of, words_->items.data(), capacity_};
  }

  bool push(scheduled_memory& memory, int worker, std::uint32_t value) {
    scheduled_watch watch(*on_);
    if (!stack().lock().lock(memory, worker, watch, 0)) on_->fail("the lock gave up");
    bool const done = stack().push_locked(memory, value);
    if (done == (inside_.size() == capacity_)) on_->fail("push and capacity disagree");
    if (done) inside_.push_back(value);
    stack().lock().unlock(memory, worker);
    return done;
  }
  bool pop(scheduled_memory& memory, int worker, std::uint32_t& value) {
    scheduled_watch watch(*on_);
    if (!stack().lock().lock(memory, worker, watch, 0)) on_->fail("the lock gave up");
    bool const done = stack().pop_locked(memory, value);
    if (done == inside_.empty()) on_->fail("pop and content disagree");
    if (done) {
      if (inside_.back() != value) on_->fail("the item popped is not the last one pushed");
      inside_.pop_back();
    }
    stack().lock().unlock(memory, worker);
    return done;
  }

  schedule* on_;
  std::uint32_t capacity_;
  int workers_;
  std::uint32_t each_;
  std::unique_ptr<words> words_ = std::make_unique<words>();
  /// Expected content of the stack.
  std::vector<std::uint32_t> inside_;
  int received_ = 0;
};

}  // namespace gridloom::wavefront::test
