#pragma once
// A task graph in a device's memory, in compressed rows, and its view in kernels.

#include <cstdint>

#include "gridloom/device.hpp"
#include "pets/support/task_graph.hpp"

namespace gridloom::pets {

struct adjacency_ref {
  /// Array of num_tasks + 1 offsets.
  std::uint32_t const* offsets;
  std::uint32_t const* tasks;
  time_value const* weights;
};

struct device_graph_ref {
  std::uint32_t num_tasks;
  std::uint32_t num_processors;
  /// Array of num_tasks rows of num_processors costs.
  time_value const* costs;
  adjacency_ref successors;
  adjacency_ref predecessors;
};

/// Owns the arrays of a graph on a device. Used by one thread.
class device_graph {
 public:
  device_graph(device& machine, task_graph const& graph);
  [[nodiscard]] device_graph_ref ref() const;
  [[nodiscard]] std::size_t bytes() const;
  [[nodiscard]] std::uint32_t num_edges() const {
    return static_cast<std::uint32_t>(successors_.tasks.size());
  }
  /// Whether every edge goes from a smaller to a larger number.
  [[nodiscard]] bool ascends() const { return ascends_; }

 private:
  struct rows {
    buffer<std::uint32_t> offsets;
    buffer<std::uint32_t> tasks;
    buffer<time_value> weights;
  };
  std::uint32_t num_tasks_;
  std::uint32_t num_processors_;
  bool ascends_;
  buffer<time_value> costs_;
  rows successors_;
  rows predecessors_;
};

}  // namespace gridloom::pets
