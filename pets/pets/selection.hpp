#pragma once
// Selection of processors (3.3): each task of an order goes where it finishes first, on the lowest
// numbered of several such processors. Serial; the order must be topological.

#include <cstdint>
#include <span>
#include <vector>

#include "support/schedule.hpp"

namespace gridloom::pets {

enum class policy {
  /// The earliest gap that is long enough.
  insertion,
  /// After the processor's last task.
  append,
  /// Append, with the start as code 4.6 has it: see selection.cpp.
  literal,
};

/// When a task's data are there, on each processor: the latest of all, but on the processor that
/// those come from the latest of others.
class latest_data {
 public:
  /// Of a predecessor on that processor.
  void add(std::uint32_t processor, time_value there) {
    if (processor == processor_) {
      first_ = there > first_ ? there : first_;
    } else if (there > first_) {
      second_ = first_;
      first_ = there;
      processor_ = processor;
    } else {
      second_ = there > second_ ? there : second_;
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

/// Earliest starts as far as predecessors decide, by processor. Data come free from the same
/// processor, so two numbers decide for all but few: the latest data of all predecessors, and of
/// those on other processors than that one's.
class ready_times {
 public:
  explicit ready_times(std::uint32_t num_processors) : own_(num_processors) {}
  /// Of a task whose predecessors are placed. Cost: its predecessors; where links differ, times the
  /// processors.
  void gather(task_graph const& graph, std::uint32_t task, std::vector<placement> const& placed);
  [[nodiscard]] time_value on(std::uint32_t processor) const {
    time_value const others = data_.on(processor);
    return own_[processor] > others ? own_[processor] : others;
  }

 private:
  void gather_by_pair(task_graph const& graph, std::uint32_t task,
                      std::vector<placement> const& placed);

  /// Finish of predecessors on the processor; where links differ, when all data are there.
  std::vector<time_value> own_;
  /// Processors with own_ not 0.
  std::vector<std::uint32_t> touched_;
  latest_data data_;
};

/// Places the tasks of `order`. `finishes`, if given, gets the EFT of every task on every
/// processor, as it was when the task was placed. Cost: edges + tasks × processors, times log of
/// the tasks with gaps. Throws usage_error on `literal` for a graph with links.
[[nodiscard]] schedule select_processors(task_graph const& graph,
                                         std::span<std::uint32_t const> order, policy how,
                                         std::vector<time_value>* finishes = nullptr);

}  // namespace gridloom::pets
