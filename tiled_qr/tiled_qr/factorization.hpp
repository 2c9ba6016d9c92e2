#pragma once
// The host side of the tiled QR. One object holds a scheduler's memory for matrices of one size,
// and factorises them in place.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/trace.hpp"
#include "gridloom/watchdog.hpp"
#include "tiled_qr/device_matrix.hpp"
#include "tiled_qr/ready_tasks.hpp"

namespace gridloom::tiled_qr {

struct scheduler_setup;
template <class T>
class scheduler;
template <class T>
using scheduler_factory = std::unique_ptr<scheduler<T>>(scheduler_setup const& setup);

/// A way to schedule tasks. The report's ways are below, ours in ours/schedulers.hpp, and the
/// rivals' in rivals/schedulers.hpp.
struct scheduling_kind {
  scheduler_factory<float>* in_float;
  scheduler_factory<double>* in_double;
  bool one_worker = false;
  /// Whether workers wait for each other inside a kernel. Then all must be resident, and the order
  /// of ready tasks matters.
  bool waits_inside = true;
  /// Whether each level has its own launch. A watchdog cannot stop launches that are queued.
  bool launches_steps = false;
  /// Whether the weight of double tasks matters.
  bool has_weight = false;
  /// Whether it matters only for orders that the host simulates: all but first in, first out.
  bool has_weight_if_simulated = false;
};
using scheduling = scheduling_kind const*;

/// Whether the order of ready tasks matters.
constexpr bool has_priority(scheduling how) { return how->waits_inside; }
/// Whether the weight of double tasks matters.
constexpr bool has_weight(scheduling how, priority order) {
  return how->has_weight || (how->has_weight_if_simulated && order != priority::fifo);
}
/// Whether a watchdog ends a run that takes too long.
constexpr bool stops_in_time(scheduling how) { return !how->launches_steps; }

namespace by {

extern scheduling_kind const serial_kind;
extern scheduling_kind const shared_kind;
extern scheduling_kind const two_kernels_kind;
extern scheduling_kind const one_thread_kind;

/// FR1 of the report: one worker.
inline constexpr scheduling serial = &serial_kind;
/// FR2 of the report: workers that share the grid.
inline constexpr scheduling shared = &shared_kind;
/// FR3 of the report: a scheduling kernel beside an execution kernel.
inline constexpr scheduling two_kernels = &two_kernels_kind;
/// FR3 with one scheduling thread instead of a warp.
inline constexpr scheduling one_thread = &one_thread_kind;

}  // namespace by

struct factorization_settings {
  scheduling how = by::serial;
  /// Order of ready tasks. For tickets, first in, first out means the order of Algorithm 2.
  priority order = priority::factorisations_first;
  /// How many single tasks a task on two tiles counts as, from 1 to 100. Used by FR3's round robin
  /// and by simulations.
  double double_weight = 2;
  /// Number of places in the ready queue of each FR3 block; a power of two.
  std::uint32_t queue_slots = 64;
  /// Execution blocks (workers). FR3 adds one block for its scheduler; FR1 always has one block.
  int blocks = 1;
  /// For schedulers that launch each level: whether a launch has at most `blocks` blocks on a GPU,
  /// too. Otherwise each task has its own block. On the host and in traced runs, the limit always
  /// holds.
  bool bounded_steps = false;
  /// Threads per block, at most 256; 32 in the report.
  int threads = 32;
  double timeout_s = 60;
};

/// A scheduler that is prepared for one size. Used by one thread, one run after another.
template <class T>
class factorization {
 public:
  /// Throws usage_error for settings out of range, and unsupported if the machine does not have
  /// this scheduler.
  factorization(device& machine, tiling const& cut, factorization_settings const& settings);
  factorization(factorization const&) = delete;
  factorization& operator=(factorization const&) = delete;
  ~factorization();

  /// Optional: prepares runs on this matrix, for example by recording launches.
  void prepare(tiled_matrix_ref<T> const& matrix, trace_ref trace = {});
  /// Sets all words to their state at the start of a run.
  void reset();
  /// Factorises a matrix of this size in place. Call reset() first. Returns when the work is done
  /// or launched. Throws grid_error if the device cannot hold all blocks at once.
  void run(tiled_matrix_ref<T> const& matrix, trace_ref trace = {});
  /// Call it after a run. Throws timeout_error with what each worker waited for, or wrong_result if
  /// the grid found a fault or tasks are left.
  void require_done();
  /// Number of tasks that the last run finished.
  [[nodiscard]] std::uint64_t finished() const;
  /// Bytes of device memory besides the matrix and its factors.
  [[nodiscard]] std::size_t bytes() const;
  /// Number of workers that a watchdog or a trace tells apart. FR3's scheduler is worker 0.
  [[nodiscard]] int observers() const;
  /// Registers, memory and occupancy of the kernel that executes tasks.
  [[nodiscard]] kernel_facts facts() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

extern template class factorization<float>;
extern template class factorization<double>;

}  // namespace gridloom::tiled_qr
