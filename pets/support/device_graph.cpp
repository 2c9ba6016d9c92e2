#include "pets/support/device_graph.hpp"

#include <string>

#include "gridloom/error.hpp"

namespace gridloom::pets {
namespace {

constexpr std::uint64_t most_edges_of_a_device = (std::uint64_t{1} << 31U) - 1;

}  // namespace

device_graph::device_graph(device& machine, task_graph const& graph)
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
  // Kernels number edges with 32 bits.
  if (graph.num_edges() > most_edges_of_a_device) {
    throw usage_error("task graph on a device: expected at most " +
                      std::to_string(most_edges_of_a_device) + " edges, got " +
                      std::to_string(graph.num_edges()));
  }
}

device_graph_ref device_graph::ref() const {
  auto const of = [](rows const& own) {
    return adjacency_ref{own.offsets.data(), own.tasks.data(), own.weights.data()};
  };
  return {num_tasks_, num_processors_, costs_.data(), of(successors_), of(predecessors_)};
}

std::size_t device_graph::bytes() const {
  std::size_t sum = costs_.bytes();
  for (rows const* own : {&successors_, &predecessors_}) {
    sum += own->offsets.bytes() + own->tasks.bytes() + own->weights.bytes();
  }
  return sum;
}

}  // namespace gridloom::pets
