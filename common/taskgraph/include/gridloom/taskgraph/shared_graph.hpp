#pragma once
// One copy of a graph and of its levels in device memory, for all executors of the graph that read
// them as they are. Executors with a layout of their own copy the graph again.

#include <memory>
#include <utility>

#include "gridloom/taskgraph/device_graph.hpp"
#include "gridloom/taskgraph/executor.hpp"
#include "gridloom/taskgraph/rivals/device_levels.hpp"

namespace gridloom {

/// Used by one thread. Executors that got it in their settings keep its parts alive.
class shared_graph {
 public:
  /// `graph` has passed check_dag and has a task.
  shared_graph(device& machine, csr_graph const& graph)
      : dag_(timed(machine, dag_ms_,
                   [&] { return std::make_shared<device_graph>(machine, graph); })),
        levels_(levels_on(machine, graph)) {}

  /// Successors and predecessors.
  [[nodiscard]] std::shared_ptr<device_graph> dag() {
    handed_out_ms_ += dag_ms_;
    return dag_;
  }
  [[nodiscard]] std::shared_ptr<device_levels const> levels() {
    handed_out_ms_ += levels_->ms;
    return levels_;
  }
  /// Set-up time of the parts handed out since the last call. An executor that shares them takes as
  /// much less time to make.
  [[nodiscard]] double take_handed_out_ms() { return std::exchange(handed_out_ms_, 0); }

 private:
  double dag_ms_ = 0, handed_out_ms_ = 0;
  std::shared_ptr<device_graph> dag_;
  std::shared_ptr<device_levels const> levels_;
};

/// The shared copy of the graph, or a new one if the settings name none.
[[nodiscard]] inline std::shared_ptr<device_graph> dag_on(device& machine, csr_graph const& graph,
                                                          executor_settings const& settings) {
  return settings.shared != nullptr ? settings.shared->dag()
                                    : std::make_shared<device_graph>(machine, graph);
}
/// The same for the levels.
[[nodiscard]] inline std::shared_ptr<device_levels const> levels_on(
    device& machine, csr_graph const& graph, executor_settings const& settings) {
  return settings.shared != nullptr ? settings.shared->levels() : levels_on(machine, graph);
}

}  // namespace gridloom
