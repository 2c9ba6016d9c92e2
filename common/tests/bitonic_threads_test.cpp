#define BOOST_TEST_MODULE bitonic_threads
// The bitonic sort by 256 threads in warps, which exchange pairs in registers and by shuffles. On
// the host a group is one thread; here fibers make one, each of which runs until it has to wait for
// others, in rising and in falling order: what a missing sync leaves to chance comes out wrong in
// one of them.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "fiber.hpp"
#include "gridloom/sort/bitonic.hpp"

namespace gridloom::test {
namespace {

class modelled_threads {
 public:
  static constexpr int lanes = 32;

  modelled_threads(int threads, bool falling)
      : threads_{threads}, falling_{falling}, lane_values_(static_cast<std::size_t>(threads)) {
    for (int t = 0; t < threads; ++t) {
      fibers_.push_back(std::make_unique<fiber>([this, t] { work(t); }));
    }
  }

  /// body(thread) by all threads.
  template <class Body>
  void run(Body&& body) {
    body_ = std::forward<Body>(body);
    left_ = threads_;
    problem_ = false;
    barriers_.assign(static_cast<std::size_t>(1 + threads_ / lanes + 1), {});
    done_.assign(static_cast<std::size_t>(threads_), false);
    current_ = falling_ ? threads_ - 1 : 0;
    fiber::switch_to(main_, *fibers_[static_cast<std::size_t>(current_)]);
    if (problem_) throw std::runtime_error("some threads wait for what others never reach");
  }

  void sync() { meet(0, threads_); }
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
};

class modelled_warp {
 public:
  modelled_warp(modelled_threads& all, int thread) : all_{&all}, thread_{thread} {}
  [[nodiscard]] int thread_rank() const { return thread_ % modelled_threads::lanes; }
  [[nodiscard]] int num_threads() const { return modelled_threads::lanes; }
  template <class T>
  T shuffle(T value, int rank) const {
    all_->lane_value(thread_) = value;
    all_->sync_warp(thread_);
    T const result = static_cast<T>(all_->lane_value(thread_ - thread_rank() + rank));
    all_->sync_warp(thread_);
    return result;
  }

 private:
  modelled_threads* all_;
  int thread_;
};

class modelled_group {
 public:
  modelled_group(modelled_threads& all, int thread) : all_{&all}, thread_{thread} {}
  [[nodiscard]] int thread_rank() const { return thread_; }
  [[nodiscard]] int num_threads() const { return all_->threads(); }
  [[nodiscard]] int index() const { return 0; }
  [[nodiscard]] int count() const { return 1; }
  void sync() const { all_->sync(); }
  void pause(unsigned) const {}
  [[nodiscard]] modelled_warp warp() const { return {*all_, thread_}; }

 private:
  modelled_threads* all_;
  int thread_;
};

template <class Key>
void check(modelled_threads& threads, std::uint32_t n, Key below) {
  std::vector<std::pair<Key, std::uint32_t>> pairs;
  for (std::uint32_t i = 0; i < n; ++i) {
    std::uint64_t const noise = (i + 1 + n) * 0x9e3779b97f4a7c15U;
    pairs.emplace_back(static_cast<Key>((noise >> 7U) % below), static_cast<std::uint32_t>(noise));
  }
  std::vector<Key> keys;
  std::vector<std::uint32_t> values;
  for (auto const& [key, value] : pairs) {
    keys.push_back(key);
    values.push_back(value);
  }
  auto const scratch = std::make_unique<bitonic_scratch<Key, std::uint32_t>>();
  std::memset(scratch.get(), 0xa5, sizeof(*scratch));
  threads.run([&](int thread) {
    bitonic_sort(modelled_group{threads, thread}, keys.data(), values.data(), n, *scratch);
  });
  std::sort(pairs.begin(), pairs.end());
  bool right = true;
  for (std::uint32_t i = 0; i < n; ++i) {
    right = right && pairs[i] == std::pair{keys[i], values[i]};
  }
  BOOST_TEST(right, n << " pairs, " << threads.threads() << " threads");
}

BOOST_AUTO_TEST_CASE(pairs_in_registers_and_in_scratch) {
  for (bool const falling : {false, true}) {
    for (int const size : {256, 96}) {
      modelled_threads threads{size, falling};
      for (std::uint32_t const n : {0U, 1U, 2U, 3U, 4U, 5U, 7U, 8U, 30U, 127U, 128U, 129U, 255U,
                                    400U, 513U, 1023U, 1024U, 1025U, 2500U}) {
        check<std::uint32_t>(threads, n, ~0U);
        check<std::uint64_t>(threads, n, 5);
      }
    }
  }
}

}  // namespace
}  // namespace gridloom::test
