#pragma once
// The host side of a run: a task graph and an application, ready to run under Juggler's runtime or
// a rival. Arms, tests and programs use only this interface.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gridloom/device.hpp"
#include "gridloom/trace.hpp"

namespace gridloom::juggler {

/// How the workers of a persistent grid are numbered: see ours/worker_placing.hpp.
enum class worker_placing : int;

struct execution_settings {
  /// Threads per block, on a GPU.
  int threads = 128;
  /// Resident workers. 0 means as many as the device holds, or one per processor of the host.
  int workers = 0;
  /// Entries of each worker's queue. 0 means the number of tasks, as in the paper.
  std::uint32_t queue_length = 0;
  double timeout_s = 60;
  /// block_numbers, the paper's numbering, ignores this.
  worker_placing placing{};
};

/// Tasks executed by the busiest and by the least busy worker.
struct load_range {
  std::uint32_t max;
  std::uint32_t min;
};

/// Used by one thread, for one run at a time. run() resets the state on the device.
class executor {
 public:
  virtual ~executor() = default;
  /// Runs all tasks once. Returns when they are done or launched. Throws grid_error if the device
  /// cannot hold all workers at once.
  virtual void run(trace_ref trace = {}) = 0;
  /// Call after run(). Throws timeout_error with what each worker waited for, usage_error if a
  /// queue was too short, or wrong_result if a task was not executed.
  virtual void require_done() = 0;
  [[nodiscard]] virtual std::uint64_t finished() = 0;
  /// Loads of the last run; {0, 0} for methods without resident workers.
  [[nodiscard]] virtual load_range loads() = 0;
  /// Bytes of device memory for the graph and the state of a run, without the application's data.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  /// Launches per run.
  [[nodiscard]] virtual std::size_t launches() const = 0;
  /// Blocks of the largest launch.
  [[nodiscard]] virtual int workers() const = 0;
  /// How the workers are numbered.
  [[nodiscard]] virtual std::string_view placing() const { return "blocks"; }
  /// Registers, shared memory and occupancy of the kernel.
  [[nodiscard]] virtual kernel_facts facts() const = 0;
  /// Milliseconds of set-up: copying the graph to the device (initAppContext_D), then preparing the
  /// state of a run (initRtContext_D; 0 for methods without such a state).
  [[nodiscard]] virtual double graph_init_ms() const = 0;
  [[nodiscard]] virtual double runtime_init_ms() const = 0;

 protected:
  executor() = default;
  executor(executor const&) = default;
  executor& operator=(executor const&) = default;
};

}  // namespace gridloom::juggler
