#pragma once
// The interface of all schedulers of task graphs: a graph and the bodies of its tasks, ready to run
// on one machine. Programs and tests use only this interface.

#include <cstddef>
#include <cstdint>

#include "gridloom/device.hpp"
#include "gridloom/trace.hpp"

namespace gridloom {

struct executor_settings {
  /// Resident workers: thread blocks, or threads of the host. 0 means as many as the device holds,
  /// or one per processor of the host.
  int workers = 0;
  /// Threads per block, on a GPU.
  int threads = 128;
  double timeout_s = 60;
};

/// Used by one thread, for one run at a time. The machine outlives it.
class executor {
 public:
  virtual ~executor() = default;
  /// Resets the state on the device and runs all tasks once. Returns when they are done or
  /// launched. Throws grid_error if the device cannot hold all workers at once.
  virtual void run(trace_ref trace = {}) = 0;
  /// Call after run(). Throws timeout_error with what each worker waited for, or wrong_result if a
  /// task was not executed.
  virtual void require_done() = 0;
  /// Number of tasks executed in the last run.
  [[nodiscard]] virtual std::uint64_t finished() = 0;
  /// Bytes of device memory for the graph and the state of a run, without the data of the tasks.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  /// Launches per run.
  [[nodiscard]] virtual std::size_t launches() const = 0;
  /// Blocks of the largest launch.
  [[nodiscard]] virtual int workers() const = 0;
  /// Registers, shared memory and occupancy of the kernel.
  [[nodiscard]] virtual kernel_facts facts() const = 0;

 protected:
  executor() = default;
  executor(executor const&) = default;
  executor& operator=(executor const&) = default;
};

}  // namespace gridloom
