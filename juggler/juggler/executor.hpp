#pragma once
// The host's side of a run: a graph of tasks and an application made ready to run, under Juggler's
// runtime or a rival of it (rivals/). Arms, tests and programs see no more than this.

#include <cstddef>
#include <cstdint>

#include "gridloom/device.hpp"
#include "gridloom/trace.hpp"
#include "juggler/ours/worker_placing.hpp"

namespace gridloom::juggler {

struct execution_settings {
  /// Threads of a block, on a GPU.
  int threads = 128;
  /// Where workers are kept; 0: as many as the device holds at once, or the host's.
  int workers = 0;
  /// Entries of each worker's queue, where there are such: 0 stands for all tasks, as in the paper.
  std::uint32_t queue_length = 0;
  double timeout_s = 60;
  /// Of a persistent grid that fills a GPU.
  worker_placing placing = worker_placing::multiprocessors;
};

/// Tasks of the busiest and of the idlest worker.
struct load_range {
  std::uint32_t max;
  std::uint32_t min;
};

/// Used by one thread, by one run at a time. What a run needs to begin anew is set by copies and
/// fills on the device, within run().
class executor {
 public:
  virtual ~executor() = default;
  /// Runs all tasks once; returns when they are done or launched. Throws grid_error where the device
  /// cannot hold all workers at once.
  virtual void run(trace_ref trace = {}) = 0;
  /// After a run: throws timeout_error with what each worker waited for, usage_error where a queue
  /// was too short, or wrong_result if tasks are left.
  virtual void require_done() = 0;
  /// Tasks that the last run finished.
  [[nodiscard]] virtual std::uint64_t finished() = 0;
  /// Of the last run; nobody's where no workers are kept: {0, 0}.
  [[nodiscard]] virtual load_range loads() = 0;
  /// Of the graph and the words of a run in the device's memory, without the application's data.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  /// Launches of a run.
  [[nodiscard]] virtual std::size_t launches() const = 0;
  /// Blocks of a run's largest launch.
  [[nodiscard]] virtual int workers() const = 0;
  /// How they are numbered.
  [[nodiscard]] virtual worker_placing placing() const { return worker_placing::blocks; }
  /// What the compiler made of the kernel.
  [[nodiscard]] virtual kernel_facts facts() const = 0;
  /// Milliseconds that preparing took: the graph to the device (initAppContext_D), then the words of
  /// a run (initRtContext_D; 0 where there are none).
  [[nodiscard]] virtual double graph_init_ms() const = 0;
  [[nodiscard]] virtual double runtime_init_ms() const = 0;

 protected:
  executor() = default;
  executor(executor const&) = default;
  executor& operator=(executor const&) = default;
};

}  // namespace gridloom::juggler
