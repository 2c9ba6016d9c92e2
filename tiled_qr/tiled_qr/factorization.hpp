#pragma once
// The host's side of the tiled QR: one object holds what a scheduler needs for matrices of one size,
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

/// Who schedules: first by the report's requirements, then as its readers would.
enum class scheduling {
  /// FR1: one worker.
  serial,
  /// FR2: workers that share the grid.
  shared,
  /// FR3: a scheduling kernel beside an execution kernel.
  two_kernels,
  /// FR3 in one launch, whose first block is the scheduler.
  joined,
  /// A warp of each worker's block, without a lock; on a device with 32 threads that execute.
  in_block,
  /// Nobody at run time: a list a block from a simulation on the host.
  static_lists,
  /// Nobody at run time: one list, and a ticket to its next place.
  ticket,
  /// The end of launches: one a step of independent tasks.
  launches,
  /// The same as a CUDA graph.
  graph,
  /// The same with programmatic dependent launch.
  graph_pdl,
  /// OpenMP's runtime, on the host only.
  omp_tasks
};

inline constexpr scheduling all_schedulings[] = {
    scheduling::serial,   scheduling::shared,       scheduling::two_kernels, scheduling::joined,
    scheduling::in_block, scheduling::static_lists, scheduling::ticket,      scheduling::launches,
    scheduling::graph,    scheduling::graph_pdl,    scheduling::omp_tasks};

/// Whether `priority` makes a difference.
constexpr bool has_priority(scheduling how) { return how < scheduling::launches; }
/// Whether the weight of double tasks does; of tickets only where the order is simulated.
constexpr bool has_weight(scheduling how, priority order) {
  return how == scheduling::two_kernels || how == scheduling::joined ||
         how == scheduling::static_lists || (how == scheduling::ticket && order != priority::fifo);
}
/// Whether the end of a launch is what orders tasks.
constexpr bool launches_steps(scheduling how) {
  return how == scheduling::launches || how == scheduling::graph || how == scheduling::graph_pdl;
}
/// Whether workers wait inside a kernel, which a watchdog bounds.
constexpr bool has_watchdog(scheduling how) { return how < scheduling::launches; }

struct factorization_settings {
  scheduling how = scheduling::serial;
  /// For tickets, first in, first out is the order of Algorithm 2.
  priority order = priority::factorisations_first;
  /// What a task on two tiles counts as in FR3's round robin and in simulations, 1 to 100.
  double double_weight = 2;
  /// Places in a block's ready queue in FR3; a power of two.
  std::uint32_t queue_slots = 64;
  /// Execution blocks (workers); the scheduler of FR3 is one more. FR1 has one.
  int blocks = 1;
  /// Launches of steps on a GPU have at most so many, too. Else they have a block a task, which wait
  /// for nobody; on the host and under a trace they always have at most `blocks`.
  bool bounded_steps = false;
  /// Threads of a block that execute tasks, 256 at most; 32 in the report.
  int threads = 32;
  double timeout_s = 60;
};

/// A scheduler made ready for one size. Used by one thread; not to be used by two runs at once.
template <class T>
class factorization {
 public:
  /// Throws usage_error where the settings are out of range, and unsupported where the machine
  /// cannot schedule so.
  factorization(device& machine, tiling const& cut, factorization_settings const& settings);
  factorization(factorization const&) = delete;
  factorization& operator=(factorization const&) = delete;
  ~factorization();

  /// Does what can be done before runs on this matrix, such as recording launches. Not needed.
  void prepare(tiled_matrix_ref<T> const& matrix, trace_ref trace = {});
  /// Puts the words back to the start of a run.
  void reset();
  /// Factorises the matrix of this size in place; after a reset. Returns when it is done or
  /// launched. Throws grid_error where the device cannot hold all blocks at once.
  void run(tiled_matrix_ref<T> const& matrix, trace_ref trace = {});
  /// After a run: throws timeout_error with what each worker waited for, or wrong_result if the grid
  /// found a fault or tasks are left.
  void require_done();
  /// Tasks that the last run finished.
  [[nodiscard]] std::uint64_t finished();
  /// Memory beside the matrix and its factors.
  [[nodiscard]] std::size_t bytes() const;
  /// Workers that a watchdog or a trace numbers: FR3's scheduler is worker 0.
  [[nodiscard]] int observers() const;
  /// What the compiler made of the kernel that executes tasks.
  [[nodiscard]] kernel_facts facts() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

extern template class factorization<float>;
extern template class factorization<double>;

}  // namespace gridloom::tiled_qr
