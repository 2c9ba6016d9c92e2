#pragma once
// Priority queue of tasks whose predecessors have all been placed. CPOP and PEFT use it.

#include <cstdint>
#include <queue>
#include <type_traits>
#include <utility>
#include <vector>

#include "pets/support/task_graph.hpp"

namespace gridloom::pets {

/// `PriorityOf` returns the priority of a task. The graph must outlive the queue.
template <class PriorityOf>
class free_tasks {
 public:
  free_tasks(task_graph const& graph, PriorityOf priority_of)
      : graph_(&graph), priority_of_(std::move(priority_of)), missing_(graph.num_tasks) {
    for (std::uint32_t task = 0; task < graph.num_tasks; ++task) {
      missing_[task] = static_cast<std::uint32_t>(graph.predecessors.of(task).size());
      if (missing_[task] == 0) push(task);
    }
  }

  [[nodiscard]] bool empty() const { return free_.empty(); }
  /// Removes the task with the largest priority; of equal ones, the task with the lowest number.
  [[nodiscard]] std::uint32_t take() {
    std::uint32_t const task = free_.top().task;
    free_.pop();
    return task;
  }
  /// Adds the successors of a placed task that wait for no other predecessor.
  void place(std::uint32_t task) {
    for (std::uint32_t const child : graph_->successors.of(task)) {
      if (--missing_[child] == 0) push(child);
    }
  }

 private:
  struct key {
    std::invoke_result_t<PriorityOf const&, std::uint32_t> priority;
    std::uint32_t task;
    bool operator<(key const& other) const {
      return priority != other.priority ? priority < other.priority : task > other.task;
    }
  };
  void push(std::uint32_t task) { free_.push({priority_of_(task), task}); }

  task_graph const* graph_;
  PriorityOf priority_of_;
  /// Array of one number per task: its predecessors that are not placed.
  std::vector<std::uint32_t> missing_;
  std::priority_queue<key> free_;
};

}  // namespace gridloom::pets
