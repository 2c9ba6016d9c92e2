#pragma once
// A worker of many threads in warps, for code that otherwise sees only workers of one thread on the
// host. The threads are fibers. Each runs until it waits for others, in ascending, descending or
// random order. A missing sync gives a wrong result in one of the first two orders.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "fiber.hpp"
#include "gridloom/random.hpp"

namespace gridloom::test {

/// `threads` is a multiple of 32.
class modelled_threads {
 public:
  static constexpr int lanes = 32;

  modelled_threads(int threads, bool falling)
      : threads_{threads}, falling_{falling}, lane_values_(static_cast<std::size_t>(threads)) {
    for (int t = 0; t < threads; ++t) {
      fibers_.push_back(std::make_unique<fiber>([this, t] { work(t); }));
    }
  }

  /// From now on, threads follow each other at random. The last thread at a barrier may wait, too.
  void switch_at_random(std::uint64_t seed) {
    at_random_ = true;
    random_ = random_source(seed);
  }
  /// Runs body(thread) for all threads.
  template <class Body>
  void run(Body&& body) {
    body_ = std::forward<Body>(body);
    left_ = threads_;
    problem_ = false;
    barriers_.assign(static_cast<std::size_t>(3 * (threads_ / lanes) + 2), {});
    done_.assign(static_cast<std::size_t>(threads_), false);
    current_ = falling_ ? threads_ - 1 : 0;
    fiber::switch_to(main_, *fibers_[static_cast<std::size_t>(current_)]);
    if (problem_) throw std::runtime_error("some threads wait for what others never reach");
  }

  void sync() { meet(0, threads_); }
  /// Called by a thread that waits for a word. Lets the next thread continue.
  void give_way() {
    if (problem_) leave(threads_);
    pass_on();
  }
  /// Synchronises one of several groups of `size` threads: 32, 64, 128, ... or all. The barriers of
  /// groups are numbered as in a heap.
  void sync_block(int thread, int size) {
    meet(1 + threads_ / lanes + threads_ / size + thread / size, size);
  }
  void sync_warp(int thread) { meet(1 + thread / lanes, std::min(lanes, threads_)); }
  std::uint64_t& lane_value(int thread) { return lane_values_[static_cast<std::size_t>(thread)]; }
  [[nodiscard]] int threads() const { return threads_; }

 private:
  struct barrier {
    int arrived = 0;
    int turn = 0;
  };

  void meet(int number, int size) {
    barrier& at = barriers_[static_cast<std::size_t>(number)];
    int const turn = at.turn;
    if (++at.arrived == size) {
      at = {0, turn + 1};
      idle_ = 0;
      if (at_random_) pass_on();
      return;
    }
    while (at.turn == turn) {
      if (++idle_ > 4 * threads_ * threads_) problem_ = true;
      if (problem_) leave(threads_);
      pass_on();
    }
  }
  void pass_on() {
    int const from = current_;
    if (at_random_)
      current_ = static_cast<int>(random_.below(static_cast<std::uint64_t>(threads_)));
    do {
      current_ = (current_ + (falling_ ? threads_ - 1 : 1)) % threads_;
    } while (done_[static_cast<std::size_t>(current_)]);
    if (current_ == from) return;
    fiber::switch_to(*fibers_[static_cast<std::size_t>(from)],
                     *fibers_[static_cast<std::size_t>(current_)]);
  }
  void work(int thread) {
    body_(thread);
    done_[static_cast<std::size_t>(thread)] = true;
    leave(1);
  }
  void leave(int threads) {
    left_ -= threads;
    if (left_ > 0) {
      pass_on();
    } else {
      fiber::switch_to(*fibers_[static_cast<std::size_t>(current_)], main_);
    }
  }

  int threads_;
  bool falling_;
  std::vector<std::uint64_t> lane_values_;
  std::vector<std::unique_ptr<fiber>> fibers_;
  fiber main_;
  std::function<void(int)> body_;
  std::vector<barrier> barriers_;
  std::vector<bool> done_;
  int left_ = 0;
  int current_ = 0;
  int idle_ = 0;
  bool problem_ = false;
  bool at_random_ = false;
  random_source random_{0};
};

/// Stands for cuda_warp.
class modelled_warp {
 public:
  static constexpr int max_threads = modelled_threads::lanes;
  modelled_warp(modelled_threads& all, int thread) : all_{&all}, thread_{thread} {}
  [[nodiscard]] int thread_rank() const { return thread_ % modelled_threads::lanes; }
  [[nodiscard]] int num_threads() const { return modelled_threads::lanes; }
  [[nodiscard]] int index() const { return thread_ / modelled_threads::lanes; }
  [[nodiscard]] int count() const { return all_->threads() / modelled_threads::lanes; }
  void pause(unsigned) const { all_->give_way(); }
  void sync() const { all_->sync_warp(thread_); }
  [[nodiscard]] modelled_warp warp() const { return *this; }
  template <int Threads>
  [[nodiscard]] modelled_warp part() const {
    static_assert(Threads == modelled_threads::lanes);
    return *this;
  }
  [[nodiscard]] std::uint32_t ballot(bool p) const {
    all_->lane_value(thread_) = p ? 1 : 0;
    all_->sync_warp(thread_);
    std::uint32_t votes = 0;
    for (int lane = 0; lane < num_threads(); ++lane) {
      std::uint64_t const vote = all_->lane_value(thread_ - thread_rank() + lane);
      votes |= static_cast<std::uint32_t>(vote) << lane;
    }
    all_->sync_warp(thread_);
    return votes;
  }
  [[nodiscard]] bool any(bool p) const { return ballot(p) != 0; }
  template <class T>
  T shuffle(T value, int rank) const {
    static_assert(sizeof(T) <= sizeof(std::uint64_t));
    std::memcpy(&all_->lane_value(thread_), &value, sizeof(T));
    all_->sync_warp(thread_);
    std::memcpy(&value, &all_->lane_value(thread_ - thread_rank() + rank), sizeof(T));
    all_->sync_warp(thread_);
    return value;
  }

 private:
  modelled_threads* all_;
  int thread_;
};

/// Stands for cuda_block or cuda_tile. Without a `size`, all threads are one block.
class modelled_group {
 public:
  modelled_group(modelled_threads& all, int thread, int size = 0)
      : all_{&all}, thread_{thread}, size_{size == 0 ? all.threads() : size} {}
  [[nodiscard]] int thread_rank() const { return thread_ % size_; }
  [[nodiscard]] int num_threads() const { return size_; }
  [[nodiscard]] int index() const { return thread_ / size_; }
  [[nodiscard]] int count() const { return all_->threads() / size_; }
  void sync() const { all_->sync_block(thread_, size_); }
  [[nodiscard]] bool any(bool p) const {
    all_->lane_value(thread_) = p ? 1 : 0;
    sync();
    bool result = false;
    for (int t = 0; t < size_; ++t)
      result = result || all_->lane_value(thread_ - thread_rank() + t) != 0;
    sync();
    return result;
  }
  void pause(unsigned) const { all_->give_way(); }
  [[nodiscard]] modelled_warp warp() const { return {*all_, thread_}; }
  template <int Warps>
  [[nodiscard]] modelled_group tile() const {
    return {*all_, thread_, Warps * modelled_threads::lanes};
  }

 private:
  modelled_threads* all_;
  int thread_;
  int size_;
};

}  // namespace gridloom::test
