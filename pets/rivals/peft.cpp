// PEFT (Arabnejad, Barbosa 2014). The optimistic cost table holds the time from a task's finish on
// each processor to the end, if all processors were free. The table determines the order and is
// added to finishes. Means are exact, because they are multiplied by the number of processors.

#include <algorithm>
#include <compare>
#include <limits>
#include <ranges>
#include <stdexcept>
#include <vector>

#include "gridloom/host_time_limit.hpp"
#include "pets/rivals/free_tasks.hpp"
#include "pets/rivals/list_scheduler.hpp"
#include "pets/timeline.hpp"

namespace gridloom::pets {
namespace {

// A sum of times over all processors, which may exceed 64 bits.
struct wide_sum {
  time_value high = 0;
  time_value low = 0;
  void add(time_value value) {
    low += value;
    high += low < value ? 1 : 0;
  }
  friend auto operator<=>(wide_sum const&, wide_sum const&) = default;
};

// The optimistic cost table, with one row per task and one column per processor.
std::vector<time_value> optimistic_costs(task_graph const& graph) {
  std::uint32_t const processors = graph.num_processors;
  std::vector<time_value> table(graph.costs.size(), 0);
  std::vector<time_value> ends(processors);
  time_checks in_time{"PEFT"};
  for (std::uint32_t const task : levels_of(graph).topological | std::views::reverse) {
    in_time();
    time_value* const own = table.data() + std::size_t{task} * processors;
    auto const children = graph.successors.of(task);
    auto const weights = graph.successors.weights_of(task);
    for (std::size_t i = 0; i < children.size(); ++i) {
      auto const costs = graph.costs_of(children[i]);
      time_value const* const below = table.data() + std::size_t{children[i]} * processors;
      for (std::uint32_t q = 0; q < processors; ++q) ends[q] = below[q] + costs[q];
      time_value const elsewhere = std::ranges::min(ends) + weights[i];
      for (std::uint32_t p = 0; p < processors; ++p) {
        own[p] = std::max(own[p], std::min(ends[p], elsewhere));
      }
    }
  }
  return table;
}

}  // namespace

schedule peft(task_graph const& graph, policy how) {
  if (how != policy::insertion) throw std::invalid_argument("PEFT: expected insertion");
  std::uint32_t const processors = graph.num_processors;
  std::vector<time_value> const table = optimistic_costs(graph);
  free_tasks free{graph, [&](std::uint32_t task) {
                    wide_sum rank;
                    for (std::uint32_t p = 0; p < processors; ++p) {
                      rank.add(table[std::size_t{task} * processors + p]);
                    }
                    return rank;
                  }};
  schedule result;
  result.of.resize(graph.num_tasks);
  result.order.reserve(graph.num_tasks);
  std::vector<gaps> timelines(processors);
  ready_times ready{processors};
  time_checks in_time{"PEFT"};
  while (!free.empty()) {
    in_time();
    std::uint32_t const task = free.take();
    ready.gather(graph, task, result.of);
    auto const costs = graph.costs_of(task);
    placement best{0, 0, 0};
    time_value least = std::numeric_limits<time_value>::max();
    for (std::uint32_t p = 0; p < processors; ++p) {
      time_value const start = timelines[p].earliest_start(ready.on(p), costs[p]);
      time_value const behind = start + costs[p] + table[std::size_t{task} * processors + p];
      if (behind >= least) continue;
      least = behind;
      best = {p, start, start + costs[p]};
    }
    timelines[best.processor].take(best.start, costs[best.processor]);
    result.of[task] = best;
    result.order.push_back(task);
    free.place(task);
  }
  return result;
}

}  // namespace gridloom::pets
