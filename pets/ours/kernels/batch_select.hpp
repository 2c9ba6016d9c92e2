#pragma once
// Selection of processors by append for a graph of a batch, and the kernel of all steps.
//
// A warp takes the tasks of a level in chunks, one task per thread. First each thread computes when
// its task's data arrives. This time is final, because the predecessors are in earlier levels. Then
// the warp places the tasks of the chunk one after another, with one processor per thread.

#include "pets/ours/kernels/arrival.hpp"
#include "pets/ours/kernels/batch.hpp"
#include "pets/ours/kernels/bid.hpp"

namespace gridloom::pets {

/// Places the tasks of a graph whose order is known.
template <class Scratch, warp_group Warp>
class batch_selection {
  using word = typename Scratch::word;

 public:
  GRIDLOOM_FN batch_selection(batch_graph<Scratch, Warp> const& graph, batch_results_ref const& to)
      : of_(graph), own_(graph.own), to_(to), processors_(graph.all.num_processors) {}

  /// `number` is the graph's number.
  GRIDLOOM_FN void place_all(std::uint32_t number) {
    for (std::uint32_t p = of_.rank; p < processors_; p += of_.threads) own_.free[p] = 0;
    of_.warp.sync();
    if (processors_ > of_.threads) {
      place_levels<true>();
    } else {
      place_levels<false>();
    }
    store_makespan(number);
  }

 private:
  /// Number of loads in flight at a time.
  static constexpr std::uint32_t ahead = 4;

  // `More`: whether there are more processors than threads.
  template <bool More>
  GRIDLOOM_FN void place_levels() {
    for (std::uint32_t level = 0; level < of_.num_levels; ++level) {
      std::uint32_t const end = own_.level_begin[level + 1];
      for (std::uint32_t at = own_.level_begin[level]; at < end; at += of_.threads) {
        place<More>(at, end - at < of_.threads ? end - at : of_.threads);
      }
      // The next level reads what this level wrote.
      of_.warp.sync();
    }
  }

  template <bool More>
  GRIDLOOM_FN void place(std::uint32_t at, std::uint32_t count) {
    bool const has_task = of_.rank < count;
    std::uint32_t const task = has_task ? own_.order[at + of_.rank] : 0;
    arrival<word> latest{0, 0, 0};
    if (has_task) latest = look_up(task);
    bid<word> kept = bid<word>::none();
    for (std::uint32_t base = 0; base < count; base += ahead) {
      word cost[ahead];
      GRIDLOOM_UNROLL
      for (std::uint32_t k = 0; k < ahead; ++k) {
        std::uint32_t const i = base + k < count ? base + k : base;
        std::uint32_t const next = of_.warp.shuffle(task, static_cast<int>(i));
        cost[k] = of_.rank < processors_ ? cost_of(next, of_.rank) : 0;
      }
      GRIDLOOM_UNROLL
      for (std::uint32_t k = 0; k < ahead; ++k) {
        if (base + k >= count) break;
        bid<word> const chosen = step<More>(task, latest, base + k, cost[k]);
        if (of_.rank == base + k) kept = chosen;
      }
    }
    if (!has_task) return;
    own_.finish[task] = kept.finish;
    own_.processor[task] = kept.processor;
    to_.finishes[of_.first + task] = kept.finish;
    to_.processors[of_.first + task] = kept.processor;
  }

  GRIDLOOM_FN arrival<word> look_up(std::uint32_t task) const {
    rows_ref<word> const& from = of_.all.predecessors;
    arrival<word> latest{0, 0, 0};
    std::uint32_t const end = from.offsets[of_.first + task + 1];
    for (std::uint32_t e = from.offsets[of_.first + task]; e < end; e += ahead) {
      std::uint32_t parent[ahead];
      word weight[ahead];
      GRIDLOOM_UNROLL
      for (std::uint32_t k = 0; k < ahead; ++k) {
        bool const is_there = e + k < end;
        parent[k] = is_there ? from.tasks[e + k] - of_.first : 0;
        weight[k] = is_there ? from.weights[e + k] : 0;
      }
      GRIDLOOM_UNROLL
      for (std::uint32_t k = 0; k < ahead; ++k) {
        if (e + k >= end) break;
        latest.join({own_.finish[parent[k]] + weight[k], 0, own_.processor[parent[k]]});
      }
    }
    return latest;
  }

  // Places the task of thread i. `cost` is the task's cost on the calling thread's processor.
  template <bool More>
  GRIDLOOM_FN bid<word> step(std::uint32_t task, arrival<word> const& latest, std::uint32_t i,
                             word cost) {
    int const from = static_cast<int>(i);
    arrival<word> const data{of_.warp.shuffle(latest.time, from),
                             of_.warp.shuffle(latest.second, from),
                             of_.warp.shuffle(latest.processor, from)};
    auto const after = [&](word free, std::uint32_t p) {
      word const ready = data.on(p);
      return free > ready ? free : ready;
    };
    bid<word> best = bid<word>::none();
    if (of_.rank < processors_) best = {after(free_, of_.rank) + cost, of_.rank};
    if constexpr (More) {
      std::uint32_t const next = of_.warp.shuffle(task, from);
      for (std::uint32_t p = of_.rank + of_.threads; p < processors_; p += of_.threads) {
        bid<word> const other{after(own_.free[p], p) + cost_of(next, p), p};
        if (other < best) best = other;
      }
    }
    bid<word> const chosen = best_of<word>(of_.warp, best);
    if (chosen.processor == of_.rank) {
      free_ = chosen.finish;
    } else if (More && chosen.processor % of_.threads == of_.rank) {
      own_.free[chosen.processor] = chosen.finish;
    }
    return chosen;
  }

  GRIDLOOM_FN word cost_of(std::uint32_t task, std::uint32_t p) const {
    return of_.all.costs[(std::size_t{of_.first} + task) * processors_ + p];
  }

  GRIDLOOM_FN void store_makespan(std::uint32_t number) {
    if (of_.rank < processors_) own_.free[of_.rank] = free_;
    of_.warp.sync();
    if (of_.rank != 0) return;
    word latest = 0;
    for (std::uint32_t p = 0; p < processors_; ++p) {
      if (own_.free[p] > latest) latest = own_.free[p];
    }
    to_.makespans[number] = latest;
  }

  batch_graph<Scratch, Warp> const& of_;
  Scratch& own_;
  batch_results_ref const& to_;
  std::uint32_t processors_;
  /// End of the last task on this thread's processor.
  word free_ = 0;
};

/// Calls body(graph) for every graph, each in one warp.
template <warp_group Warp, class Body>
GRIDLOOM_FN void for_each_graph(Warp const& warp, std::uint32_t num_graphs, std::uint32_t* taken,
                                Body&& body) {
  auto const count = static_cast<std::uint32_t>(warp.count());
  auto graph = static_cast<std::uint32_t>(warp.index());
  while (graph < num_graphs) {
    // Draws the next graph's number early, so the warp has it when this graph is done.
    std::uint32_t next = 0;
    if (warp.thread_rank() == 0) next = direct_memory{}.fetch_add_relaxed(taken, 1U);
    body(graph);
    graph = count + warp.shuffle(next, 0);
  }
}

/// Runs all steps of a graph.
template <bool Whole, class Scratch, warp_group Warp>
GRIDLOOM_FN void run_graph(batch_ref<typename Scratch::word> const& batch,
                           batch_results_ref const& results, std::uint32_t threads_per_row,
                           std::uint32_t number, Warp const& warp, Scratch& own) {
  batch_graph<Scratch, Warp> graph{batch, number, warp, own};
  graph.read(threads_per_row);
  graph.find_entries();
  graph.find_levels();
  graph.sort();
  graph.store(results);
  if constexpr (Whole) {
    warp.sync();
    batch_selection<Scratch, Warp>{graph, results}.place_all(number);
  }
  // The next graph uses the same scratch.
  warp.sync();
}

struct batch_tuning {
  // 32 warps per multiprocessor, which leaves 64 registers per thread. For larger graphs a block
  // has one warp, because shared memory has room for few of them.
  static constexpr int warps_of_small = 8;
  static constexpr int blocks_of_small = 4;
};

/// Handles graphs of up to `MostTasks` tasks with times that fit `Word`. If `Whole`, also selects
/// processors.
template <std::uint32_t MostTasks, std::unsigned_integral Word, bool Whole>
struct batch_kernel {
  static constexpr bool is_small = MostTasks <= 128;
  static constexpr int warps = is_small ? batch_tuning::warps_of_small : 1;
  static constexpr int max_threads = 32 * warps;
  static constexpr int min_blocks = is_small ? batch_tuning::blocks_of_small : 1;
  static constexpr bool persistent = false;

  struct scratch {
    batch_scratch<MostTasks, Word> of[warps];
  };

  batch_ref<Word> batch;
  batch_results_ref results;
  /// Threads that add up a row of costs: a power of two up to 32.
  std::uint32_t threads_per_row;
  /// Number of graphs that warps have drawn after their first one; 0 at first.
  std::uint32_t* taken;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    auto const warp = block.warp();
    auto& own = shared.of[block.thread_rank() / 32];
    for_each_graph(warp, batch.num_graphs, taken, [&](std::uint32_t number) {
      run_graph<Whole>(batch, results, threads_per_row, number, warp, own);
    });
  }
};

}  // namespace gridloom::pets
