#pragma once
// Hand-offs without a scheduler: how long a value takes from the worker that computes it to the
// worker that waits for it. They are the floor under the latency of every scheduler.
//
// Only worker 0 reads the clock, because the clocks of multiprocessors differ. It sends a value to
// each other worker in turn and waits for the answer, so a round is two hand-offs. A hand-off ends
// when the value has arrived, not only the signal. Each worker adds 1, which proves the order.

#include <cstddef>
#include <cstdint>

#include "gridloom/atomic.hpp"
#include "gridloom/clock.hpp"
#include "gridloom/taskgraph/cluster.hpp"
#include "gridloom/watchdog.hpp"

namespace gridloom {

/// Their times stay in shared memory until the end, because a release would wait for other stores.
inline constexpr std::uint32_t most_rounds = 2048;

struct hand_off_times {
  /// Time of all rounds on the clock that workers share. It converts ticks to nanoseconds.
  std::uint64_t ns;
  std::uint32_t value;
  /// Duration of each round in ticks of now_ticks().
  std::uint32_t ticks[most_rounds];
};

/// A word per way in L2: the counter, or the value with its tag. All are 0 before a run.
struct hand_off_box {
  alignas(line_bytes) std::uint32_t counter;
  alignas(line_bytes) tagged<std::uint32_t> slot;
};

/// What a kernel of hand-offs uses.
struct hand_off_ref {
  /// Array of 2 boxes per worker: from worker 0 and to worker 0.
  hand_off_box* boxes;
  /// Array of slots_of_parts(machine, workers, most_cluster_blocks) words.
  std::uint64_t* parts;
  std::uint32_t rounds;
  hand_off_times* result;
  watchdog_ref dog;
};

/// All threads that meet in `round(k, value)` call this together; the one that `leads` stores the
/// times. A round updates the value, or returns false to give up.
template <class Round>
GRIDLOOM_FN void time_rounds(hand_off_ref const& use, bool leads, std::uint32_t* ticks,
                             Round&& round) {
  std::uint32_t value = 0;
  std::uint64_t const begin_ns = now_ns();
  std::uint64_t last = now_ticks();
  for (std::uint32_t k = 0; k < use.rounds; ++k) {
    if (!round(k, value)) return;
    std::uint64_t const now = now_ticks();
    if (leads) ticks[k] = static_cast<std::uint32_t>(now - last);
    last = now;
  }
  if (!leads) return;
  use.result->ns = now_ns() - begin_ns;
  use.result->value = value;
  for (std::uint32_t k = 0; k < use.rounds; ++k) use.result->ticks[k] = ticks[k];
}

/// - counter: tells that the value is there, like a counter of predecessors.
/// - flag: the value is its own signal, in one access.
/// - cluster: as flag, but in the shared memory of the receiver, which is in the same cluster.
enum class hand_off_by { counter, flag, cluster };

/// Between the blocks of a grid, or of one cluster.
template <hand_off_by By>
struct hand_off_kernel {
  static constexpr bool persistent = true, as_cluster = By == hand_off_by::cluster;
  static constexpr std::size_t words = as_cluster ? most_cluster_blocks : 1;
  struct scratch {
    std::uint64_t part[words];
    std::uint32_t ticks[most_rounds];
  };

  hand_off_ref use;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    worker self{use, block.index(), block.count(), nullptr, watch(use.dog, block.index())};
    bool const leads = block.thread_rank() == 0;
    if constexpr (as_cluster) {
      self.own = own_part(block, shared.part, use.parts, words);
      for (std::size_t k = 0; leads && k < words; ++k) store_own(self.memory, self.own + k, 0);
      cluster_sync(block);
    }
    std::uint32_t lap = 1;
    if (leads && self.me == 0) {
      int other = 1;
      time_rounds(use, true, shared.ticks, [&](std::uint32_t /*round*/, std::uint32_t& value) {
        self.send(other, lap, value + 1);
        if (!self.receive(other, lap, value)) return false;
        if (++other == self.workers) other = 1, ++lap;
        return true;
      });
    } else if (leads) {
      auto const me = static_cast<std::uint32_t>(self.me);
      auto const step = static_cast<std::uint32_t>(self.workers - 1);
      std::uint32_t value = 0;
      for (std::uint32_t k = me - 1; k < use.rounds && self.receive(0, lap, value); k += step)
        self.send(0, lap++, value + 1);
    }
    // A block stays while others write to its part.
    if constexpr (as_cluster) cluster_sync(block);
  }

 private:
  struct worker {
    hand_off_ref const& use;
    int me, workers;
    std::uint64_t* own;
    watch patience;
    direct_memory memory{};

    GRIDLOOM_FN void send(int other, std::uint32_t lap, std::uint32_t value) {
      hand_off_box& to = use.boxes[other == 0 ? workers + me : other];
      if constexpr (By == hand_off_by::counter) {
        to.slot.value = value;
        memory.fetch_add_acq_rel(&to.counter, 1U);  // The release orders it after the value.
      } else if constexpr (By == hand_off_by::flag) {
        memory.put_tagged(&to.slot, lap, value);
      } else {
        std::uint64_t const both = std::uint64_t{lap} << 32U | value;
        store_in_block(memory, other, me, own + me, words, both);
      }
    }
    GRIDLOOM_FN bool receive(int other, std::uint32_t lap, std::uint32_t& value) {
      for (unsigned attempt = 0; !has(other, lap, value); ++attempt) {
        auto const object = static_cast<std::uint32_t>(other);
        if (patience.stop(memory, wait_kind::neighbour, object, lap - 1, lap)) return false;
        give_way(attempt);
      }
      return true;
    }
    GRIDLOOM_FN bool has(int other, std::uint32_t lap, std::uint32_t& value) {
      hand_off_box const& from = use.boxes[me == 0 ? workers + other : me];
      if constexpr (By == hand_off_by::counter) {
        // The acquire orders it before the value.
        if (memory.load_acquire(&from.counter) != lap) return false;
        value = from.slot.value;
        return true;
      } else if constexpr (By == hand_off_by::flag) {
        return memory.get_tagged_alone(&from.slot, lap, value);
      } else {
        std::uint64_t const both = own_word(own + other).load(memory);
        value = static_cast<std::uint32_t>(both);
        return both >> 32U == lap;
      }
    }
  };
};

/// Between the warps of one block, which add in turn. A round is one hand-off.
struct same_block_kernel {
  static constexpr bool persistent = false, as_cluster = false;
  struct scratch {
    /// For even and odd rounds: a slow warp may still read when the next one writes.
    std::uint32_t values[2];
    std::uint32_t ticks[most_rounds];
  };

  hand_off_ref use;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    int const rank = block.thread_rank();
    int writer = 0;
    time_rounds(use, rank == 0, shared.ticks, [&](std::uint32_t k, std::uint32_t& value) {
      std::uint32_t& here = shared.values[k % 2];
      if (rank == writer) here = value + 1;
      writer = writer + 32 < block.num_threads() ? writer + 32 : 0;
      block.sync();
      value = here;
      return true;
    });
  }
};

}  // namespace gridloom
