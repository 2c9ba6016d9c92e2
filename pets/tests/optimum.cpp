// The optimum, by branch and bound over orders and processors. Each task of an order is placed
// after the last task on its processor, as early as its data allows (a semi-active schedule).
//
// Orders in which starts never decrease suffice. Proof: take the schedules with the smallest
// makespan, and of these one with the smallest sum of starts. Sort its tasks by start, then finish,
// then in a topological order.
// - In this order predecessors come first: data never arrives before the finish, and the
//   topological order decides between tasks with equal start and finish.
// - Of two tasks on one processor, the first one comes first. A task without cost is at a border or
//   in a gap, never inside another task.
// - Placed again in this order, no task starts later than before. By induction, the tasks before a
//   task end no later, and its start depends only on them. No task starts earlier either, or the
//   sum of starts would not be the smallest.
// - Transfers on one processor take no time, and the proof still holds. When a task's data arrives
//   depends on where and when its predecessors end. It is never earlier if they end later.

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "gridloom/error.hpp"
#include "optimum.hpp"
#include "pets/support/schedule.hpp"

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
    // First bound: all tasks one after another on one processor.
    for (std::uint32_t p = 0; p < graph.num_processors; ++p) {
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

  // Lower bound of the makespan of all completions. No further task starts before last_start.
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

  // Whether an earlier empty processor has the same costs. Only the first such processor is tried.
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
    // If links differ, processors with the same costs are not equal.
    if (graph_.links) return p == q;
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
  /// End of the last task on each processor.
  std::vector<time_value> end_;
  std::vector<time_value> least_;
  /// Per task: length of the longest path from it, with smallest costs.
  std::vector<time_value> tail_;
  std::vector<std::uint32_t> tasks_on_;
  /// Per processor: the first processor with the same costs.
  std::vector<std::uint32_t> twin_;
  /// Sum of the smallest costs of all tasks that are not placed.
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
