#pragma once
// The host side of the tiled QR: one object holds what a scheduler needs for matrices of one size,
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

/// Schedulers: first those of the report, then ours (`ours/`), then rivals (`rivals/`).
enum class scheduling {
  /// FR1: one worker.
  serial,
  /// FR2: workers that share the grid.
  shared,
  /// FR3: a scheduling kernel beside an execution kernel.
  two_kernels,
  /// FR3 in one launch, whose first block is the scheduler.
  joined,
  /// Ours: one warp of each worker's block schedules, without a lock; on a device 32 threads
  /// execute.
  in_block,
  /// Ours: one list per block, from a simulation on the host.
  static_lists,
  /// Ours: one list for all blocks, and a ticket for its next place.
  ticket,
  /// Rival: one launch per level.
  launches,
  /// Rival: the same launches as a CUDA graph.
  graph,
  /// Rival: the graph with programmatic dependent launch.
  graph_pdl,
  /// Rival: OpenMP tasks, on the host only.
  omp_tasks
};

inline constexpr scheduling all_schedulings[] = {
    scheduling::serial,   scheduling::shared,       scheduling::two_kernels, scheduling::joined,
    scheduling::in_block, scheduling::static_lists, scheduling::ticket,      scheduling::launches,
    scheduling::graph,    scheduling::graph_pdl,    scheduling::omp_tasks};

/// Whether `priority` makes a difference.
constexpr bool has_priority(scheduling how) { return how < scheduling::launches; }
/// Whether the weight of double tasks makes a difference; for tickets only if the order is
/// simulated.
constexpr bool has_weight(scheduling how, priority order) {
  return how == scheduling::two_kernels || how == scheduling::joined ||
         how == scheduling::static_lists || (how == scheduling::ticket && order != priority::fifo);
}
/// Whether the end of a launch orders tasks.
constexpr bool launches_steps(scheduling how) {
  return how == scheduling::launches || how == scheduling::graph || how == scheduling::graph_pdl;
}
/// Whether workers wait for each other inside a kernel, so that all must be resident.
constexpr bool waits_inside(scheduling how) { return how < scheduling::launches; }
/// Whether a watchdog ends a run that takes too long. Nothing ends launches that are queued.
constexpr bool stops_in_time(scheduling how) { return !launches_steps(how); }

struct factorization_settings {
  scheduling how = scheduling::serial;
  /// For tickets, first in, first out means the order of Algorithm 2.
  priority order = priority::factorisations_first;
  /// How many single tasks a task on two tiles counts as, 1 to 100, in FR3's round robin and in
  /// simulations.
  double double_weight = 2;
  /// Places in a block's ready queue in FR3; a power of two.
  std::uint32_t queue_slots = 64;
  /// Execution blocks (workers). FR3's scheduler is one more. FR1 has one.
  int blocks = 1;
  /// Bounds launches on a GPU to `blocks` blocks, too. Otherwise each task has a block of its own,
  /// and none waits. On the host and under a trace they always have at most `blocks`.
  bool bounded_steps = false;
  /// Threads of a block that execute tasks, at most 256; 32 in the report.
  int threads = 32;
  double timeout_s = 60;
};

/// A scheduler made ready for one size. Used by one thread, for one run at a time.
template <class T>
class factorization {
 public:
  /// Throws usage_error where the settings are out of range, and unsupported where the machine does
  /// not have this scheduler.
  factorization(device& machine, tiling const& cut, factorization_settings const& settings);
  factorization(factorization const&) = delete;
  factorization& operator=(factorization const&) = delete;
  ~factorization();

  /// Prepares runs on this matrix, such as by recording launches. Optional.
  void prepare(tiled_matrix_ref<T> const& matrix, trace_ref trace = {});
  /// Puts the words back to the start of a run.
  void reset();
  /// Factorises a matrix of this size in place; needs a reset before. Returns when the work is done
  /// or launched. Throws grid_error where the device cannot hold all blocks at once.
  void run(tiled_matrix_ref<T> const& matrix, trace_ref trace = {});
  /// After a run: throws timeout_error with what each worker waited for, or wrong_result if the grid
  /// found a fault or tasks are left.
  void require_done();
  /// Tasks that the last run finished.
  [[nodiscard]] std::uint64_t finished() const;
  /// Bytes beside the matrix and its factors.
  [[nodiscard]] std::size_t bytes() const;
  /// Workers that a watchdog or a trace numbers. FR3's scheduler is worker 0.
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
