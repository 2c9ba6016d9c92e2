#pragma once
// The search level by level, with an array for the nodes of each level that have children. One
// kernel makes the next level. Who launches it differs: the host, a loop of a CUDA graph, or a
// kernel (dynamic parallelism). A kernel per node would not do, as launches nest 24 levels deep at
// most. For kernel sources.
//
// Rules of order, cited where they apply:
// DL.R1. A level sees the nodes of the one before. The host and the graph launch levels one after
//     the other. The launching kernel acquires the level's number, which the last block releases;
//     and a launched kernel sees what its launcher saw.
// DL.R2. The last block of a level sees what the others did. Each block synchronises, then its
//     first thread adds to `arrived` with acquire and release order.

#include <algorithm>
#include <cstdint>

#include "gridloom/clock.hpp"
#include "gridloom/device.hpp"
#include "mhive/scheduler.hpp"
#include "thesis_mhive/apps/dynamic/expand.hpp"

namespace gridloom::mhive::dynamic {

enum class level_driver { host, graph, device };
enum class level_end : std::uint32_t { none, done, full, late, launch_failed };

struct level_words {
  /// Number of nodes of levels with even and with odd numbers.
  std::uint64_t size[2];
  std::uint64_t deadline_ns;
  std::uint64_t largest;
  std::uint32_t level;
  std::uint32_t arrived;
  std::uint32_t late;
  level_end end;
};

/// Makes a level. Warps take as many nodes as they have threads.
template <class Search, level_driver Driver>
struct level_kernel {
  using node = typename Search::node_type;
  static constexpr int max_threads = 256;
  static constexpr bool persistent = false;
  struct scratch {
    expand_scratch<node> of_warp[max_threads / 32];
  };

  Search search;
  level_words* words;
  /// Arrays of `capacity` nodes, for levels with even and with odd numbers.
  node* nodes[2];
  std::uint64_t capacity;
  totals* found;
  loop_ref loop;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    direct_memory memory;
    auto const warp = block.warp();
    auto& own = shared.of_warp[block.thread_rank() / warp.num_threads()];
    std::uint32_t const parity = words->level % 2;
    std::uint64_t const n = words->size[parity];
    auto const threads = static_cast<std::uint64_t>(warp.num_threads());
    std::uint64_t const stride = static_cast<std::uint64_t>(warp.count()) * threads;
    totals part;
    for (std::uint64_t begin = static_cast<std::uint64_t>(warp.index()) * threads; begin < n;
         begin += stride) {
      if (warp.any(now_ns() > words->deadline_ns)) {
        memory.store_relaxed(&words->late, 1U);
        break;
      }
      std::uint64_t const i = begin + static_cast<std::uint64_t>(warp.thread_rank());
      expand(search, warp, own, i < n, i < n ? nodes[parity][i] : node{}, part,
             [&](bool inner, node const& child) { append(warp, 1 - parity, inner, child); });
    }
    add_up(warp, own, part, found);
    block.sync();  // DL.R2
    if (block.thread_rank() != 0) return;
    auto const blocks = static_cast<std::uint32_t>(block.count());
    if (memory.fetch_add_acq_rel(&words->arrived, 1U) + 1 == blocks) finish(block, parity, n);
  }

 private:
  template <class Warp>
  GRIDLOOM_FN void append(Warp const& warp, std::uint32_t to, bool has, node const& child) const {
    std::uint32_t const givers = warp.ballot(has);
    if (givers == 0) return;
    std::uint64_t first = 0;
    if (warp.thread_rank() == 0) {
      first = direct_memory{}.fetch_add_relaxed(&words->size[to],
                                                static_cast<std::uint64_t>(count_lanes(givers)));
    }
    std::uint64_t const place =
        warp.shuffle(first, 0) +
        static_cast<std::uint64_t>(count_lanes(givers & lanes_below(warp.thread_rank())));
    if (has && place < capacity) nodes[to][place] = child;
  }
  // Called by one thread, when all blocks have finished the level.
  template <class Block>
  GRIDLOOM_FN void finish(Block const& block, std::uint32_t parity, std::uint64_t n) const {
    direct_memory memory;
    std::uint64_t const next = memory.load_relaxed(&words->size[1 - parity]);
    if (memory.load_relaxed(&words->late) != 0) {
      words->end = level_end::late;
    } else if (next == 0 || next > capacity) {
      words->end = next == 0 ? level_end::done : level_end::full;
    }
    words->size[parity] = 0;
    words->arrived = 0;
    if (n > words->largest) words->largest = n;
    bool const ends = words->end != level_end::none;
    memory.store_release(&words->level, words->level + 1);  // DL.R1
    if constexpr (Driver == level_driver::graph) {
      if (ends) end_loop(block, loop);
    }
  }
};

/// Launches a level after the other from one thread. CUDA only.
template <class Search>
struct launcher_kernel {
  using level = level_kernel<Search, level_driver::device>;
  static constexpr int max_threads = 32;
  static constexpr bool persistent = false;
  using scratch = no_scratch;

  level of;
  int most_blocks;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& /*none*/) const {
    if (block.thread_rank() != 0) return;
    direct_memory memory;
    level_words& words = *of.words;
    // Levels end soon after the deadline. Twice the time means that one did not begin.
    std::uint64_t const begin = now_ns();
    std::uint64_t const give_up = 2 * words.deadline_ns - begin;
    for (std::uint32_t next = 1; words.end == level_end::none; ++next) {
      launch_shape const shape{blocks_for_level(words.size[(next - 1) % 2], most_blocks),
                               level::max_threads};
      if (launch_from_device(block, shape, of) != 0) {
        words.end = level_end::launch_failed;
        return;
      }
      for (unsigned idle = 0; memory.load_acquire(&words.level) != next; ++idle) {  // DL.R1
        if (now_ns() > give_up) {
          words.end = level_end::late;
          return;
        }
        block.pause(idle);
      }
    }
  }

  GRIDLOOM_FN static int blocks_for_level(std::uint64_t nodes, int most) {
    std::uint64_t const needed = (nodes + level::max_threads - 1) / level::max_threads;
    return needed < static_cast<std::uint64_t>(most) ? static_cast<int>(needed) : most;
  }
};

/// Owns the memory of the levels and runs the search.
template <class Search, level_driver Driver>
class level_search {
  using kernel = level_kernel<Search, Driver>;
  using node = typename Search::node_type;

 public:
  /// `workers`: blocks of a launch; 0: as many as a level needs.
  level_search(device& machine, Search const& search, std::uint64_t capacity, int workers,
               totals* found)
      : machine_(machine),
        threads_(machine.is_host() ? 1 : kernel::max_threads),
        most_blocks_(workers > 0         ? workers
                     : machine.is_host() ? machine.properties().multiprocessors
                                         : 1 << 20),
        words_(machine.allocate<level_words>(1)),
        seen_(machine.allocate_staging<level_words>(1)),
        even_(machine.allocate<node>(capacity)),
        odd_(machine.allocate<node>(capacity)),
        level_{search, words_.data(), {even_.data(), odd_.data()}, capacity, found, {}} {
    if constexpr (Driver == level_driver::graph) record(machine_);
  }

  /// Returns the words at the end, and adds to the report.
  level_words run(std::uint64_t deadline_ns, report& done) {
    level_words begin{};
    begin.size[0] = 1;
    begin.deadline_ns = deadline_ns;
    node const root = level_.search.root();
    machine_.copy_to_device(words_, std::span<level_words const>{&begin, 1});
    machine_.copy_to_device(even_, std::span<node const>{&root, 1});
    run_levels(machine_, done);
    level_words const end = machine_.copy_to_host(words_)[0];
    done.rounds = done.launches = end.level;
    return end;
  }

 private:
  // Templates, because a machine's launches exist only in sources that nvcc compiles.
  template <class Machine>
  void record(Machine& machine) {
    // A pass cannot choose its grid, so the grid fills the machine.
    int const fit = machine.is_host() ? machine.properties().multiprocessors
                                      : machine.template resident_blocks<kernel>(threads_);
    launch_shape const shape{std::min(most_blocks_, fit), threads_};
    recorded_ = machine.record_loop([&](loop_ref loop) {
      level_.loop = loop;
      machine.launch(shape, level_);
    });
  }
  template <class Machine>
  void run_levels(Machine& machine, report& done) {
    add_facts<kernel>(machine, "level", threads_, done);
    done.elapsed_ms = machine.time_ms([&] {
      if constexpr (Driver == level_driver::graph) {
        machine.replay(recorded_);
      } else if constexpr (Driver == level_driver::device) {
        machine.launch({1, 32}, launcher_kernel<Search>{level_, most_blocks_});
      } else {
        std::uint64_t n = 1;
        do {
          std::uint64_t const per_block = static_cast<std::uint64_t>(threads_);
          auto const blocks =
              std::min((n + per_block - 1) / per_block, static_cast<std::uint64_t>(most_blocks_));
          machine.launch({static_cast<int>(blocks), threads_}, level_);
          machine.copy_to_staging(seen_, words_);
          n = seen_.data()->size[seen_.data()->level % 2];
        } while (seen_.data()->end == level_end::none);
      }
    });
  }

  device& machine_;
  int threads_;
  int most_blocks_;
  buffer<level_words> words_;
  buffer<level_words> seen_;
  buffer<node> even_;
  buffer<node> odd_;
  kernel level_;
  launch_sequence recorded_;
};

}  // namespace gridloom::mhive::dynamic
