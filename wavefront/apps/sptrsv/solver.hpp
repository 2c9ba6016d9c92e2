#pragma once
// A way to solve L x = b on a machine, made ready for one L and any b.

#include <memory>
#include <span>
#include <vector>

#include "gridloom/device.hpp"
#include "solve_plan.hpp"
#include "support/level_end.hpp"

namespace gridloom::wavefront::sptrsv {

struct solver_options {
  launch_shape shape{1, 1};
  /// Of in_order and the waves; `lanes` is the machine's.
  plan_options plan;
  /// As in deal_options.
  int flat_warps = 0;
  std::uint32_t gate = 0;
  double timeout_s = 60;
};

/// What a solver made of L.
struct solver_facts {
  std::uint64_t bytes = 0;
  std::uint32_t rounds = 0;
  std::uint64_t padded_entries = 0;
  std::uint64_t near_rows = 0;
  /// That a run takes.
  int blocks = 0;
};

/// Used by one thread. On a device that lives longer.
class solver {
 public:
  solver(device& machine, std::uint32_t rows);
  solver(solver const&) = delete;
  solver& operator=(solver const&) = delete;
  virtual ~solver() = default;

  /// b to the device, and what a run uses up set to its first state.
  virtual void load(std::span<double const> right_side);
  /// x on the device is no number.
  void forget();
  /// May return before the device is done.
  virtual void run() = 0;
  [[nodiscard]] std::vector<double> x() { return machine_.copy_to_host(x_); }
  /// Throws timeout_error when the last run was stopped.
  virtual void require_done() {}
  [[nodiscard]] virtual solver_facts facts() const = 0;

 protected:
  device& machine_;
  buffer<double> right_side_;
  buffer<double> x_;
};

/// Throws usage_error where the shape is not the machine's: on a GPU blocks are of whole warps.
[[nodiscard]] std::unique_ptr<solver> make_in_order(device& machine, lower_system const& of,
                                                    solver_options const& options);
/// Level by level, with this barrier between levels.
[[nodiscard]] std::unique_ptr<solver> make_waves(device& machine, lower_system const& of,
                                                 solver_options const& options, level_end how);
/// As published: sync_free.hpp. Of the options it takes the shape and the time alone.
[[nodiscard]] std::unique_ptr<solver> make_sync_free(device& machine, lower_system const& of,
                                                     solver_options const& options);
/// cuSPARSE's SpSV: its analysis once, its solve each run. Throws unsupported unless the machine is a
/// CUDA device of a build with cuSPARSE. A leaf: cusparse_spsv.cpp and cusparse_none.cpp.
[[nodiscard]] std::unique_ptr<solver> make_cusparse(device& machine, lower_system const& of);

}  // namespace gridloom::wavefront::sptrsv
