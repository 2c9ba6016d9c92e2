#pragma once
// The interface of all schedulers of task graphs: a graph and the bodies of its tasks, ready to run
// on one machine. Programs and tests use only this interface.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "gridloom/clock.hpp"
#include "gridloom/device.hpp"
#include "gridloom/taskgraph/worker_placing.hpp"
#include "gridloom/trace.hpp"

namespace gridloom {

class shared_graph;

struct executor_settings {
  /// Resident workers: thread blocks, or threads of the host. 0 means as many as the device holds,
  /// or one per processor of the host.
  int workers = 0;
  /// Threads per block, on a GPU.
  int threads = 128;
  double timeout_s = 60;
  /// How the workers of a persistent grid are numbered. Published schedulers ignore it.
  worker_placing placing{};
  /// Null, or copies of the executor's graph (shared_graph.hpp).
  shared_graph* shared = nullptr;
  /// Launches per level on a GPU: each task has its own block, and as many blocks as `workers` run
  /// at once. Otherwise the workers share the tasks of a level evenly.
  bool block_per_task = false;
};

/// Tasks executed by the busiest and by the least busy worker.
struct load_range {
  std::uint32_t max;
  std::uint32_t min;
};

/// Milliseconds of set-up: copying the graph to the device, then preparing the state of a run, which
/// includes orders, levels and recorded launches.
struct set_up_times {
  double graph_ms = 0;
  double state_ms = 0;
};

/// Returns make() and stores its time in `ms`, including the copies to the device.
template <class Make>
auto timed(device& machine, double& ms, Make&& make) {
  std::uint64_t const begin = now_ns();
  auto made = make();
  machine.synchronize();
  ms = static_cast<double>(now_ns() - begin) * 1e-6;
  return made;
}

/// Recorded launches, and what they cost.
struct recording {
  launch_sequence launches;
  double ms = 0;
  /// On a GPU, the driver takes memory in pieces of megabytes and keeps them. So a small graph may
  /// take none.
  std::size_t bytes = 0;
};

/// Returns the sequence that record() returns, with its costs.
template <class Record>
recording recorded_with_costs(device& machine, Record&& record) {
  recording made;
  std::size_t const before = machine.free_bytes();
  made.launches = timed(machine, made.ms, record);
  made.bytes = made.launches.bytes + before - std::min(before, machine.free_bytes());
  return made;
}

/// The copy of a graph that an executor keeps alive but knows only through its task bodies.
struct graph_memory {
  std::shared_ptr<void const> owner;
  std::size_t bytes = 0;
  double copy_ms = 0;
};

/// Used by one thread, for one run at a time. The machine outlives it.
class executor {
 public:
  virtual ~executor() = default;
  /// Resets what the last run changed. run() does so, too, if the caller has not. Some papers do not
  /// time it.
  virtual void reset() {}
  /// Runs all tasks once. Returns when they are done or launched. Throws grid_error if the device
  /// cannot hold all workers at once.
  virtual void run(trace_ref trace = {}) = 0;
  /// Call after run(). Throws timeout_error with what each worker waited for, or wrong_result if a
  /// task was not executed.
  virtual void require_done() = 0;
  /// Number of tasks executed in the last run.
  [[nodiscard]] virtual std::uint64_t finished() = 0;
  /// Loads of the last run; {0, 0} for methods without resident workers.
  [[nodiscard]] virtual load_range loads() { return {0, 0}; }
  /// How often the last run put a task back because another task held its resource.
  [[nodiscard]] virtual std::uint64_t put_backs() { return 0; }
  /// How the workers are numbered.
  [[nodiscard]] virtual std::string_view placing() const { return "blocks"; }
  [[nodiscard]] virtual set_up_times set_up() const { return {}; }
  /// Time of a run that a plan predicts; NaN without a plan.
  [[nodiscard]] virtual double predicted_ms() const { return std::nan(""); }
  /// Bytes of device memory for the graph and the state of a run, without the data of the tasks.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  /// Launches per run.
  [[nodiscard]] virtual std::size_t launches() const = 0;
  /// Workers of the largest launch: blocks, or parts of blocks where a block has several workers.
  [[nodiscard]] virtual int workers() const = 0;
  /// Registers, shared memory and occupancy of the kernel.
  [[nodiscard]] virtual kernel_facts facts() const = 0;

 protected:
  executor() = default;
  executor(executor const&) = default;
  executor& operator=(executor const&) = default;
};

}  // namespace gridloom
