#pragma once
// The levels of a graph in device memory. All executors of the graph can share them.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/taskgraph/executor.hpp"
#include "gridloom/taskgraph/orders.hpp"

namespace gridloom {

struct device_levels {
  /// `find()` computes the levels.
  template <class Find>
  device_levels(device& machine, Find&& find) {
    tasks = timed(machine, ms, [&] {
      task_groups levels = find();
      first = std::move(levels.first);
      return machine.allocate_copy(levels.tasks);
    });
  }

  [[nodiscard]] std::size_t count() const { return first.size() - 1; }
  [[nodiscard]] std::uint32_t size(std::size_t level) const {
    return first[level + 1] - first[level];
  }

  /// Array of number of levels + 1 places: the first task of each level in `tasks`, and the end.
  std::vector<std::uint32_t> first;
  buffer<std::uint32_t> tasks;
  /// Time of computing and copying them.
  double ms = 0;
};

/// The levels of a graph. Blocks with neighbouring numbers take tasks with neighbouring numbers.
[[nodiscard]] inline std::shared_ptr<device_levels const> levels_on(device& machine,
                                                                    csr_graph const& graph) {
  return std::make_shared<device_levels const>(machine, [&] { return levels_by_number(graph); });
}

}  // namespace gridloom
