#pragma once
// Before and after the kernels of one launch: what a rank needs of a task alone, and their words as
// arrays. A thread a task.

#include "gridloom/tagged.hpp"
#include "pets/priorities.hpp"
#include "support/device_graph.hpp"
#include "support/each.hpp"

namespace gridloom::pets {

struct totals_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;

  device_graph_ref graph;
  /// ACC times the processors.
  time_value* cost_sums;
  /// ACC rounded, and DTC.
  time_value* own;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    std::uint32_t const processors = graph.num_processors;
    for_each(block, graph.num_tasks, [&](std::uint32_t task) {
      time_value sum = 0;
      for (std::uint32_t p = 0; p < processors; ++p) {
        sum += graph.costs[std::size_t{task} * processors + p];
      }
      time_value data = 0;
      std::uint32_t const end = graph.successors.offsets[task + 1];
      for (std::uint32_t e = graph.successors.offsets[task]; e < end; ++e) {
        data += graph.successors.weights[e];
      }
      cost_sums[task] = sum;
      own[task] = rounded_mean(sum, processors) + data;
    });
  }
};

/// Ranks tagged with levels + 1 to arrays.
struct untag_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;

  std::uint32_t num_tasks;
  tagged<time_value> const* found;
  time_value* ranks;
  std::uint32_t* levels;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    for_each(block, num_tasks, [&](std::uint32_t task) {
      ranks[task] = found[task].value;
      levels[task] = found[task].tag - 1;
    });
  }
};

}  // namespace gridloom::pets
