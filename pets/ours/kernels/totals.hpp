#pragma once
// Kernels before and after the single launch. The first computes the part of a rank that depends
// only on the task. The second unpacks words into arrays. Both have one thread per task.

#include "gridloom/each.hpp"
#include "gridloom/tagged.hpp"
#include "pets/priorities.hpp"
#include "pets/support/device_graph.hpp"

namespace gridloom::pets {

struct add_totals {
  device_graph_ref graph;
  /// Sum of each task's costs: ACC times the number of processors.
  time_value* cost_sums;
  /// ACC + DTC of each task, rounded.
  time_value* own;

  GRIDLOOM_FN void operator()(std::uint32_t task) const {
    std::uint32_t const processors = graph.num_processors;
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
  }
};

/// Unpacks ranks, tagged with level + 1, into two arrays.
struct untag {
  tagged<time_value> const* found;
  time_value* ranks;
  std::uint32_t* levels;

  GRIDLOOM_FN void operator()(std::uint32_t task) const {
    ranks[task] = found[task].value;
    levels[task] = found[task].tag - 1;
  }
};

}  // namespace gridloom::pets
