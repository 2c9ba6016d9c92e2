#pragma once
// The common part of the persistent versions (neighbours.hpp, gathered.hpp): the loop over all
// iterations within one launch. Residuals are judged without a barrier of all blocks.
//
// A check sums the residual, once every few iterations. Each block writes its sum into a slot.
// `verdict_lag` iterations later, when these sums have arrived, every block adds up the sums of all
// blocks in the same order. So all blocks stop at the same iterate without a barrier.
//
// Rules of order, cited where they apply:
// PL.R1. A sum and its iteration share one tagged slot (tagged.hpp), and no other data depends on
//     it. So no fence is needed.
// PL.R2. A slot is overwritten only after all blocks have read it (see kept_checks). A block that
//     writes the sum of a later check has read sums that other blocks could write only after they
//     had read this slot. Each step depends on the previous one, through the loop that ends when a
//     sum is found and through the vote of the block. So no read returns a value that was written
//     in response to that read (No-Thin-Air of the PTX memory model). On the host, slots acquire
//     and release.
// PL.R3. A block's own sums go through shared memory, with a barrier of the block between writing
//     and reading.
// PL.R4. Progress: all blocks are resident, and each publishes its sums before it waits for others'
//     sums.

#include <cstddef>
#include <cstdint>

#include "gridloom/atomic.hpp"
#include "gridloom/collectives.hpp"
#include "gridloom/watchdog.hpp"
#include "thesis_mhive/apps/jacobi/stop_rules.hpp"

namespace gridloom::mhive::jacobi {

/// Number of iterations between a check and its verdict: the latency of three hops between
/// multiprocessors.
inline constexpr std::uint32_t verdict_lag = 3;
/// Number of checks whose sums are kept, because blocks may be that far apart. A block that writes
/// the sum of check c + 16 has seen a verdict that needed sums from all blocks. If verdict_lag is
/// at most 7, the blocks wrote these sums after they had judged check c.
inline constexpr std::uint32_t kept_checks = 16;
static_assert(kept_checks >= 2 * verdict_lag + 2);

/// The words of a launch, and the rules of its verdict. residual_memory owns the words.
struct residual_ref {
  /// Array of kept_checks sums per block.
  tagged<double>* sums;
  /// Array of one sum per block, for the last iteration.
  double* last_sums;
  /// The state at the end of the run. The host computes its residual.
  run_state* state;
  stop_rules rules;
  std::uint32_t check_every;
};

/// Whether a waiting thread has passed the time limit. `attempt` counts its failed attempts. The
/// stop word is read in few attempts only, because a read takes as long as a hop. If every thread
/// read it from time to time, some thread would read it in each iteration, and all blocks would
/// wait for that thread.
template <class Memory>
GRIDLOOM_FN bool waited_too_long(Memory& memory, watch& watcher, std::uint32_t attempt) {
  return attempt % 64 == 0 && watcher.out_of_time(memory);
}

struct residual_scratch {
  double warp_sums[2][32];
  /// Each warp's part of the sum over all blocks.
  double judged[2][32];
};

/// One block's share in the checks. All threads make the same calls.
template <class Block>
class block_residuals {
 public:
  GRIDLOOM_FN block_residuals(residual_ref const& of, Block const& block, residual_scratch& shared)
      : of_(of),
        block_(block),
        shared_(shared),
        rank_(static_cast<std::uint32_t>(block.thread_rank())),
        threads_(static_cast<std::uint32_t>(block.num_threads())) {}

  /// Reads the sums of all blocks for iteration `judged`. The block's last warps read them, with a
  /// few sums per thread. After a barrier of the block, `verdict(judged, k)` says whether the
  /// iteration was the last. Returns true if the time limit has passed.
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
      while (!late && !memory.get_tagged_alone(from + i, judged, of_block)) {  // PL.R1
        late = waited_too_long(memory, watcher, ++attempt);
        if (late) watcher.note(wait_kind::neighbour, i, judged, k);
        block_.pause(attempt);
      }
      sum += of_block;
    }
    collective_scratch<double, 1> not_needed;
    double const of_warp = reduce(warp, not_needed, sum, sum_of{});
    if (rank_ % 32 == 0) shared_.judged[k % 2][number] = of_warp;
    // Only whole warps execute the code that follows.
    return warp.any(late);
  }
  [[nodiscard]] GRIDLOOM_FN outcome verdict(std::uint32_t judged, std::uint32_t k) const {
    double residual = 0;
    for (std::uint32_t i = 0; i < judges(); ++i) residual += shared_.judged[k % 2][i];
    return of_.rules.judge(judged, residual);
  }

  /// Keeps this thread's change in iteration k, until iteration k + 2.
  GRIDLOOM_FN void keep(std::uint32_t k, double change) {
    collective_scratch<double, 1> not_needed;
    double const sum = reduce(block_.warp(), not_needed, change, sum_of{});
    if (rank_ % 32 == 0) shared_.warp_sums[k % 2][rank_ / 32] = sum;
  }
  /// Gives the block's sum of `iteration` to all blocks. Call it after a barrier of the block.
  template <class Memory>
  GRIDLOOM_FN void publish(Memory& memory, std::uint32_t iteration) {
    // The last warp publishes the sum, because it seldom has rows of its own, and judges sums next.
    if (!in_last_warp()) return;
    double const sum = block_sum(iteration);
    // PL.R1, PL.R2
    if (rank_ % 32 == 0) memory.put_tagged(sums_of(iteration) + block_.index(), iteration, sum);
  }
  /// Leaves the last iteration's sum to the host. Call it after a barrier of the block.
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
  // Returns the number of warps that judge: enough for one sum per thread, if the block has that
  // many threads.
  GRIDLOOM_FN std::uint32_t judges() const {
    std::uint32_t const warps = (threads_ + 31) / 32;
    std::uint32_t const wanted = (num_blocks() + 31) / 32;
    return wanted < warps ? wanted : warps;
  }
  GRIDLOOM_FN bool in_last_warp() const { return rank_ / 32 == (threads_ - 1) / 32; }
  // Returns the sum over all warps of the block to the first thread of the calling warp.
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

/// All iterations of one block, whose rows `own` computes:
/// - `receive(memory, watcher, k)` waits for the values of other blocks that iteration k reads.
///   True: the time limit has passed, and `watcher` has a note of what it waited for. Some threads
///   may return earlier; a barrier of the block follows.
/// - `iterate(memory, watcher, k, change)` computes x(k) and adds this thread's change to `change`.
///   True, in all threads: the time limit has passed.
/// - `finish(last)` leaves x(last) to the host. A barrier of the block precedes it.
template <class Own, class Block>
GRIDLOOM_FN void iterate_until_judged(Own& own, Block const& block, residual_ref const& of,
                                      residual_scratch& shared, watchdog_ref dog) {
  direct_memory memory;
  block_residuals<Block> residuals{of, block, shared};
  watch watcher(dog, block.index());
  std::uint32_t last = of.rules.max_iterations;
  outcome verdict = outcome::running;
  // The iterations of the next checks. They are counted, because divisions would take much of a
  // short iteration.
  std::uint32_t summed = of.check_every;
  std::uint32_t published = of.check_every;
  std::uint32_t judged = of.check_every;
  for (std::uint32_t k = 1; k <= last; ++k) {
    // Judging comes first, so that one warp judges while values of x are still arriving.
    bool const judges = k == judged + verdict_lag + 1;
    bool late = judges && residuals.judge(memory, watcher, judged, k);
    if (!late) late = own.receive(memory, watcher, k);
    if (k % 32 == 0 && block.thread_rank() == 0 && !late && watcher.out_of_time(memory)) {
      watcher.note(wait_kind::own_work, k, k - 1, k);
      late = true;
    }
    // `watcher` has a note of what the block waited for.
    if (block.any(late)) return;
    if (judges) {
      verdict = residuals.verdict(judged, k);
      judged += of.check_every;
      // Iterate k - 1 is complete, and is the last one in all blocks.
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
    // Keep the change of a check, and of an iteration that may be the last one.
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
