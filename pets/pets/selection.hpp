#pragma once
// Selection of processors (3.3, 4.3.4). Each task goes to the processor where it finishes first; of
// equal ones, to the one with the lowest number. Runs on one thread. The order must be topological.

#include <cstdint>
#include <span>
#include <vector>

#include "pets/support/schedule.hpp"

namespace gridloom::pets {

enum class policy {
  /// The task goes into the processor's earliest gap that is long enough.
  insertion,
  /// The task goes after the processor's last task.
  append,
  /// Like append, with the start as printed in code 4.6; see literal_times in selection.cpp.
  literal,
};

/// When a task's data has arrived on each processor. This is the latest arrival of all data, except
/// on the processor that sends this latest data. There it is the latest arrival from others.
class latest_data {
 public:
  /// Adds a predecessor on `processor`. Its data arrives on other processors at `arrival`.
  void add(std::uint32_t processor, time_value arrival) {
    if (processor == processor_) {
      first_ = arrival > first_ ? arrival : first_;
    } else if (arrival > first_) {
      second_ = first_;
      first_ = arrival;
      processor_ = processor;
    } else {
      second_ = arrival > second_ ? arrival : second_;
    }
  }
  [[nodiscard]] time_value on(std::uint32_t processor) const {
    return processor == processor_ ? second_ : first_;
  }

 private:
  time_value first_ = 0;
  time_value second_ = 0;
  std::uint32_t processor_ = 0;
};

/// For each processor, the earliest start of a task that its predecessors allow. latest_data has
/// the arrival of data from other processors. On a predecessor's own processor, the data is there
/// when the predecessor finishes.
class ready_times {
 public:
  explicit ready_times(std::uint32_t num_processors) : own_(num_processors) {}
  /// Computes the starts of a task whose predecessors are placed. Cost: the number of predecessors;
  /// times the number of processors if links differ.
  void gather(task_graph const& graph, std::uint32_t task, std::vector<placement> const& placed);
  [[nodiscard]] time_value on(std::uint32_t processor) const {
    time_value const others = data_.on(processor);
    return own_[processor] > others ? own_[processor] : others;
  }

 private:
  void gather_by_pair(task_graph const& graph, std::uint32_t task,
                      std::vector<placement> const& placed);

  /// Per processor: the latest finish of a predecessor there. If links differ, the latest arrival
  /// of data from any processor.
  std::vector<time_value> own_;
  /// Processors whose entry of own_ is not 0.
  std::vector<std::uint32_t> touched_;
  latest_data data_;
};

/// Places the tasks of `order`. If `finishes` is given, it gets the EFT of every task on every
/// processor at the moment when the task was placed. Cost: edges + tasks × processors; with
/// insertion, times the logarithm of the number of tasks. Throws usage_error for `literal` on a
/// graph with links.
[[nodiscard]] schedule select_processors(task_graph const& graph,
                                         std::span<std::uint32_t const> order, policy how,
                                         std::vector<time_value>* finishes = nullptr);

}  // namespace gridloom::pets
