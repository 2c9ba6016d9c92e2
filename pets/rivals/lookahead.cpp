// HEFT with look-ahead (Bittencourt, Sakellariou, Madeira 2010). In HEFT's order, each task goes
// where its successors, placed after it on trial, finish first.

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "gridloom/host_time_limit.hpp"
#include "pets/rivals/list_scheduler.hpp"
#include "pets/timeline.hpp"

namespace gridloom::pets {
namespace {

// Placements of tasks, final or on trial.
class placed_tasks {
 public:
  explicit placed_tasks(task_graph const& graph)
      : graph_(&graph),
        at_(graph.num_tasks),
        is_placed_(graph.num_tasks, false),
        timelines_(graph.num_processors) {}

  /// Placement of a task on a processor. Ignores predecessors that are not placed.
  [[nodiscard]] placement on(std::uint32_t task, std::uint32_t p) const {
    adjacency const& from = graph_->predecessors;
    time_value ready = 0;
    for (std::uint32_t e = from.offsets[task]; e < from.offsets[task + 1]; ++e) {
      std::uint32_t const parent = from.tasks[e];
      if (!is_placed_[parent]) continue;
      ready = std::max(ready, at_[parent].finish + graph_->transfer(at_[parent].processor, p, e));
    }
    time_value const cost = graph_->costs_of(task)[p];
    time_value const start = timelines_[p].earliest_start(ready, cost);
    return {p, start, start + cost};
  }
  [[nodiscard]] placement earliest(std::uint32_t task) const {
    placement best = on(task, 0);
    for (std::uint32_t p = 1; p < graph_->num_processors; ++p) {
      placement const other = on(task, p);
      if (other.finish < best.finish) best = other;
    }
    return best;
  }
  void put(std::uint32_t task, placement const& at) {
    timelines_[at.processor].take(at.start, at.finish - at.start);
    at_[task] = at;
    is_placed_[task] = true;
  }
  /// State to restore after a trial.
  struct change {
    std::uint32_t task;
    std::uint32_t processor;
    gaps timeline;
  };
  [[nodiscard]] change put_on_trial(std::uint32_t task, placement const& at) {
    change before{task, at.processor, timelines_[at.processor]};
    put(task, at);
    return before;
  }
  void take_back(change&& before) {
    timelines_[before.processor] = std::move(before.timeline);
    is_placed_[before.task] = false;
  }
  [[nodiscard]] std::vector<placement>& all() { return at_; }

 private:
  task_graph const* graph_;
  std::vector<placement> at_;
  std::vector<bool> is_placed_;
  std::vector<gaps> timelines_;
};

}  // namespace

schedule lookahead_heft(task_graph const& graph, policy how) {
  if (how != policy::insertion) throw std::invalid_argument("lookahead HEFT: expected insertion");
  std::vector<std::uint32_t> const order = heft_order(graph);
  std::vector<std::uint32_t> place(graph.num_tasks);
  for (std::uint32_t i = 0; i < graph.num_tasks; ++i) place[order[i]] = i;
  placed_tasks placed(graph);
  std::vector<std::uint32_t> children;
  std::vector<placed_tasks::change> changes;
  for (std::uint32_t const task : order) {
    host_time_limit::check("lookahead HEFT");
    auto const successors = graph.successors.of(task);
    children.assign(successors.begin(), successors.end());
    std::ranges::sort(children, {}, [&](std::uint32_t child) { return place[child]; });
    placement best{};
    time_value least = std::numeric_limits<time_value>::max();
    for (std::uint32_t p = 0; p < graph.num_processors; ++p) {
      placement const own = placed.on(task, p);
      time_value last = children.empty() ? own.finish : 0;
      if (!children.empty()) changes.push_back(placed.put_on_trial(task, own));
      for (std::uint32_t const child : children) {
        placement const behind = placed.earliest(child);
        last = std::max(last, behind.finish);
        if (last > least) break;
        changes.push_back(placed.put_on_trial(child, behind));
      }
      for (; !changes.empty(); changes.pop_back()) placed.take_back(std::move(changes.back()));
      if (std::tuple(last, own.finish) >= std::tuple(least, best.finish)) continue;
      least = last;
      best = own;
    }
    placed.put(task, best);
  }
  schedule result;
  result.of = std::move(placed.all());
  result.order = order;
  return result;
}

}  // namespace gridloom::pets
