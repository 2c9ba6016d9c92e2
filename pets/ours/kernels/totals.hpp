#pragma once
// Kernels before and after the single launch. The first computes the part of a rank that depends
// only on the task. The second unpacks words into arrays. Both have one thread per task.

#include "gridloom/tagged.hpp"
#include "pets/priorities.hpp"
#include "pets/support/device_graph.hpp"
#include "pets/support/each.hpp"

namespace gridloom::pets {

struct totals_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;

  device_graph_ref graph;
  /// Sum of each task's costs: ACC times the number of processors.
  time_value* cost_sums;
  /// ACC + DTC of each task, rounded.
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

/// Unpacks ranks, tagged with level + 1, into two arrays.
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
