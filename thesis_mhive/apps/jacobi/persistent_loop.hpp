#pragma once
// What the persistent versions (neighbours.hpp, gathered.hpp) share: the loop over all iterations
// within one launch, and residuals that are judged without a meeting of all blocks.
//
// Residuals are summed up every few iterations. Blocks put their sums into slots, and everybody
// adds up those of all blocks, in the same order, `verdict_lag` iterations later, when they have
// long been there; so all blocks stop at the same iterate without having met.
//
// Rules of order, cited where they are served:
// P1. A sum and its iteration are one tagged slot (tagged.hpp), and nothing else is read behind it:
//     no fence.
// P2. A slot is written anew only when all have read it: see kept_checks. Who writes the sum of a
//     later check has found sums that others could only write when they had found this one. Each of
//     these steps depends on the one before, by the loop that ends when a sum is there and by the
//     vote at which the block meets; so no look reads what was written in answer to it (No-Thin-Air
//     of the PTX memory model; on the host slots acquire and release).
// P3. A block's own sums go through shared memory; the block has met between writing and reading.
// P4. Progress: all blocks are resident, and each puts its sums before it waits for others'.

#include <cstddef>
#include <cstdint>

#include "gridloom/atomic.hpp"
#include "gridloom/collectives.hpp"
#include "gridloom/watchdog.hpp"
#include "stop_rules.hpp"

namespace gridloom::mhive::jacobi {

/// Iterations until a residual is judged: three hops.
inline constexpr std::uint32_t verdict_lag = 3;
/// Checks whose sums are kept. Blocks may be that far apart: one that writes the sum of check
/// c + 16 has seen the verdict of a check that all others could only add to when they had judged
/// c, if verdict_lag is at most 7.
inline constexpr std::uint32_t kept_checks = 16;
static_assert(kept_checks >= 2 * verdict_lag + 2);

/// Words of a launch, and what it judges by. See residual_memory for who owns them.
struct residual_ref {
  /// kept_checks times one a block.
  tagged<double>* sums;
  /// One a block: of the last iteration.
  double* last_sums;
  /// Residual apart.
  run_state* state;
  stop_rules rules;
  std::uint32_t check_every;
};

/// Whether a thread that waits by itself, for the `attempt`-th time in vain, has waited too long.
/// Not asked at every turn: a look at the stop word takes as long as a hop, and when every thread
/// looks now and then, in each iteration one does, and all blocks wait for it.
template <class Memory>
GRIDLOOM_FN bool waited_too_long(Memory& memory, watch& watcher, std::uint32_t attempt) {
  return attempt % 64 == 0 && watcher.out_of_time(memory);
}

struct residual_scratch {
  double warp_sums[2][32];
  /// A warp's share of all blocks' sums.
  double judged[2][32];
};

/// A block's side. All threads make the same calls.
template <class Block>
class block_residuals {
 public:
  GRIDLOOM_FN block_residuals(residual_ref const& of, Block const& block, residual_scratch& shared)
      : of_(of),
        block_(block),
        shared_(shared),
        rank_(static_cast<std::uint32_t>(block.thread_rank())),
        threads_(static_cast<std::uint32_t>(block.num_threads())) {}

  /// Gets the sums of iteration `judged` of all blocks, by the last warps, a few sums a thread;
  /// after the block has met, `verdict(judged, k)` says whether it was the last one. True: time is
  /// up.
  template <class Memory>
  GRIDLOOM_FN bool judge(Memory& memory, watch& watcher, std::uint32_t judged, std::uint32_t k) {
    std::uint32_t const number = (threads_ - 1) / 32 - rank_ / 32;
    if (number >= judges()) return false;
    auto const warp = block_.warp();
    auto const width = static_cast<std::uint32_t>(warp.num_threads());
    tagged<double> const* const from = sums_of(judged);
    double sum = 0;
    bool late = false;
    for (std::uint32_t i = number * width + rank_ % 32; i < num_blocks() && !late;
         i += judges() * width) {
      double of_block = 0;
      std::uint32_t attempt = 0;
      while (!late && !memory.get_tagged_alone(from + i, judged, of_block)) {  // P1
        late = waited_too_long(memory, watcher, ++attempt);
        if (late) watcher.note(wait_kind::neighbour, i, judged, k);
        block_.pause(attempt);
      }
      sum += of_block;
    }
    collective_scratch<double, 1> not_needed;
    double const of_warp = reduce(warp, not_needed, sum, sum_of{});
    if (rank_ % 32 == 0) shared_.judged[k % 2][number] = of_warp;
    return warp.any(late);  // what comes next is for whole warps
  }
  [[nodiscard]] GRIDLOOM_FN outcome verdict(std::uint32_t judged, std::uint32_t k) const {
    double residual = 0;
    for (std::uint32_t i = 0; i < judges(); ++i) residual += shared_.judged[k % 2][i];
    return of_.rules.judge(judged, residual);
  }

  /// Keeps what this thread changed in iteration k, until k + 2.
  GRIDLOOM_FN void keep(std::uint32_t k, double change) {
    collective_scratch<double, 1> not_needed;
    double const sum = reduce(block_.warp(), not_needed, change, sum_of{});
    if (rank_ % 32 == 0) shared_.warp_sums[k % 2][rank_ / 32] = sum;
  }
  /// Gives what was kept of `iteration` to all blocks. The block has met since.
  template <class Memory>
  GRIDLOOM_FN void publish(Memory& memory, std::uint32_t iteration) {
    if (!in_last_warp()) return;  // which seldom has rows, and sums to judge next
    double const sum = block_sum(iteration);
    // P1, P2
    if (rank_ % 32 == 0) memory.put_tagged(sums_of(iteration) + block_.index(), iteration, sum);
  }
  /// Leaves the last iteration's sum to the host. The block has met since.
  GRIDLOOM_FN void finish(std::uint32_t last, outcome verdict) {
    if (in_last_warp()) {
      double const sum = block_sum(last);
      if (rank_ % 32 == 0) of_.last_sums[block_.index()] = sum;
    }
    if (rank_ == 0 && block_.index() == 0) *of_.state = {0, last, verdict};
  }

 private:
  GRIDLOOM_FN tagged<double>* sums_of(std::uint32_t iteration) const {
    std::uint32_t const kept = iteration / of_.check_every % kept_checks;
    return of_.sums + std::size_t{kept} * num_blocks();
  }
  GRIDLOOM_FN std::uint32_t num_blocks() const {
    return static_cast<std::uint32_t>(block_.count());
  }
  // Warps that judge: a sum a thread, if there are as many threads.
  GRIDLOOM_FN std::uint32_t judges() const {
    std::uint32_t const warps = (threads_ + 31) / 32;
    std::uint32_t const wanted = (num_blocks() + 31) / 32;
    return wanted < warps ? wanted : warps;
  }
  GRIDLOOM_FN bool in_last_warp() const { return rank_ / 32 == (threads_ - 1) / 32; }
  // A warp adds up those of all warps; its first thread has the sum.
  GRIDLOOM_FN double block_sum(std::uint32_t iteration) const {
    std::uint32_t const warps = (threads_ + 31) / 32;
    auto const warp = block_.warp();
    double sum = 0;
    for (std::uint32_t i = rank_ % 32; i < warps;
         i += static_cast<std::uint32_t>(warp.num_threads())) {
      sum += shared_.warp_sums[iteration % 2][i];
    }
    collective_scratch<double, 1> not_needed;
    return reduce(warp, not_needed, sum, sum_of{});
  }

  residual_ref const& of_;
  Block const& block_;
  residual_scratch& shared_;
  std::uint32_t rank_;
  std::uint32_t threads_;
};

/// All iterations by one block, whose rows `own` computes:
/// - `receive(memory, watcher, k)`: until what iteration k reads of other blocks is there; true:
///   time is up, with a note of what it waited for. Part of the threads may return earlier; the
///   block meets afterwards.
/// - `iterate(memory, watcher, k, change)`: computes x(k) and adds to `change` what this thread
///   changed; true, and in all threads alike: time is up.
/// - `finish(last)`: leaves x(last) to the host, after the block has met.
template <class Own, class Block>
GRIDLOOM_FN void iterate_until_judged(Own& own, Block const& block, residual_ref const& of,
                                      residual_scratch& shared, watchdog_ref dog) {
  direct_memory memory;
  block_residuals<Block> residuals{of, block, shared};
  watch watcher(dog, block.index());
  std::uint32_t last = of.rules.max_iterations;
  outcome verdict = outcome::running;
  // Checks by their iterations. Counted, because divisions would be a part of a short iteration.
  std::uint32_t summed = of.check_every;
  std::uint32_t published = of.check_every;
  std::uint32_t judged = of.check_every;
  for (std::uint32_t k = 1; k <= last; ++k) {
    // The verdict first: it takes a warp the time that values of x need to get here.
    bool const judges = k == judged + verdict_lag + 1;
    bool late = judges && residuals.judge(memory, watcher, judged, k);
    if (!late) late = own.receive(memory, watcher, k);
    if (k % 32 == 0 && block.thread_rank() == 0 && !late && watcher.out_of_time(memory)) {
      watcher.note(wait_kind::own_work, k, k - 1, k);
      late = true;
    }
    if (block.any(late)) return;  // with a note of what the block waited for
    if (judges) {
      verdict = residuals.verdict(judged, k);
      judged += of.check_every;
      // The iterate before is there, and it is the one that all blocks end with.
      if (verdict != outcome::running) {
        last = k - 1;
        break;
      }
    }
    if (k - 1 == published) {
      residuals.publish(memory, published);
      published += of.check_every;
    }
    double change = 0;
    if (own.iterate(memory, watcher, k, change)) return;
    // A check's, or perhaps the last one's.
    bool const is_check = k == summed;
    if (is_check) summed += of.check_every;
    if (is_check || k == judged + verdict_lag || k == of.rules.max_iterations) {
      residuals.keep(k, change);
    }
  }
  block.sync();
  own.finish(last);
  residuals.finish(last, verdict);
}

}  // namespace gridloom::mhive::jacobi
