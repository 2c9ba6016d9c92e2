#include "pets/selection.hpp"

#include <algorithm>
#include <limits>

#include "gridloom/error.hpp"
#include "gridloom/host_time_limit.hpp"
#include "pets/timeline.hpp"

namespace gridloom::pets {
namespace {

// The variables of code 4.6: the predecessor whose data arrives last, and the latest arrival from
// the others. As in the listing, that arrival includes the transfer on every processor.
class literal_times {
 public:
  explicit literal_times(std::uint32_t /*num_processors*/) {}
  void gather(task_graph const& graph, std::uint32_t task, std::vector<placement> const& placed) {
    auto const parents = graph.predecessors.of(task);
    auto const weights = graph.predecessors.weights_of(task);
    latest_ = weight_ = others_ = 0;
    std::size_t last = parents.size();
    for (std::size_t i = 0; i < parents.size(); ++i) {
      time_value const there = placed[parents[i]].finish + weights[i];
      if (there <= latest_ && last != parents.size()) continue;
      last = i;
      latest_ = there;
      weight_ = weights[i];
      processor_ = placed[parents[i]].processor;
    }
    for (std::size_t i = 0; i < parents.size(); ++i) {
      if (i != last) others_ = std::max(others_, placed[parents[i]].finish + weights[i]);
    }
  }
  [[nodiscard]] time_value on(std::uint32_t processor) const {
    return std::max(processor == processor_ ? latest_ - weight_ : latest_, others_);
  }

 private:
  time_value latest_ = 0;
  time_value weight_ = 0;
  time_value others_ = 0;
  std::uint32_t processor_ = 0;
};

// Prefetches the data of coming tasks: first the offsets of their edges and their costs, then the
// edges, then the placements of the predecessors. Without prefetching, a task waits for three loads
// in sequence.
class look_ahead {
 public:
  look_ahead(task_graph const& graph, std::span<std::uint32_t const> order,
             std::vector<placement> const& placed)
      : graph_(graph), order_(order), placed_(placed) {}

  void before(std::size_t place) const {
    if (place + far >= order_.size()) return;
    adjacency const& edges = graph_.predecessors;
    std::uint32_t const last = order_[place + far];
    __builtin_prefetch(edges.offsets.data() + last);
    __builtin_prefetch(graph_.costs_of(last).data());
    std::uint32_t const begin = edges.offsets[order_[place + middle]];
    __builtin_prefetch(edges.tasks.data() + begin);
    __builtin_prefetch(edges.weights.data() + begin);
    for (std::uint32_t const parent : edges.of(order_[place + near])) {
      __builtin_prefetch(&placed_[parent].processor);
      __builtin_prefetch(&placed_[parent].finish);
    }
  }

 private:
  // How far ahead each part of the data is prefetched, in tasks.
  static constexpr std::size_t far = 24;
  static constexpr std::size_t middle = 16;
  static constexpr std::size_t near = 8;

  task_graph const& graph_;
  std::span<std::uint32_t const> order_;
  std::vector<placement> const& placed_;
};

template <class Ready, class Timeline>
schedule select(task_graph const& graph, std::span<std::uint32_t const> order,
                std::vector<time_value>* finishes) {
  schedule result;
  if (finishes != nullptr) finishes->resize(graph.costs.size());
  result.of.resize(graph.num_tasks);
  result.order.assign(order.begin(), order.end());
  std::vector<Timeline> processors(graph.num_processors);
  Ready ready{graph.num_processors};
  look_ahead const ahead{graph, order, result.of};
  time_checks in_time{"selection of processors"};
  for (std::size_t place = 0; place < order.size(); ++place) {
    std::uint32_t const task = order[place];
    in_time();
    ahead.before(place);
    ready.gather(graph, task, result.of);
    auto const costs = graph.costs_of(task);
    placement best{0, 0, std::numeric_limits<time_value>::max()};
    for (std::uint32_t p = 0; p < graph.num_processors; ++p) {
      // Skips the search if this processor cannot win any more.
      if (finishes == nullptr && ready.on(p) + costs[p] >= best.finish) continue;
      time_value const start = processors[p].earliest_start(ready.on(p), costs[p]);
      if (finishes != nullptr) {
        (*finishes)[std::size_t{task} * graph.num_processors + p] = start + costs[p];
      }
      if (start + costs[p] < best.finish) best = {p, start, start + costs[p]};
    }
    processors[best.processor].take(best.start, costs[best.processor]);
    result.of[task] = best;
  }
  return result;
}

// Append without a record of finishes. A processor is not free before the predecessors on it are
// done, so latest_data replaces ready_times.
schedule append_quickly(task_graph const& graph, std::span<std::uint32_t const> order) {
  schedule result;
  result.of.resize(graph.num_tasks);
  result.order.assign(order.begin(), order.end());
  std::uint32_t const processors = graph.num_processors;
  std::vector<time_value> free_from(processors, 0);
  look_ahead const ahead{graph, order, result.of};
  time_checks in_time{"selection of processors"};
  for (std::size_t place = 0; place < order.size(); ++place) {
    std::uint32_t const task = order[place];
    in_time();
    ahead.before(place);
    latest_data data;
    auto const parents = graph.predecessors.of(task);
    auto const weights = graph.predecessors.weights_of(task);
    for (std::size_t i = 0; i < parents.size(); ++i) {
      placement const& parent = result.of[parents[i]];
      data.add(parent.processor, parent.finish + weights[i]);
    }
    auto const costs = graph.costs_of(task);
    placement best{0, 0, std::numeric_limits<time_value>::max()};
    for (std::uint32_t p = 0; p < processors; ++p) {
      time_value const finish = std::max(free_from[p], data.on(p)) + costs[p];
      if (finish < best.finish) best = {p, 0, finish};
    }
    best.start = best.finish - costs[best.processor];
    free_from[best.processor] = best.finish;
    result.of[task] = best;
  }
  return result;
}

}  // namespace

void ready_times::gather(task_graph const& graph, std::uint32_t task,
                         std::vector<placement> const& placed) {
  for (std::uint32_t const processor : touched_) own_[processor] = 0;
  touched_.clear();
  data_ = {};
  if (graph.links) return gather_by_pair(graph, task, placed);
  auto const parents = graph.predecessors.of(task);
  auto const weights = graph.predecessors.weights_of(task);
  for (std::size_t i = 0; i < parents.size(); ++i) {
    placement const& parent = placed[parents[i]];
    data_.add(parent.processor, parent.finish + weights[i]);
    if (own_[parent.processor] == 0) touched_.push_back(parent.processor);
    own_[parent.processor] = std::max(own_[parent.processor], parent.finish);
  }
}

// If links differ, the latest data arrives at a different time on each processor.
void ready_times::gather_by_pair(task_graph const& graph, std::uint32_t task,
                                 std::vector<placement> const& placed) {
  std::ranges::fill(own_, 0);
  adjacency const& from = graph.predecessors;
  for (std::uint32_t e = from.offsets[task]; e < from.offsets[task + 1]; ++e) {
    placement const& parent = placed[from.tasks[e]];
    for (std::uint32_t p = 0; p < graph.num_processors; ++p) {
      own_[p] = std::max(own_[p], parent.finish + graph.transfer(parent.processor, p, e));
    }
  }
}

schedule select_processors(task_graph const& graph, std::span<std::uint32_t const> order,
                           policy how, std::vector<time_value>* finishes) {
  switch (how) {
    case policy::insertion: return select<ready_times, gaps>(graph, order, finishes);
    case policy::append:
      if (finishes == nullptr && !graph.links) return append_quickly(graph, order);
      return select<ready_times, appended>(graph, order, finishes);
    case policy::literal: break;
  }
  if (graph.links) {
    throw usage_error("pets_literal: expected one bandwidth and latency for all processors");
  }
  return select<literal_times, appended>(graph, order, finishes);
}

}  // namespace gridloom::pets
