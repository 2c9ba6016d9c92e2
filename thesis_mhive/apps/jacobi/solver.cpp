#include "solver.hpp"

#include <stdexcept>

#include "gridloom/error.hpp"
#include "thesis_mhive/rivals/jacobi/cusparse.hpp"

namespace gridloom::mhive::jacobi {
namespace {

using enum dependency_count;

/// Describes a version. `make(system, options, scheduler)` makes it for systems of either
/// precision.
template <class Make>
constexpr version_info entry(std::string_view name, std::string_view what, bool scheduled,
                             Make make, bool exact = true, bool needs_cuda = false) {
  return {name, what, scheduled, exact, needs_cuda, make, make};
}
template <class Make>
constexpr version_info scheduled(std::string_view name, std::string_view what, Make make) {
  return entry(name, what, true, make);
}
template <class Make>
constexpr version_info plain(std::string_view name, std::string_view what, Make make) {
  return entry(name, what, false, make);
}

constexpr version_info versions[] = {
    scheduled("stages_phases",
              "published: iterations and checks alternate, ordered by phases (7.4.1)",
              [](auto const& of, solver_options const& options, std::string_view scheduler) {
                return make_stages_phases(of, options, scheduler);
              }),
    scheduled(
        "stages_individual",
        "published: iterations and checks alternate, ordered by individual dependencies (7.4.1)",
        [](auto const& of, solver_options const& options, std::string_view scheduler) {
          return make_stages_individual(of, options, scheduler);
        }),
    scheduled(
        "checkpoints",
        "published: tasks wait for their neighbours, with one check every few iterations (7.4.2)",
        [](auto const& of, solver_options const& options, std::string_view scheduler) {
          return make_checkpoints(of, options, scheduler, tasks);
        }),
    scheduled("checkpoints_entries",
              "published: as checkpoints, with one dependency per matrix entry as in the thesis",
              [](auto const& of, solver_options const& options, std::string_view scheduler) {
                return make_checkpoints(of, options, scheduler, entries);
              }),
    scheduled("autonomous",
              "published: tasks wait for their neighbours and sum the residuals themselves (7.4.3)",
              [](auto const& of, solver_options const& options, std::string_view scheduler) {
                return make_autonomous(of, options, scheduler, tasks);
              }),
    scheduled("autonomous_entries",
              "published: as autonomous, with one dependency per matrix entry as in the thesis",
              [](auto const& of, solver_options const& options, std::string_view scheduler) {
                return make_autonomous(of, options, scheduler, entries);
              }),
    plain("kernel_by_kernel",
          "rival: two kernels per iteration; the host reads every residual (7.4.4)",
          [](auto const& of, solver_options const& options, std::string_view) {
            return make_launches(of, options, {.reads_back = true});
          }),
    plain("stream",
          "rival: two kernels per iteration; the host reads the residual every few iterations",
          [](auto const& of, solver_options const& options, std::string_view) {
            return make_launches(of, options, {});
          }),
    plain("graph", "rival: stream as a CUDA graph of several iterations",
          [](auto const& of, solver_options const& options, std::string_view) {
            return make_launches(of, options, {.graph = true});
          }),
    plain("graph_overlap", "rival: graph with programmatic dependent launches",
          [](auto const& of, solver_options const& options, std::string_view) {
            return make_launches(of, options, {.graph = true, .overlap = true});
          }),
    plain("graph_fused", "rival: graph_overlap with one kernel per iteration",
          [](auto const& of, solver_options const& options, std::string_view) {
            return make_launches(of, options, {.graph = true, .overlap = true, .fused = true});
          }),
    plain("graph_rows", "rival: graph_fused with one thread per row",
          [](auto const& of, solver_options const& options, std::string_view) {
            return make_launches(of, options,
                                 {.graph = true, .overlap = true, .fused = true, .by_rows = true});
          }),
    plain("graph_while",
          "rival: graph_fused inside a CUDA graph loop; the device decides when it ends",
          [](auto const& of, solver_options const& options, std::string_view) {
            return make_launches(of, options,
                                 {.graph = true, .overlap = true, .fused = true, .loop = true});
          }),
    plain("grid_sync", "rival: one cooperative kernel with one grid barrier per iteration",
          [](auto const& of, solver_options const& options, std::string_view) {
            return make_grid_sync(of, options, false);
          }),
    plain("grid_sync_rows", "rival: grid_sync with one thread per row",
          [](auto const& of, solver_options const& options, std::string_view) {
            return make_grid_sync(of, options, true);
          }),
    plain("neighbours",
          "ours: one cooperative kernel; blocks keep their rows in shared memory and wait for "
          "their neighbours only",
          [](auto const& of, solver_options const& options, std::string_view) {
            return make_neighbours(of, options, true);
          }),
    plain("neighbours_uncached", "ours: neighbours with the matrix and x in global memory",
          [](auto const& of, solver_options const& options, std::string_view) {
            return make_neighbours(of, options, false);
          }),
    plain("gathered",
          "ours: one cooperative kernel; threads keep matrix entries and wait for the values of x "
          "that they need",
          [](auto const& of, solver_options const& options, std::string_view) {
            return make_gathered(of, options, true);
          }),
    plain("gathered_uncached", "ours: gathered with the matrix in global memory",
          [](auto const& of, solver_options const& options, std::string_view) {
            return make_gathered(of, options, false);
          }),
    entry(
        "cusparse",
        "rival: cuSPARSE's matrix-vector product and one kernel, as a CUDA graph of several "
        "iterations",
        false,
        [](auto const& of, solver_options const& options, std::string_view) {
          return make_cusparse(of, options);
        },
        false, true)};

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
