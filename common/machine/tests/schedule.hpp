#pragma once
// Runs two to eight workers in turn on one thread. A seed decides at every step which worker
// continues.
//
// The seed also selects one of three policies, because each finds different faults: a random worker
// at every step; the same worker for a while; or priorities that change at a few random steps. The
// last one is from Burckhardt et al., "A Randomized Scheduler with Probabilistic Guarantees of
// Finding Bugs", ASPLOS 2010.

#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fiber.hpp"
#include "weak_memory.hpp"

namespace gridloom::test {

/// Whether `_in_batch` operations and `batch_fence` behave like those of the host or of the device.
enum class machine_model { host, cuda };

class schedule {
 public:
  static constexpr int max_workers = weak_memory::max_workers;
  static constexpr std::uint32_t max_steps = 20'000;

  schedule() : random_(0) {
    for (int worker = 0; worker < max_workers; ++worker) {
      fibers_[static_cast<std::size_t>(worker)] =
          std::make_unique<fiber>([this, worker] { run_worker(worker); });
    }
  }

  /// Starts a new run with a memory that has no words.
  void reset(std::uint64_t seed, machine_model model) {
    random_ = choices(seed);
    model_ = model;
    policy_ = static_cast<int>(seed % 3);
    constexpr std::uint32_t stale[] = {1, 4, 7};
    memory_.reset(random_, stale[random_.below(3)]);
    invariant_ = nullptr;
    problem_.clear();
  }
  weak_memory& memory() { return memory_; }
  [[nodiscard]] machine_model model() const { return model_; }
  choices& random() { return random_; }
  /// Sets a check that runs after every change of a word. It returns the problem, or an empty text.
  void set_invariant(std::function<std::string()> invariant) { invariant_ = std::move(invariant); }

  /// Runs `body(worker)` for each worker. Returns the problem, or an empty text.
  std::string run(int workers, std::function<void(int)> body) {
    body_ = std::move(body);
    workers_ = workers;
    unfinished_ = (1U << workers) - 1U;
    runnable_ = unfinished_;
    steps_ = 0;
    in_a_row_ = 0;
    for (std::size_t w = 0; w < max_workers; ++w)
      priority_[w] = static_cast<std::int64_t>(random_.below(1000));
    for (std::uint32_t& at : change_at_) at = random_.below(120);
    current_ = choose();
    fiber::switch_to(main_, *fibers_[static_cast<std::size_t>(current_)]);
    return problem_;
  }

  // Functions that the workers call.

  /// Called before every access of a worker.
  void step() {
    if (++steps_ > max_steps) fail("did not end: a worker waits for something that never comes");
    if (!problem_.empty()) throw stopped();
    for (std::uint32_t const at : change_at_) {
      if (at == steps_) demote();
    }
    hand_over();
  }
  /// Called by a worker that waits. The other workers get higher priorities.
  void yielded() { demote(); }
  /// Sleeps until another worker calls `wake`.
  void sleep() {
    runnable_ &= ~(1U << current_);
    if (runnable_ == 0) fail("deadlock: all sleep");
    hand_over();
    if (!problem_.empty()) throw stopped();
  }
  void wake(int worker) { runnable_ |= (1U << worker) & unfinished_; }
  [[nodiscard]] int current() const { return current_; }

  /// Ends the run of all workers with this problem.
  [[noreturn]] void fail(std::string const& problem) {
    if (problem_.empty()) problem_ = problem;
    throw stopped();
  }
  void changed() {
    if (!invariant_) return;
    std::string const problem = invariant_();
    if (!problem.empty()) fail(problem);
  }

 private:
  /// Unwinds a worker's stack when the run has failed.
  struct stopped {};

  void run_worker(int worker) {
    try {
      if (problem_.empty()) body_(worker);
    } catch (stopped const&) {
    } catch (std::exception const& error) {
      if (problem_.empty()) problem_ = error.what();
    }
    unfinished_ &= ~(1U << worker);
    runnable_ &= unfinished_;
    // Sleeping workers must also unwind their stacks.
    if (!problem_.empty()) runnable_ = unfinished_;
    if (runnable_ == 0 && unfinished_ != 0) {
      problem_ = "deadlock: all that are left sleep";
      runnable_ = unfinished_;
    }
    fiber& self = *fibers_[static_cast<std::size_t>(worker)];
    if (unfinished_ == 0) {
      fiber::switch_to(self, main_);
    } else {
      current_ = choose();
      fiber::switch_to(self, *fibers_[static_cast<std::size_t>(current_)]);
    }
  }
  void hand_over() {
    // A worker that spins without calling yielded() must not run forever because of its priority.
    if (++in_a_row_ > 100) demote();
    int const next = choose();
    if (next == current_) return;
    in_a_row_ = 0;
    fiber& self = *fibers_[static_cast<std::size_t>(current_)];
    current_ = next;
    fiber::switch_to(self, *fibers_[static_cast<std::size_t>(next)]);
  }
  [[nodiscard]] std::int64_t priority_of(int worker) const {
    return priority_[static_cast<std::size_t>(worker)];
  }
  void demote() { priority_[static_cast<std::size_t>(current_)] = --lowest_; }

  [[nodiscard]] bool runs(int worker) const { return (runnable_ >> worker & 1U) != 0; }
  int choose() {
    if (policy_ == 2) {
      int best = -1;
      for (int w = 0; w < workers_; ++w) {
        if (runs(w) && (best < 0 || priority_of(w) > priority_of(best))) best = w;
      }
      return best;
    }
    if (policy_ == 1 && runs(current_) && random_.below(8) != 0) return current_;
    int w = static_cast<int>(random_.below(static_cast<std::uint32_t>(workers_)));
    while (!runs(w)) w = (w + 1) % workers_;
    return w;
  }

  fiber main_;
  int workers_ = 0;
  std::array<std::unique_ptr<fiber>, max_workers> fibers_;
  choices random_;
  machine_model model_ = machine_model::host;
  weak_memory memory_;
  std::function<void(int)> body_;
  std::function<std::string()> invariant_;
  std::string problem_;
  int policy_ = 0;
  int current_ = 0;
  /// One bit per worker.
  std::uint32_t runnable_ = 0;
  std::uint32_t unfinished_ = 0;
  std::uint32_t steps_ = 0;
  std::uint32_t in_a_row_ = 0;
  std::array<std::int64_t, max_workers> priority_{};
  std::int64_t lowest_ = 0;
  std::array<std::uint32_t, 3> change_at_{};
};

}  // namespace gridloom::test
