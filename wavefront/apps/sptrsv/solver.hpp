#pragma once
// The interface of the solvers. A solver is made for one machine and one L, and solves for any b.

#include <memory>
#include <span>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/taskgraph/level_end.hpp"
#include "solve_plan.hpp"

namespace gridloom::wavefront::sptrsv {

struct solver_options {
  launch_shape shape{1, 1};
  /// Used by in_order and the methods by levels. The machine determines `lanes`.
  plan_options plan;
  /// See deal_options::flat_warps.
  int flat_warps = 0;
  std::uint32_t gate = 0;
  double timeout_s = 60;
};

/// Facts about the plan and memory of a solver.
struct solver_facts {
  std::uint64_t bytes = 0;
  std::uint32_t rounds = 0;
  std::uint64_t padded_entries = 0;
  std::uint64_t near_rows = 0;
  /// Number of blocks of a run.
  int blocks = 0;
};

/// Used by one thread. The device must outlive the solver.
class solver {
 public:
  solver(device& machine, std::uint32_t rows);
  solver(solver const&) = delete;
  solver& operator=(solver const&) = delete;
  virtual ~solver() = default;

  /// Copies b to the device, and resets the words for the next run.
  virtual void load(std::span<double const> right_side);
  /// Overwrites x on the device with NaN.
  void forget();
  /// May return before the device is done.
  virtual void run() = 0;
  [[nodiscard]] std::vector<double> x() { return machine_.copy_to_host(x_); }
  /// Throws timeout_error if the last run was stopped.
  virtual void require_done() {}
  [[nodiscard]] virtual solver_facts facts() const = 0;

 protected:
  device& machine_;
  buffer<double> right_side_;
  buffer<double> x_;
};

/// Throws usage_error if the shape does not fit the machine: on a GPU, blocks have whole warps.
[[nodiscard]] std::unique_ptr<solver> make_in_order(device& machine, lower_system const& of,
                                                    solver_options const& options);
/// Solves level by level, with this barrier between levels.
[[nodiscard]] std::unique_ptr<solver> make_waves(device& machine, lower_system const& of,
                                                 solver_options const& options, level_end how);
/// The published algorithm (sync_free.hpp). It uses only the shape and the time limit.
[[nodiscard]] std::unique_ptr<solver> make_sync_free(device& machine, lower_system const& of,
                                                     solver_options const& options);
/// cuSPARSE's SpSV: one analysis, and one solve per run. Throws unsupported unless the machine is a
/// CUDA device of a build with cuSPARSE. (cusparse_none.cpp replaces it in other builds.)
[[nodiscard]] std::unique_ptr<solver> make_cusparse(device& machine, lower_system const& of);

}  // namespace gridloom::wavefront::sptrsv
