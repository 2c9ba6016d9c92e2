#pragma once
// One version of the ordering, as the program measures it.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "graph.hpp"
#include "gridloom/device.hpp"
#include "start_node.hpp"

namespace gridloom::mhive::rcm {

/// Time of one kind of work, for Fig. 8.2.
struct part_time {
  std::string part;  // task type, or step
  std::uint64_t tasks = 0;
  double busy_ms = 0;     // summed over workers
  double elapsed_ms = 0;  // while at least one task of the type ran
};

/// The result of a run. Times are wall times in ms between two moments at which the device is idle;
/// NaN if the arm cannot measure a step on its own.
struct arm_result {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  double start_ms = unknown;  // search for the start nodes
  double order_ms = unknown;  // ordering from given start nodes, all in the arm's own memory
  /// Start nodes and ordering; less than the sum if the ordering uses results of the search.
  double both_ms = 0;
  std::uint64_t searches = 0;  // number of breadth-first searches for the start nodes
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
  /// cost time.
  virtual arm_result run(bool with_parts) = 0;
  /// The order of the last run, before it is reversed.
  virtual std::vector<std::uint32_t> copy_out() = 0;
  /// Measures the time of the ordering alone, if that needs another run. Called after copy_out.
  virtual void measure_order(arm_result& /*result*/) {}
  /// Device memory that the arm holds.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

/// What every arm needs. `graph` and `machine` outlive the arm.
struct arm_setup {
  device& machine;
  graph_ref graph;
  start_options starts;
  int workers = 0;  // thread blocks or host threads; 0: all that fit
  double timeout_s = 60;
};

}  // namespace gridloom::mhive::rcm
