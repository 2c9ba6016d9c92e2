#pragma once
// The latencies that bound any scheduler from below, measured in the run they are quoted in: a
// signal from one worker to another through memory (the hop of a dependence that changes workers),
// and an atomic operation with its result used (the hop of a dependence that is continued in
// place).

#include "gridloom/watchdog.hpp"
#include "wavefront/probe.hpp"

namespace gridloom::wavefront {

/// Two words that two workers spin on, on lines of their own, and a word to count down.
struct floor_words {
  alignas(line_bytes) std::uint32_t ping;
  alignas(line_bytes) std::uint32_t pong;
  alignas(line_bytes) std::uint32_t counter;
};

/// `rounds` signals there and back between the first and the last worker.
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
        if (attempt > 100)
          block.pause(attempt);  // the peer is not running: host threads may share a core
      }
      if (!first) memory.store_release(&words->pong, round);
    }
  }
};

/// A chain of `rounds` atomic operations of one thread, each needing the result of the one before.
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

/// Latencies in ns.
struct floor_latencies {
  /// One way.
  double signal_ns;
  double atomic_ns;
};

/// Measures both; about a millisecond.
floor_latencies measure_floors(device& machine);

}  // namespace gridloom::wavefront
