#include "solver.hpp"

#include <stdexcept>

#include "gridloom/error.hpp"
#include "thesis_mhive/rivals/jacobi/cusparse.hpp"

namespace gridloom::mhive::jacobi {
namespace {

using enum dependency_count;

// Factories for systems of either precision.
constexpr auto stages_phases = [](auto const& of, solver_options const& options,
                                  std::string_view scheduler) {
  return make_stages_phases(of, options, scheduler);
};
constexpr auto stages_individual = [](auto const& of, solver_options const& options,
                                      std::string_view scheduler) {
  return make_stages_individual(of, options, scheduler);
};
template <dependency_count Count>
constexpr auto checkpoints =
    [](auto const& of, solver_options const& options, std::string_view scheduler) {
      return make_checkpoints(of, options, scheduler, Count);
    };
template <dependency_count Count>
constexpr auto autonomous =
    [](auto const& of, solver_options const& options, std::string_view scheduler) {
      return make_autonomous(of, options, scheduler, Count);
    };
constexpr auto shares = [](auto const& of, solver_options const& options,
                           std::string_view scheduler) {
  return make_shares(of, options, scheduler);
};
template <driving How>
constexpr auto launches = [](auto const& of, solver_options const& options, std::string_view) {
  return make_launches(of, options, How);
};
template <bool ByRows>
constexpr auto grid_sync = [](auto const& of, solver_options const& options, std::string_view) {
  return make_grid_sync(of, options, ByRows);
};
constexpr auto neighbours = [](auto const& of, solver_options const& options, std::string_view) {
  return make_neighbours(of, options);
};
constexpr auto gathered = [](auto const& of, solver_options const& options, std::string_view) {
  return make_gathered(of, options);
};
constexpr auto cusparse = [](auto const& of, solver_options const& options, std::string_view) {
  return make_cusparse(of, options);
};

/// A version that runs under a scheduler of MHive, and one that does not.
template <class Make>
constexpr version_info scheduled(std::string_view name, std::string_view what, Make make) {
  return {name, what, true, true, false, make, make};
}
template <class Make>
constexpr version_info plain(std::string_view name, std::string_view what, Make make) {
  return {name, what, false, true, false, make, make};
}

constexpr version_info versions[] = {
    scheduled("stages_phases",
              "published: iterations and checks alternate, ordered by phases (7.4.1)",
              stages_phases),
    scheduled(
        "stages_individual",
        "published: iterations and checks alternate, ordered by individual dependencies (7.4.1)",
        stages_individual),
    scheduled(
        "checkpoints",
        "published: tasks wait for their neighbours, with one check every few iterations (7.4.2)",
        checkpoints<tasks>),
    scheduled("checkpoints_entries",
              "published: as checkpoints, with one dependency per entry in other tasks' columns",
              checkpoints<entries>),
    scheduled("autonomous",
              "published: tasks wait for their neighbours and sum the residuals themselves (7.4.3)",
              autonomous<tasks>),
    scheduled("autonomous_entries",
              "published: as autonomous, with one dependency per entry in other tasks' columns",
              autonomous<entries>),
    plain("kernel_by_kernel",
          "rival: two kernels per iteration; the host reads every residual (7.4.4)",
          launches<driving{.reads_back = true, .checks_in_one_block = true}>),
    plain("kernel_by_kernel_spread", "rival: kernel_by_kernel with a check by the whole device",
          launches<driving{.reads_back = true}>),
    plain("stream",
          "rival: two kernels per iteration; the host reads the residual every few iterations",
          launches<driving{}>),
    plain("graph_fused",
          "rival: one kernel per iteration, in a CUDA graph with programmatic dependent launches",
          launches<driving{.graph = true}>),
    plain("graph_rows", "rival: graph_fused with one thread per row",
          launches<driving{.graph = true, .by_rows = true}>),
    plain("graph_while",
          "rival: graph_fused inside a CUDA graph loop; the device decides when it ends",
          launches<driving{.graph = true, .loop = true}>),
    plain("grid_sync", "rival: one cooperative kernel with one grid barrier per iteration",
          grid_sync<false>),
    plain("grid_sync_rows", "rival: grid_sync with one thread per row", grid_sync<true>),
    scheduled("shares",
              "ours: tasks are shared out beforehand; one work item per resident worker and "
              "iteration",
              shares),
    plain("neighbours",
          "ours: one cooperative kernel; blocks keep their rows in shared memory and wait for "
          "their neighbours only",
          neighbours),
    plain("gathered",
          "ours: one cooperative kernel; threads keep matrix entries and wait for the values of x "
          "that they need",
          gathered),
    {"cusparse",
     "rival: cuSPARSE's matrix-vector product and one kernel, as a CUDA graph of several "
     "iterations",
     false, false, true, cusparse, cusparse}};

}  // namespace

std::span<version_info const> all_versions() { return versions; }

std::vector<std::string> const& all_schedulers() {
  static std::vector<std::string> const names{"time_sliced", "megakernel", "megakernel_1024",
                                              "device_controller", "resident_controller"};
  return names;
}

template <typename Value>
std::unique_ptr<solver> make_solver(system<Value> const& of, solver_options const& options,
                                    version_info const& version, std::string_view scheduler) {
  std::unique_ptr<solver> made;
  if constexpr (sizeof(Value) == sizeof(float)) {
    made = version.in_float(of, options, scheduler);
  } else {
    made = version.in_double(of, options, scheduler);
  }
  if (made) return made;
  throw std::invalid_argument("no scheduler \"" + std::string(scheduler) + "\"");
}

template std::unique_ptr<solver> make_solver(system<float> const&, solver_options const&,
                                             version_info const&, std::string_view);
template std::unique_ptr<solver> make_solver(system<double> const&, solver_options const&,
                                             version_info const&, std::string_view);

}  // namespace gridloom::mhive::jacobi
