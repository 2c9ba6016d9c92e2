#pragma once
// What a rank needs of a task alone: ACC rounded and DTC, a thread a task.

#include "gridloom/group.hpp"
#include "pets/device_graph.hpp"
#include "pets/priorities.hpp"

namespace gridloom::pets {

struct totals_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;

  device_graph_ref graph;
  time_value* cost_sums;  // ACC times the processors
  time_value* own;        // ACC rounded, and DTC

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    auto const each = block.thread();
    auto const step = static_cast<std::uint32_t>(each.count());
    std::uint32_t const processors = graph.num_processors;
    for (auto task = static_cast<std::uint32_t>(each.index()); task < graph.num_tasks;
         task += step) {
      time_value sum = 0;
      for (std::uint32_t p = 0; p < processors; ++p) {
        sum += graph.costs[std::size_t{task} * processors + p];
      }
      time_value data = 0;
      for (std::uint32_t e = graph.successors.offsets[task]; e < graph.successors.offsets[task + 1];
           ++e) {
        data += graph.successors.weights[e];
      }
      cost_sums[task] = sum;
      own[task] = rounded_mean(sum, processors) + data;
    }
  }
};

}  // namespace gridloom::pets
