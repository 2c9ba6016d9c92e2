#pragma once
// Batches with graphs too large for shared memory. The steps are those of batch.hpp. Their arrays
// are in device memory, graph after graph, with 64-bit times.

#include "pets/ours/kernels/batch_select.hpp"

namespace gridloom::pets {

/// The arrays of all graphs. device_batch owns them.
struct large_memory_ref {
  /// These arrays have one word per task of all graphs.
  time_value* ranks;
  time_value* cost_sums;
  time_value* finishes;
  std::uint32_t* processors;
  std::uint32_t* queue;
  std::uint32_t* order;
  std::uint32_t* levels;
  /// These two arrays have one word per task plus one per graph.
  std::uint32_t* row_begins;
  std::uint32_t* level_begins;
  /// One word per processor of each graph.
  time_value* free;
};

/// The members of batch_scratch, but the arrays are in device memory.
struct large_scratch {
  using word = time_value;
  using number = std::uint32_t;
  using edge = std::uint32_t;
  static constexpr std::uint32_t most_kept = 0;

  word* rank;
  word* cost_sum;
  word* free;
  /// `above` is used until find_levels() is done, and `finish` after it.
  word* above;
  word* finish;
  /// `missing` is used until find_levels() is done, and `processor` after it.
  std::uint32_t* missing;
  std::uint32_t* processor;
  std::uint32_t tail;
  edge* row_begin;
  number* queue;
  number* order;
  number* level;
  number* level_begin;

  /// Points the members to one graph's parts of the arrays.
  GRIDLOOM_FN void take(large_memory_ref const& of, batch_ref<word> const& batch,
                        std::uint32_t graph) {
    std::uint32_t const first = batch.begins[graph];
    rank = of.ranks + first;
    cost_sum = of.cost_sums + first;
    above = finish = of.finishes + first;
    missing = processor = of.processors + first;
    queue = of.queue + first;
    order = of.order + first;
    level = of.levels + first;
    row_begin = of.row_begins + first + graph;
    level_begin = of.level_begins + first + graph;
    free = of.free + std::size_t{graph} * batch.graphs.num_processors;
  }
};

/// If `Whole`, also selects processors.
template <bool Whole>
struct large_batch_kernel {
  static constexpr int warps = 4;
  static constexpr int max_threads = 32 * warps;
  static constexpr int min_blocks = 4;
  static constexpr bool persistent = false;

  struct scratch {
    large_scratch of[warps];
  };

  batch_ref<time_value> batch;
  batch_results_ref results;
  std::uint32_t threads_per_row;
  std::uint32_t* taken;
  large_memory_ref memory;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    auto const warp = block.warp();
    auto& own = shared.of[block.thread_rank() / 32];
    for_each_graph(warp, batch.num_graphs, taken, [&](std::uint32_t number) {
      if (warp.thread_rank() == 0) own.take(memory, batch, number);
      warp.sync();
      run_graph<Whole>(batch, results, threads_per_row, number, warp, own);
    });
  }
};

}  // namespace gridloom::pets
