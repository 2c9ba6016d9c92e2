#pragma once
// One version of the Jacobi method, as the program measures it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/device.hpp"
#include "preprocess.hpp"
#include "problem.hpp"
#include "stop_rules.hpp"

namespace gridloom::mhive::jacobi {

/// The result of a run, except x.
struct jacobi_result {
  std::uint32_t iterations = 0;
  /// ‖x(k) − x(k − 1)‖₁ of the last checked iteration.
  double residual = 0;
  outcome verdict = outcome::running;
  /// Time in ms from the first launch until the device is idle.
  double elapsed_ms = 0;
  /// Number of kernels launched by the host or a controller; 0 if they are not counted.
  std::uint64_t launches = 0;
  /// Number of rounds of a controller, and of changes of phase; 0 without a controller.
  std::uint64_t rounds = 0;
  std::uint64_t phase_changes = 0;
  /// The kernel with the most registers.
  kernel_facts largest;
};

/// Rows of a task of a check under MHive's schedulers. With fewer, handing out the tasks would take
/// longer than adding up the rows.
inline constexpr std::uint32_t rows_per_check = 4096;

/// What every version needs. The references outlive the solver.
struct solver_options {
  device& machine;
  task_plan const& plan;
  stop_rules rules;
  /// Number of iterations between two reads by the host (stream, graph), between two checkpoints
  /// (checkpoints, neighbours, gathered), or per pass of the device's loop (graph_while). Graphs
  /// round it up to an even number. The versions in rivals/jacobi/baselines.cpp use at most 1,000.
  std::uint32_t check_every = 10;
  /// Number of thread blocks or host threads; 0: as many as fit.
  int workers = 0;
  double timeout_s = 60;
};

/// A version with its memory for one system. One thread at a time calls reset, run and x, in this
/// order, for each run.
class solver {
 public:
  virtual ~solver() = default;
  /// Sets x to 1 and clears the state of an earlier run. Does not wait for the device.
  virtual void reset() = 0;
  /// Iterates until the rules end the run. Throws run_error on failure, and timeout_error at the
  /// time limit.
  virtual jacobi_result run() = 0;
  /// Returns the last iterate. `iterations` is the number in the last run's result.
  [[nodiscard]] virtual std::vector<double> x(std::uint32_t iterations) const = 0;
  /// Bytes of device memory that the solver holds.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

template <typename Value>
using solver_factory = std::unique_ptr<solver> (*)(system<Value> const&, solver_options const&,
                                                   std::string_view scheduler);

struct version_info {
  std::string_view name;
  /// Where the version comes from, and one sentence about it.
  std::string_view what;
  /// Whether it runs under a scheduler of MHive.
  bool scheduled;
  /// Whether it gives the serial reference's iterates to the bit.
  bool exact;
  /// Whether it runs only on CUDA devices.
  bool needs_cuda;
  solver_factory<float> in_float;
  solver_factory<double> in_double;
};

/// Returns all versions, in the order in which they are shown.
[[nodiscard]] std::span<version_info const> all_versions();
/// Returns the names of the schedulers, for versions that run under one.
[[nodiscard]] std::vector<std::string> const& all_schedulers();

/// Makes a version. `scheduler` is one of all_schedulers() if the version runs under one. Throws
/// std::invalid_argument for others, and usage_error if the machine lacks the version.
template <typename Value>
[[nodiscard]] std::unique_ptr<solver> make_solver(system<Value> const& of,
                                                  solver_options const& options,
                                                  version_info const& version,
                                                  std::string_view scheduler);

/// How the host drives the kernels of the versions without a scheduler.
struct driving {
  /// The host reads the residual after every iteration.
  bool reads_back = false;
  /// A single block does the check, as the thesis's task does.
  bool checks_in_one_block = false;
  /// The host replays a recorded sequence (a CUDA graph). One kernel does the whole iteration, by
  /// programmatic dependent launches.
  bool graph = false;
  /// Each row has one thread; needs `graph`.
  bool by_rows = false;
  /// The recorded sequence repeats itself until the end; needs `graph`.
  bool loop = false;
};

// Factories of the versions. Those with a `scheduler` return null for an unknown one. `count` says
// how the dependencies of tasks are counted.
template <typename Value>
[[nodiscard]] std::unique_ptr<solver> make_launches(system<Value> const& of,
                                                    solver_options const& options, driving how);
template <typename Value>
[[nodiscard]] std::unique_ptr<solver> make_grid_sync(system<Value> const& of,
                                                     solver_options const& options, bool by_rows);
template <typename Value>
[[nodiscard]] std::unique_ptr<solver> make_neighbours(system<Value> const& of,
                                                      solver_options const& options);
template <typename Value>
[[nodiscard]] std::unique_ptr<solver> make_gathered(system<Value> const& of,
                                                    solver_options const& options);
template <typename Value>
[[nodiscard]] std::unique_ptr<solver> make_stages_phases(system<Value> const& of,
                                                         solver_options const& options,
                                                         std::string_view scheduler);
template <typename Value>
[[nodiscard]] std::unique_ptr<solver> make_stages_individual(system<Value> const& of,
                                                             solver_options const& options,
                                                             std::string_view scheduler);
template <typename Value>
[[nodiscard]] std::unique_ptr<solver> make_checkpoints(system<Value> const& of,
                                                       solver_options const& options,
                                                       std::string_view scheduler,
                                                       dependency_count count);
template <typename Value>
[[nodiscard]] std::unique_ptr<solver> make_autonomous(system<Value> const& of,
                                                      solver_options const& options,
                                                      std::string_view scheduler,
                                                      dependency_count count);
template <typename Value>
[[nodiscard]] std::unique_ptr<solver> make_shares(system<Value> const& of,
                                                  solver_options const& options,
                                                  std::string_view scheduler);

/// Returns the peak memory by Eq. 8.3 of the thesis, in bytes.
[[nodiscard]] constexpr std::uint64_t thesis_bytes(std::uint64_t rows, std::uint64_t entries) {
  return (std::uint64_t{64} << 20U) + 8 * entries + 1040 * rows;
}

}  // namespace gridloom::mhive::jacobi
