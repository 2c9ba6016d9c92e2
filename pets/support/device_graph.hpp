#pragma once
// A task graph in a device's memory, in compressed rows, and its view in kernels.

#include <cstdint>
#include <string>

#include "gridloom/device.hpp"
#include "gridloom/error.hpp"
#include "pets/support/task_graph.hpp"

namespace gridloom::pets {

template <class Word>
struct rows_ref {
  /// Array of num_tasks + 1 offsets.
  std::uint32_t const* offsets;
  std::uint32_t const* tasks;
  Word const* weights;
};

/// A graph whose costs and weights are words of this type.
template <class Word>
struct graph_ref {
  std::uint32_t num_tasks;
  std::uint32_t num_processors;
  /// Array of num_tasks rows of num_processors costs.
  Word const* costs;
  rows_ref<Word> successors;
  rows_ref<Word> predecessors;
};

using adjacency_ref = rows_ref<time_value>;
using device_graph_ref = graph_ref<time_value>;

/// Kernels number edges with 32 bits.
inline constexpr std::uint64_t most_device_edges = (std::uint64_t{1} << 31U) - 1;

/// Owns the arrays of a graph on a device. Used by one thread.
class device_graph {
 public:
  /// Throws usage_error for more edges than kernels can number.
  device_graph(device& machine, task_graph const& graph)
      : num_tasks_(graph.num_tasks),
        num_processors_(graph.num_processors),
        ascends_(graph.ascends),
        costs_(machine.allocate_copy(graph.costs)),
        successors_{machine.allocate_copy(graph.successors.offsets),
                    machine.allocate_copy(graph.successors.tasks),
                    machine.allocate_copy(graph.successors.weights)},
        predecessors_{machine.allocate_copy(graph.predecessors.offsets),
                      machine.allocate_copy(graph.predecessors.tasks),
                      machine.allocate_copy(graph.predecessors.weights)} {
    if (graph.num_edges() > most_device_edges) {
      throw usage_error("task graph on a device: expected at most " +
                        std::to_string(most_device_edges) + " edges, got " +
                        std::to_string(graph.num_edges()));
    }
  }
  [[nodiscard]] device_graph_ref ref() const {
    auto const of = [](rows const& own) {
      return adjacency_ref{own.offsets.data(), own.tasks.data(), own.weights.data()};
    };
    return {num_tasks_, num_processors_, costs_.data(), of(successors_), of(predecessors_)};
  }
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
