#pragma once
// A graph and the body of its tasks, prepared to run. launch.hpp makes an executor with FR4's
// scheduler.

#include <cstddef>
#include <cstdint>

#include "gridloom/device.hpp"
#include "gridloom/trace.hpp"

namespace gridloom::tiled_qr::general {

struct execution_settings {
  /// Number of workers: resident thread blocks, or threads of the host.
  int blocks = 1;
  int threads = 32;
  double timeout_s = 60;
};

/// Used by one thread, one run after another.
class executor {
 public:
  virtual ~executor() = default;
  /// Runs all tasks once. Returns when they are done or launched. Throws grid_error if the device
  /// cannot hold all workers at once.
  virtual void run(trace_ref trace = {}) = 0;
  /// Call it after a run. Throws timeout_error with what each worker waited for, or wrong_result if
  /// tasks are left.
  virtual void require_done() = 0;
  [[nodiscard]] virtual std::uint64_t finished() = 0;
  /// How often the last run put a task back because another task held its resource.
  [[nodiscard]] virtual std::uint64_t put_backs() = 0;
  /// Bytes of device memory for the graph and the words of a run.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  [[nodiscard]] virtual std::size_t launches() const = 0;
  /// Registers, memory and occupancy of the kernel.
  [[nodiscard]] virtual kernel_facts facts() const = 0;
};

}  // namespace gridloom::tiled_qr::general
