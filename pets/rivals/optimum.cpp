// Branch and bound over orders and processors. Each task of an order is placed after the last one
// of its processor, as early as its data allow (a semi-active schedule). Some order gives the
// optimum: take of the schedules of least makespan one with the least sum of starts, and its tasks
// by start, then finish, then in a topological order. Predecessors come first in it (data are never
// there before the finish, and of two tasks with equal start and finish the topological order
// decides), and of two tasks on one processor the one that runs first (a task without cost stands
// at a border or in a gap, never inside another). Placed again in this order none starts later than
// before: the tasks before it end no later, by induction, and it needs only them; so none starts
// earlier either, or the sum would not be the least. Hence orders suffice in which starts never
// fall. That data are free on one processor changes nothing: when a task's data are there on a
// given processor depends on where and when its predecessors end, and never falls when these end
// later.

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "gridloom/error.hpp"
#include "rivals/list_scheduler.hpp"
#include "support/schedule.hpp"

namespace gridloom::pets {
namespace {

constexpr std::uint32_t most_tasks_of_optimum = 8;

class search {
 public:
  explicit search(task_graph const& graph)
      : graph_(graph),
        placed_(graph.num_tasks),
        is_placed_(graph.num_tasks, false),
        end_(graph.num_processors, 0),
        least_(graph.num_tasks),
        tail_(graph.num_tasks, 0),
        tasks_on_(graph.num_processors, 0),
        twin_(graph.num_processors) {
    for (std::uint32_t p = 0; p < graph.num_processors; ++p) {
      twin_[p] = 0;
      while (!same_costs(twin_[p], p)) ++twin_[p];
    }
    auto const topological = levels_of(graph).topological;
    for (std::size_t i = topological.size(); i-- > 0;) {
      std::uint32_t const task = topological[i];
      least_[task] = *std::ranges::min_element(graph.costs_of(task));
      for (std::uint32_t const child : graph.successors.of(task)) {
        tail_[task] = std::max(tail_[task], least_[child] + tail_[child]);
      }
    }
    least_sum_ = std::accumulate(least_.begin(), least_.end(), time_value{0});
    for (std::uint32_t p = 0; p < graph.num_processors; ++p) {  // all on one, one after the other
      time_value sum = 0;
      for (std::uint32_t task = 0; task < graph.num_tasks; ++task) sum += graph.costs_of(task)[p];
      best_ = p == 0 ? sum : std::min(best_, sum);
    }
  }

  time_value run() {
    extend(0, 0, 0);
    return best_;
  }

 private:
  void extend(std::uint32_t depth, time_value last_start, time_value makespan) {
    if (depth == graph_.num_tasks) {
      best_ = std::min(best_, makespan);
      return;
    }
    if (bound(last_start) >= best_) return;
    for (std::uint32_t task = 0; task < graph_.num_tasks; ++task) {
      if (is_placed_[task] || !is_ready(task)) continue;
      for (std::uint32_t p = 0; p < graph_.num_processors; ++p) {
        if (has_empty_twin(p)) continue;
        time_value const start = std::max(end_[p], data_there(task, p));
        time_value const finish = start + graph_.costs_of(task)[p];
        if (start < last_start || finish + tail_[task] >= best_) continue;
        time_value const old_end = end_[p];
        end_[p] = finish;
        placed_[task] = {p, start, finish};
        is_placed_[task] = true;
        least_sum_ -= least_[task];
        ++tasks_on_[p];
        extend(depth + 1, start, std::max(makespan, finish));
        --tasks_on_[p];
        least_sum_ += least_[task];
        is_placed_[task] = false;
        end_[p] = old_end;
      }
    }
  }

  // No completion ends before: nothing starts before last_start any more.
  [[nodiscard]] time_value bound(time_value last_start) const {
    time_value path = 0;
    for (std::uint32_t task = 0; task < graph_.num_tasks; ++task) {
      if (is_placed_[task]) continue;
      path = std::max(path, last_start + least_[task] + tail_[task]);
    }
    time_value work = least_sum_;
    for (time_value const end : end_) work += std::max(end, last_start);
    return std::max(path, (work + graph_.num_processors - 1) / graph_.num_processors);
  }

  // Of empty processors with the same costs for all tasks only the first is tried; so they fill up
  // in order, and one that has tasks has no empty one before it.
  [[nodiscard]] bool has_empty_twin(std::uint32_t p) const {
    for (std::uint32_t q = twin_[p]; q < p; ++q) {
      if (twin_[q] == twin_[p] && tasks_on_[q] == 0) return true;
    }
    return false;
  }

  [[nodiscard]] bool is_ready(std::uint32_t task) const {
    return std::ranges::all_of(graph_.predecessors.of(task),
                               [&](std::uint32_t parent) { return is_placed_[parent]; });
  }

  [[nodiscard]] bool same_costs(std::uint32_t p, std::uint32_t q) const {
    if (graph_.links) return p == q;  // what leads there may differ
    for (std::uint32_t task = 0; task < graph_.num_tasks; ++task) {
      if (graph_.costs_of(task)[p] != graph_.costs_of(task)[q]) return false;
    }
    return true;
  }

  [[nodiscard]] time_value data_there(std::uint32_t task, std::uint32_t p) const {
    adjacency const& from = graph_.predecessors;
    time_value there = 0;
    for (std::uint32_t e = from.offsets[task]; e < from.offsets[task + 1]; ++e) {
      placement const& parent = placed_[from.tasks[e]];
      there = std::max(there, parent.finish + graph_.transfer(parent.processor, p, e));
    }
    return there;
  }

  task_graph const& graph_;
  std::vector<placement> placed_;
  std::vector<bool> is_placed_;
  /// Of the last task, by processor.
  std::vector<time_value> end_;
  /// Cost of a task.
  std::vector<time_value> least_;
  /// Least costs of the longest path below a task.
  std::vector<time_value> tail_;
  /// By processor.
  std::vector<std::uint32_t> tasks_on_;
  /// The first processor of the same costs.
  std::vector<std::uint32_t> twin_;
  /// Of the tasks not placed.
  time_value least_sum_ = 0;
  time_value best_ = 0;
};

}  // namespace

time_value optimum(task_graph const& graph) {
  if (graph.num_tasks > most_tasks_of_optimum) {
    throw usage_error("optimum: expected at most " + std::to_string(most_tasks_of_optimum) +
                      " tasks, got " + std::to_string(graph.num_tasks));
  }
  return search(graph).run();
}

}  // namespace gridloom::pets
