#pragma once
// A task graph on a device and on the host. The host side also has bounds of its width, its levels,
// and the serial reference that results are compared with.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/taskgraph/graph_view.hpp"
#include "gridloom/taskgraph/orders.hpp"
#include "gridloom/taskgraph/task_body.hpp"

namespace gridloom {

/// Size of a lattice as the command line gives it.
struct lattice_size {
  std::int64_t rows = 1;
  std::int64_t cols = 1;
  std::int64_t depth = 1;
};

class device_graph {
 public:
  /// Throws usage_error if a side is below 1 or there are more than `most_tasks` cells.
  device_graph(device& machine, lattice_size size);
  /// Copies the graph to the device; `graph` has passed `check_dag`. Throws usage_error on an empty
  /// graph.
  device_graph(device& machine, csr_graph graph);

  graph_view view() const { return view_; }
  /// Bytes of device memory; 0 for a lattice.
  std::size_t bytes() const {
    return successor_offsets_.bytes() + predecessor_offsets_.bytes() + successor_tasks_.bytes() +
           predecessor_tasks_.bytes();
  }
  /// The graph in the host's memory.
  graph_view host_view() const;
  bool is_lattice() const { return std::holds_alternative<lattice>(view_); }
  std::uint32_t tasks() const;
  std::uint64_t edges() const;
  /// Shape of the lattice; 1 × tasks × 1 for any other graph.
  lattice shape() const;
  /// Tasks per row of a lattice; √tasks for other graphs.
  std::uint32_t row_length() const;
  /// Upper bound of the number of tasks that are ready at the same time: exact for a lattice, all
  /// tasks for any other graph.
  std::uint32_t width_bound() const;

  /// Number of tasks on the longest path.
  std::uint32_t depth();
  /// Tasks without dependencies, ascending.
  std::vector<std::uint32_t> entries() const;

  /// An edge from a larger to a smaller number, if there is one. Cost: linear in the number of
  /// tasks.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> edge_against_numbers() const;

  /// Levels by the longest path from an entry. The listed tasks are in topological order. Cost:
  /// linear.
  task_groups find_levels() const;
  /// The levels, computed once.
  task_groups const& levels();
  /// The levels on the device.
  buffer<std::uint32_t> const& level_offsets();
  buffer<std::uint32_t> const& level_tasks();
  /// Time spent so far on computing the levels and on copying them to the device.
  double levels_ms() const { return levels_ms_; }
  /// Every task's result of the recurrence, from one serial pass, computed once.
  std::vector<std::uint32_t> const& reference();
  /// The results of wide_body.
  std::vector<wide_value> const& wide_reference();

 private:
  template <class Result, class Value>
  std::vector<Value> const& computed_once(std::vector<Value>& values);

  device* machine_;
  graph_view view_;
  csr_graph successors_;
  csr_graph predecessors_;
  buffer<std::uint64_t> successor_offsets_, predecessor_offsets_;
  buffer<std::uint32_t> successor_tasks_, predecessor_tasks_;
  std::optional<task_groups> levels_;
  double levels_ms_ = 0;
  buffer<std::uint32_t> level_offsets_, level_tasks_;
  std::vector<std::uint32_t> reference_;
  std::vector<wide_value> wide_reference_;
};

}  // namespace gridloom
