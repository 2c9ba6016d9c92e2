#pragma once
// One version of the Jacobi method, as the program measures it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/device.hpp"
#include "preprocess.hpp"
#include "problem.hpp"
#include "stop_rules.hpp"

namespace gridloom::mhive::jacobi {

/// What one run gives beside x.
struct jacobi_result {
  std::uint32_t iterations = 0;
  /// ‖x(k) − x(k − 1)‖₁ of the last iteration that was checked.
  double residual = 0;
  outcome verdict = outcome::running;
  /// From the first launch until the device is idle, in ms.
  double elapsed_ms = 0;
  /// Of kernels, by the host or a controller; 0: not counted.
  std::uint64_t launches = 0;
  /// Of a controller; 0 where there is none.
  std::uint64_t rounds = 0;
  /// Likewise.
  std::uint64_t phase_changes = 0;
  /// Of the kernels, the one with most registers.
  kernel_facts largest;
};

/// What all versions are made from. The references outlive the solver.
struct solver_options {
  device& machine;
  task_plan const& plan;
  stop_rules rules;
  /// Iterations between looks of the host (stream, graph) or checkpoints (checkpoints, neighbours,
  /// gathered), or of a pass of the device's own loop (graph_while). Graphs take an even number,
  /// and the baselines 1,000 at most.
  std::uint32_t check_every = 10;
  /// Thread blocks or host threads; 0: all that fit.
  int workers = 0;
  double timeout_s = 60;
};

/// A version with its memory for one system, taken when the solver is made. reset, run and x follow
/// each other, again and again, by one thread at a time.
class solver {
 public:
  virtual ~solver() = default;
  /// x = 1, and what a run before has left is gone. Does not wait for the device.
  virtual void reset() = 0;
  /// Iterates until the rules say stop. Throws run_error when that fails, timeout_error when it
  /// takes too long.
  virtual jacobi_result run() = 0;
  /// The iterate of number jacobi_result::iterations of the last run.
  [[nodiscard]] virtual std::vector<double> x(std::uint32_t iterations) const = 0;
  /// Memory of the device that the solver holds.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

/// A version by name, with what there is to know about it before one is made.
struct version_info {
  std::string_view name;
  /// One sentence.
  std::string_view what;
  /// Runs under a scheduler of MHive.
  bool scheduled = false;
  /// Gives the serial reference's iterates to the bit.
  bool exact = true;
  /// Has no host side.
  bool needs_cuda = false;
};

/// All versions, in the order to show them.
[[nodiscard]] std::vector<version_info> const& all_versions();
/// The names of the schedulers that versions with `scheduled` run under.
[[nodiscard]] std::vector<std::string> const& all_schedulers();

/// The version; `scheduler` is one of all_schedulers() where it runs under one. Throws
/// std::invalid_argument for names that there are not, and usage_error where the machine does not
/// have the version.
template <typename Value>
[[nodiscard]] std::unique_ptr<solver> make_solver(system<Value> const& of,
                                                  solver_options const& options,
                                                  std::string_view version,
                                                  std::string_view scheduler);

// Where they are made; null for another version's or scheduler's name. `count`: how the
// dependencies of tasks are counted.
template <typename Value>
[[nodiscard]] std::unique_ptr<solver> make_baseline(system<Value> const& of,
                                                    solver_options const& options,
                                                    std::string_view version);
template <typename Value>
[[nodiscard]] std::unique_ptr<solver> make_neighbours(system<Value> const& of,
                                                      solver_options const& options,
                                                      std::string_view version);
template <typename Value>
[[nodiscard]] std::unique_ptr<solver> make_gathered(system<Value> const& of,
                                                    solver_options const& options,
                                                    std::string_view version);
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

/// Peak memory by Eq. 8.3 of the thesis, in bytes.
[[nodiscard]] constexpr std::uint64_t thesis_bytes(std::uint64_t rows, std::uint64_t entries) {
  return (std::uint64_t{64} << 20U) + 8 * entries + 1040 * rows;
}

}  // namespace gridloom::mhive::jacobi
