#pragma once
// Interface of all methods that find entries, levels and ranks on a device (4.3.1 and 4.3.2). These
// are the thesis's kernels (pets/level_loop.hpp) and ours (ours/single_launch.hpp). All results
// equal those of priorities.hpp.

#include <algorithm>
#include <cstdint>
#include <memory>

#include "pets/kernels/order.hpp"
#include "pets/priorities.hpp"
#include "pets/support/device_graph.hpp"

namespace gridloom::pets {

/// Shape and time limit of launches; 0 selects the best value.
struct launch_limits {
  double timeout_s = 60;
  int workers = 0;
  int threads = 0;
};

/// A method that finds levels and ranks of one graph. Used by one thread.
class device_metrics {
 public:
  virtual ~device_metrics() = default;
  device_metrics(device_metrics const&) = delete;
  device_metrics& operator=(device_metrics const&) = delete;

  /// Discovers entries and initialises all words. Does not wait.
  virtual void discover_entries() = 0;
  /// Finds levels and ranks, after discover_entries(). Some methods wait for the device at each
  /// level. Throws timeout_error "timeout: ..." if the host finds that the time limit has passed.
  virtual void compute() = 0;
  /// Waits for the launches. Throws timeout_error "timeout: ..." if the watchdog stopped them. The
  /// message says what workers waited for.
  virtual void require_done() {}
  /// Number of kernels that the last discover_entries() and compute() launched.
  [[nodiscard]] virtual std::uint32_t launches() const = 0;
  /// Bytes that discover_entries() and compute() access in this layout. A word that is polled
  /// counts once. Savings by caches and whole memory transactions are ignored. Call it after
  /// compute(); it may run compute() once more.
  [[nodiscard]] virtual std::uint64_t estimated_bytes() = 0;

  /// Neighbours that the layout has room for, over those that there are.
  [[nodiscard]] virtual double padding() const { return 1; }

  [[nodiscard]] metrics_ref found() const {
    return {num_tasks_, cost_sums_.data(), ranks_.data(), levels_.data()};
  }
  /// Copies levels and ranks to the host.
  [[nodiscard]] priorities result() const {
    priorities found{machine_->copy_to_host(levels_), machine_->copy_to_host(ranks_)};
    for (std::uint32_t const level : found.level) {
      found.num_levels = std::max(found.num_levels, level + 1);
    }
    return found;
  }
  /// Overwrites levels and ranks.
  void clear() {
    machine_->fill_bytes(ranks_, 0xab);
    machine_->fill_bytes(levels_, 0xab);
  }

 protected:
  device_metrics(device& machine, std::uint32_t num_tasks, launch_limits const& limits)
      : machine_(&machine),
        limits_(limits),
        num_tasks_(num_tasks),
        cost_sums_(machine.allocate<time_value>(num_tasks)),
        ranks_(machine.allocate<time_value>(num_tasks)),
        levels_(machine.allocate<std::uint32_t>(num_tasks)) {}

  device* machine_;
  launch_limits limits_;
  std::uint32_t num_tasks_;
  buffer<time_value> cost_sums_;
  buffer<time_value> ranks_;
  buffer<std::uint32_t> levels_;
};

/// Makes a method for a graph. `there` is the graph on the device; methods that do not read
/// compressed rows take null. The machine and both graphs must outlive the method. Throws
/// usage_error if the method does not support the graph.
using metrics_factory = std::unique_ptr<device_metrics>(device& machine, task_graph const& graph,
                                                        device_graph const* there,
                                                        launch_limits const& limits);

/// Shape of a launch whose blocks do not wait for each other: `workers` blocks, or enough to fill
/// the machine.
inline launch_shape everywhere(device const& machine, int workers = 0) {
  int const threads = machine.is_host() ? 1 : 256;
  if (workers > 0) return {workers, threads};
  int const blocks = 8 * machine.properties().multiprocessors;
  return {machine.is_host() ? std::min(blocks, 64) : blocks, threads};
}

}  // namespace gridloom::pets
