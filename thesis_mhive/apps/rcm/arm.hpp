#pragma once
// One version of the ordering, as the program measures it.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "device_graph.hpp"
#include "graph.hpp"
#include "gridloom/device.hpp"
#include "start_node.hpp"

namespace gridloom::mhive::rcm {

/// Time of one kind of work, for Fig. 8.2.
struct part_time {
  /// The task type, or the step.
  std::string part;
  std::uint64_t tasks = 0;
  /// Summed over all workers.
  double busy_ms = 0;
  /// Time during which at least one task of the type ran.
  double elapsed_ms = 0;
};

/// The result of a run. Times are wall-clock times in ms between two moments at which the device is
/// idle. A time is NaN if the arm cannot measure that step alone.
struct arm_result {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  /// The search for the start nodes.
  double start_ms = unknown;
  /// The ordering from given start nodes, with all data in the arm's own memory.
  double order_ms = unknown;
  /// Search and ordering together. This is less than the sum if the ordering uses results of the
  /// search.
  double both_ms = 0;
  /// Number of breadth-first searches for the start nodes.
  std::uint64_t searches = 0;
  std::vector<part_time> parts;
};

/// A version with its memory for one graph. One thread at a time calls copy_in, run and copy_out,
/// in this order, for each run.
class order_arm {
 public:
  virtual ~order_arm() = default;
  /// Copies the graph to the memory that run reads.
  virtual void copy_in() {}
  /// Orders the graph. Throws run_error on failure. `with_parts`: also fills `parts`, which may
  /// take extra time.
  virtual arm_result run(bool with_parts) = 0;
  /// Returns the order of the last run, before it is reversed.
  virtual std::vector<std::uint32_t> copy_out() = 0;
  /// Measures the ordering alone, if that needs another run. Called after copy_out.
  virtual void measure_order(arm_result& /*result*/) {}
  /// Bytes of device memory that the arm holds.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

/// Finds the start nodes of an uploaded graph. Returns when the search is done.
using start_search =
    std::function<std::vector<start_node>(device_graph const& graph, start_options const& options)>;

/// What every arm needs. `graph` and `machine` outlive the arm.
struct arm_setup {
  device& machine;
  graph_ref graph;
  start_options starts;
  /// Number of thread blocks or host threads; 0: as many as fit.
  int workers = 0;
  double timeout_s = 60;
};

}  // namespace gridloom::mhive::rcm
