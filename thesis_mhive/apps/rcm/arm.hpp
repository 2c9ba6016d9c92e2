#pragma once
// One version of the ordering, as the program measures it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "graph.hpp"
#include "gridloom/device.hpp"
#include "start_node.hpp"

namespace gridloom::mhive::rcm {

/// Time that one kind of work took, for Fig. 8.2.
struct part_time {
  std::string part;  // task type, or step
  std::uint64_t tasks = 0;
  double busy_ms = 0;     // summed over workers
  double elapsed_ms = 0;  // while at least one task of the type ran
};

/// What one run gives. Times are wall times between two moments at which the device is idle, in ms.
struct arm_result {
  std::vector<std::uint32_t> cuthill_mckee;  // before it is reversed
  double start_ms = -1;                      // search for the start nodes; -1: not to be told apart
  double order_ms = -1;  // ordering from given start nodes, all in the arm's own memory
  /// Start nodes and ordering; less than the sum where one makes use of the other. -1: the sum.
  double both_ms = -1;
  /// The same with the copies of the graph to the device and of the order to the host.
  double elapsed_ms = 0;
  std::uint64_t searches = 0;  // breadth-first searches for the start nodes
  std::vector<part_time> parts;
};

/// A version with its memory for one graph. The memory is taken when the arm is made, and no time
/// counts that; `run` may be called again and again, by one thread at a time.
class order_arm {
 public:
  virtual ~order_arm() = default;
  /// Orders the graph. Throws run_error when that fails. `with_parts`: also fills `parts`, which
  /// may cost time.
  virtual arm_result run(bool with_parts) = 0;
  /// Memory of the device that the arm holds.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

/// What all arms are made from. `graph` and `machine` outlive the arm.
struct arm_setup {
  device& machine;
  graph_ref graph;
  start_options starts;
  int workers = 0;  // thread blocks or host threads; 0: all that fit
  double timeout_s = 60;
};

}  // namespace gridloom::mhive::rcm
