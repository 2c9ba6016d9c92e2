#pragma once
// Selection of processors by `append` on a device, in one launch of one block. The result equals
// the host's in every bit. (The thesis, 4.3.4, leaves the selection to the host.)
//
// One serial chain runs over all tasks. Each step finds the minimum of max(avail, ready) + cost
// over the processors, and updates one avail. One warp follows that chain, with one processor per
// thread. The other warps compute the `ready` times of coming tasks, with a part of a warp per
// task. This works because tasks of one level are independent. Tasks are taken in chunks within
// levels. While a chunk is placed, the next chunk of the level is gathered. Then the block
// synchronises.
//
// The chain works on words of 32 bits. A word holds a time and, in its lowest bits, the processor's
// number. Times are relative to a base, which is a lower bound of all avail. So one reduction finds
// the earliest time and, among equal times, the lowest processor. The launch reports times that do
// not fit.
//
// SE.R1. The block synchronises between a write of shared memory or `placed` and a read by another
//        thread. Several threads may write only one word: the one that reports times that do not
//        fit. All write the same value by a relaxed store, which is read after the block has
//        synchronised.

#include <concepts>

#include "gridloom/atomic.hpp"
#include "gridloom/collectives.hpp"
#include "gridloom/each.hpp"
#include "gridloom/group.hpp"
#include "gridloom/watchdog.hpp"
#include "pets/ours/kernels/arrival.hpp"
#include "pets/support/device_graph.hpp"
#include "pets/support/schedule.hpp"

namespace gridloom::pets {

/// A graph with the order of its tasks. A task's place is its position in that order.
struct ordered_graph_ref {
  device_graph_ref graph;
  std::uint32_t num_levels;
  /// The task at each place.
  std::uint32_t const* order;
  /// First place of each level; num_levels + 1 entries.
  std::uint32_t const* level_begins;
  /// Places of the predecessors, parallel to graph.predecessors.tasks.
  std::uint32_t const* parents;
};

/// Computes the places of tasks, and the places where levels begin.
struct set_places {
  std::uint32_t num_tasks;
  std::uint32_t num_levels;
  std::uint32_t const* order;
  std::uint32_t const* levels;
  std::uint32_t* places;
  std::uint32_t* level_begins;

  GRIDLOOM_FN void operator()(std::uint32_t i) const {
    std::uint32_t const task = order[i];
    places[task] = i;
    if (i == 0 || levels[order[i - 1]] != levels[task]) level_begins[levels[task]] = i;
    if (i == 0) level_begins[num_levels] = num_tasks;
  }
};

/// Replaces predecessors by their places.
struct set_parents {
  std::uint32_t const* predecessors;
  std::uint32_t const* places;
  std::uint32_t* parents;

  GRIDLOOM_FN void operator()(std::uint32_t e) const { parents[e] = places[predecessors[e]]; }
};

/// Finish and processor of a placed task, in one access.
struct alignas(16) placed_word {
  time_value finish;
  std::uint64_t processor;
};

/// Converts placed words to the host's placements.
struct set_placements {
  device_graph_ref graph;
  std::uint32_t const* places;
  placed_word const* placed;
  placement* to;

  GRIDLOOM_FN void operator()(std::uint32_t task) const {
    placed_word const at = placed[places[task]];
    auto const p = static_cast<std::uint32_t>(at.processor);
    // If a test has overwritten the word, it contains no valid processor.
    time_value const cost =
        p < graph.num_processors ? graph.costs[std::size_t{task} * graph.num_processors + p] : 0;
    to[task] = {p, at.finish - cost, at.finish};
  }
};

/// `Lanes`: threads per task, a power of two up to 32 and at least the number of processors.
/// `Word`: 32 bits, or 64 for times that do not fit.
template <int Lanes, std::unsigned_integral Word>
struct select_kernel {
  static_assert(Lanes >= 1 && Lanes <= 32 && (Lanes & (Lanes - 1)) == 0);
  static constexpr std::uint32_t chunk = sizeof(Word) == 4 ? 256 : 128;
  static constexpr int processor_bits = Lanes <= 1    ? 0
                                        : Lanes <= 2  ? 1
                                        : Lanes <= 4  ? 2
                                        : Lanes <= 8  ? 3
                                        : Lanes <= 16 ? 4
                                                      : 5;
  static constexpr int max_threads = 1024;
  static constexpr bool persistent = true;
  // Limit of times relative to the base. Padding lanes seem to finish at this time.
  static constexpr Word limit = (Word{1} << (8 * sizeof(Word) - 1 - processor_bits)) - 1;
  static constexpr Word absent = limit << processor_bits;

  /// A task on a processor. `cost` is its cost, and `finish` its finish if the processor were free.
  /// Both are shifted by processor_bits; `finish` has the processor's number in the lowest bits.
  struct candidate {
    Word cost;
    Word finish;
  };
  struct scratch {
    candidate of[2][chunk][Lanes];
    /// One word per processor, used if one thread does everything.
    Word avail[Lanes];
    time_value base[2];
    /// Lower bound of all avail.
    time_value lower;
    std::uint32_t too_large;
    std::uint32_t stopped;
  };

  ordered_graph_ref of;
  placed_word* placed;
  /// 0 at first. 1 if times did not fit; then the placements are invalid.
  std::uint32_t* too_large;
  watchdog_ref dog;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    chain<Block> own{*this, block, shared};
    watch watcher{dog, block.index(), true};
    direct_memory memory;
    for (std::uint32_t level = 0; level < of.num_levels; ++level) {
      own.place_level(of.level_begins[level], of.level_begins[level + 1]);
      if (block.thread_rank() == 0 && watcher.expired(memory)) {
        watcher.note(wait_kind::own_work, level, level, of.num_levels);
        shared.stopped = 1;
      }
      block.sync();
      if (shared.too_large != 0 && block.thread_rank() == 0) *too_large = 1;
      if (shared.too_large != 0 || shared.stopped != 0) return;
    }
  }

 private:
  template <class Block>
  struct chain {
    select_kernel const& kernel;
    Block const& block;
    scratch& shared;
    std::uint32_t rank;
    std::uint32_t threads;
    /// Number of threads in the first warp.
    std::uint32_t placers;
    // In the first warp, one processor per thread: its avail relative to base, with its number.
    Word avail;
    time_value base = 0;

    GRIDLOOM_FN chain(select_kernel const& own_kernel, Block const& own_block, scratch& own)
        : kernel(own_kernel),
          block(own_block),
          shared(own),
          rank(static_cast<std::uint32_t>(own_block.thread_rank())),
          threads(static_cast<std::uint32_t>(own_block.num_threads())),
          placers(threads < 32 ? threads : 32),
          avail(rank % Lanes) {
      if (rank != 0) return;
      for (std::uint32_t p = 0; p < Lanes; ++p) shared.avail[p] = p;
      shared.lower = 0;
      shared.too_large = shared.stopped = 0;
    }

    GRIDLOOM_FN void place_level(std::uint32_t begin, std::uint32_t end) {
      block.sync();
      time_value lower = shared.lower;
      if (rank == 0) shared.base[0] = lower;
      gather(begin, count(begin, end), 0, 0, lower);
      std::uint32_t buffer = 0;
      for (std::uint32_t at = begin; at < end; at += chunk) {
        lower = shared.lower;
        // After this, the chunk is complete and all threads have read the bound.
        block.sync();
        std::uint32_t const next = at + chunk;
        if (rank < placers) place(at, count(at, end), buffer);
        if (next < end) {
          if (rank == threads - 1) shared.base[1 - buffer] = lower;
          // If the block has one warp, this warp gathers and places in turn.
          std::uint32_t const first = threads > placers ? placers : 0;
          if (rank >= first) gather(next, count(next, end), 1 - buffer, first, lower);
        }
        block.sync();
        buffer = 1 - buffer;
      }
    }

   private:
    GRIDLOOM_FN static std::uint32_t count(std::uint32_t at, std::uint32_t end) {
      return end - at < chunk ? end - at : chunk;
    }
    // Gathers places [at, at + n) with the threads from `first` on.
    GRIDLOOM_FN void gather(std::uint32_t at, std::uint32_t n, std::uint32_t buffer,
                            std::uint32_t first, time_value lower) {
      auto const part = block.warp().template part<Lanes>();
      auto const part_size = static_cast<std::uint32_t>(part.num_threads());
      std::uint32_t const parts = (threads - first) / part_size;
      for (std::uint32_t i = (rank - first) / part_size; i < n; i += parts) {
        gather_task(part, kernel.of.order[at + i], shared.of[buffer][i], lower);
      }
    }
    // Computes when a task's data arrives on each processor. Data of predecessors on the same
    // processor has arrived when the processor is free.
    template <class Part>
    GRIDLOOM_FN void gather_task(Part const& part, std::uint32_t task, candidate* to,
                                 time_value lower) {
      auto const& graph = kernel.of.graph;
      auto const number = static_cast<std::uint32_t>(part.thread_rank());
      auto const step = static_cast<std::uint32_t>(part.num_threads());
      arrival<time_value> latest{0, 0, 0};
      std::uint32_t const end = graph.predecessors.offsets[task + 1];
      for (std::uint32_t e = graph.predecessors.offsets[task] + number; e < end; e += step) {
        placed_word const parent = kernel.placed[kernel.of.parents[e]];
        latest.join({parent.finish + graph.predecessors.weights[e], 0, parent.processor});
      }
      for (std::uint32_t stride = 1; stride < step; stride *= 2) {
        int const from = static_cast<int>(number ^ stride);
        latest.join({part.shuffle(latest.time, from), part.shuffle(latest.second, from),
                     part.shuffle(latest.processor, from)});
      }
      for (std::uint32_t p = number; p < Lanes; p += step) {
        to[p] = {0, absent | p};
        if (p >= graph.num_processors) continue;
        time_value const cost = graph.costs[std::size_t{task} * graph.num_processors + p];
        time_value const ready = p == latest.processor ? latest.second : latest.time;
        time_value const sum = (ready > lower ? ready - lower : 0) + cost;
        if (sum >= limit) {
          direct_memory{}.store_relaxed(&shared.too_large, 1U);  // SE.R1
        } else {
          to[p] = {static_cast<Word>(cost) << processor_bits,
                   static_cast<Word>(sum) << processor_bits | p};
        }
      }
    }
    GRIDLOOM_FN void place(std::uint32_t at, std::uint32_t n, std::uint32_t buffer) {
      if (placers == 1) {
        place_alone(at, n, buffer);
      } else {
        place_by_warp(at, n, buffer);
      }
    }
    GRIDLOOM_FN Word moved(Word from, std::uint32_t p, time_value to) const {
      // Padding lanes are left unchanged.
      if (p >= kernel.of.graph.num_processors) return from;
      return from - (static_cast<Word>(to - base) << processor_bits);
    }
    GRIDLOOM_FN void put(std::uint32_t place, Word chosen) {
      kernel.placed[place] = {base + (chosen >> processor_bits), chosen % Lanes};
    }

    // Follows the chain with one processor per thread. Threads beyond `Lanes` repeat the work of
    // the others.
    GRIDLOOM_FN void place_by_warp(std::uint32_t at, std::uint32_t n, std::uint32_t buffer) {
      auto const warp = block.warp();
      collective_scratch<Word, 1> not_needed;
      time_value const to = shared.base[buffer];
      avail = moved(avail, rank % Lanes, to);
      base = to;
      candidate const* const own = shared.of[buffer][0] + rank % Lanes;
      Word largest = 0;
      auto const step = [&](std::uint32_t i) {
        candidate const next = own[i * Lanes];
        Word finish = avail + next.cost;
        if (next.finish > finish) finish = next.finish;
        Word const chosen = reduce(warp, not_needed, finish, minimum_of{});
        if (finish == chosen) avail = chosen;
        if (chosen > largest) largest = chosen;
        return chosen;
      };
      std::uint32_t first = 0;
      for (; first + 32 <= n; first += 32) {
        Word kept = 0;
        GRIDLOOM_UNROLL
        for (std::uint32_t i = 0; i < 32; ++i) {
          Word const chosen = step(first + i);
          if (rank == i) kept = chosen;
        }
        put(at + first + rank, kept);
      }
      Word kept = 0;
      for (std::uint32_t i = first; i < n; ++i) {
        Word const chosen = step(i);
        if (rank == i - first) kept = chosen;
      }
      if (first + rank < n) put(at + first + rank, kept);
      Word const real = rank % Lanes < kernel.of.graph.num_processors ? avail : absent;
      Word const least = reduce(warp, not_needed, real, minimum_of{});
      if (rank != 0) return;
      shared.lower = base + (least >> processor_bits);
      if (largest >= absent) shared.too_large = 1;
    }

    GRIDLOOM_FN void place_alone(std::uint32_t at, std::uint32_t n, std::uint32_t buffer) {
      std::uint32_t const processors = kernel.of.graph.num_processors;
      time_value const to = shared.base[buffer];
      for (std::uint32_t p = 0; p < processors; ++p)
        shared.avail[p] = moved(shared.avail[p], p, to);
      base = to;
      for (std::uint32_t i = 0; i < n; ++i) {
        Word chosen = absent;
        for (std::uint32_t p = 0; p < processors; ++p) {
          candidate const next = shared.of[buffer][i][p];
          Word const after = shared.avail[p] + next.cost;
          Word const finish = next.finish > after ? next.finish : after;
          if (finish < chosen) chosen = finish;
        }
        if (chosen >= absent) {
          shared.too_large = 1;
          chosen = 0;
        }
        shared.avail[chosen % Lanes] = chosen;
        put(at + i, chosen);
      }
      Word least = shared.avail[0];
      for (std::uint32_t p = 1; p < processors; ++p) {
        if (shared.avail[p] >> processor_bits < least >> processor_bits) least = shared.avail[p];
      }
      shared.lower = base + (least >> processor_bits);
    }
  };
};

}  // namespace gridloom::pets
