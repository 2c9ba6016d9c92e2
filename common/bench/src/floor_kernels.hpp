#pragma once
// Kernels that measure the floors.

#include <cstdint>

#include "gridloom/atomic.hpp"
#include "gridloom/device.hpp"
#include "gridloom/group.hpp"
#include "gridloom/watchdog.hpp"

namespace gridloom::bench {

/// The data that a thread moves in one access.
struct alignas(16) quad {
  std::uint32_t words[4];
};

/// The contiguous elements that one block moves. So host workers share no cache line.
struct stretch {
  std::uint64_t begin;
  std::uint64_t end;

  template <thread_group Block>
  GRIDLOOM_FN static stretch part_of(Block const& block, std::uint64_t n) {
    auto const blocks = static_cast<std::uint64_t>(block.count());
    auto const index = static_cast<std::uint64_t>(block.index());
    return {n * index / blocks, n * (index + 1) / blocks};
  }
};

/// to[i] = from[i].
struct copy_kernel {
  static constexpr bool persistent = false;
  using scratch = no_scratch;

  quad const* from;
  quad* to;
  std::uint64_t n;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    auto const [begin, end] = stretch::part_of(block, n);
    auto const step = static_cast<std::uint64_t>(block.num_threads());
    auto i = begin + static_cast<std::uint64_t>(block.thread_rank());
    for (; i + 3 * step < end; i += 4 * step) {
      quad const a = from[i];
      quad const b = from[i + step];
      quad const c = from[i + 2 * step];
      quad const d = from[i + 3 * step];
      to[i] = a;
      to[i + step] = b;
      to[i + 2 * step] = c;
      to[i + 3 * step] = d;
    }
    for (; i < end; i += step) to[i] = from[i];
  }
};

/// Reads all elements. A thread stores its sum if the sum equals a value that never occurs.
/// Otherwise the compiler would remove the loads.
struct read_kernel {
  static constexpr bool persistent = false;
  using scratch = no_scratch;

  quad const* from;
  quad* to;
  std::uint64_t n;

  GRIDLOOM_FN static void add(quad& sum, quad const& q) {
    for (int k = 0; k < 4; ++k) sum.words[k] += q.words[k];
  }
  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    auto const [begin, end] = stretch::part_of(block, n);
    auto const step = static_cast<std::uint64_t>(block.num_threads());
    auto i = begin + static_cast<std::uint64_t>(block.thread_rank());
    // There are several sums, so that no load waits for the previous addition.
    quad sums[4]{};
    for (; i + 3 * step < end; i += 4 * step) {
      add(sums[0], from[i]);
      add(sums[1], from[i + step]);
      add(sums[2], from[i + 2 * step]);
      add(sums[3], from[i + 3 * step]);
    }
    for (; i < end; i += step) add(sums[0], from[i]);
    std::uint32_t all = 0;
    for (quad const& sum : sums) {
      for (int k = 0; k < 4; ++k) all += sum.words[k];
    }
    if (all == 0x12345678U) to->words[0] = all;
  }
};

struct empty_kernel {
  static constexpr bool persistent = false;
  using scratch = no_scratch;
  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block, scratch&) const {}
};

/// Two words that two workers poll, and a word to count down, each on its own cache line.
struct floor_words {
  alignas(line_bytes) std::uint32_t ping;
  alignas(line_bytes) std::uint32_t pong;
  alignas(line_bytes) std::uint32_t counter;
};

/// Sends `rounds` signals back and forth between the first and the last worker.
struct signal_kernel {
  static constexpr bool persistent = true;
  using scratch = no_scratch;

  floor_words* words;
  std::uint32_t rounds;
  watchdog_ref dog;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    if (block.thread_rank() != 0) return;
    bool const first = block.index() == 0;
    if (!first && block.index() != block.count() - 1) return;
    direct_memory memory;
    watch patience(dog, block.index());
    for (std::uint32_t round = 1; round <= rounds; ++round) {
      if (first) memory.store_release(&words->ping, round);
      std::uint32_t const* const answer = first ? &words->pong : &words->ping;
      for (unsigned attempt = 0; memory.load_acquire(answer) < round; ++attempt) {
        if (patience.stop(memory, wait_kind::neighbour, round, 0, round)) return;
        // Host threads may share a core, so the other worker may not be running.
        if (attempt > 100) block.pause(attempt);
      }
      if (!first) memory.store_release(&words->pong, round);
    }
  }
};

/// A chain of `rounds` atomic operations by one thread. Each needs the result of the previous one.
struct atomic_chain_kernel {
  static constexpr bool persistent = false;
  using scratch = no_scratch;

  floor_words* words;
  std::uint32_t rounds;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    if (block.thread_rank() != 0) return;
    direct_memory memory;
    std::uint32_t step = 1;
    for (std::uint32_t round = 0; round < rounds; ++round) {
      step = 1U + (memory.fetch_sub_relaxed(&words->counter, step) >> 31);
    }
    memory.store_relaxed(&words->pong, step);
  }
};

}  // namespace gridloom::bench
