#include "solver.hpp"

#include <stdexcept>

#include "cusparse.hpp"
#include "gridloom/error.hpp"

namespace gridloom::mhive::jacobi {

std::vector<version_info> const& all_versions() {
  static std::vector<version_info> const versions{
      {"stages_phases", "iterations and checks in turn, by phases (7.4.1)", true},
      {"stages_individual", "the same by individual dependencies", true},
      {"checkpoints", "tasks wait for their neighbours; a check every few iterations (7.4.2)",
       true},
      {"checkpoints_entries", "the same with dependencies counted by entries, as published", true},
      {"autonomous", "tasks wait for their neighbours and add up residuals (7.4.3)", true},
      {"autonomous_entries", "the same with dependencies counted by entries, as published", true},
      {"kernel_by_kernel", "two kernels an iteration, residual read back each time (7.4.4)"},
      {"stream", "the same without reading back each time"},
      {"graph", "the same as a graph of several iterations"},
      {"graph_overlap", "that graph with programmatic dependent launches"},
      {"graph_fused", "that with one kernel an iteration"},
      {"graph_rows", "that with a thread a row"},
      {"graph_while", "that as the body of a loop that the device ends by itself"},
      {"grid_sync", "one cooperative kernel, a barrier of the grid an iteration"},
      {"grid_sync_rows", "the same with a thread a row"},
      {"neighbours", "one cooperative kernel, blocks keep their rows and wait for neighbours only"},
      {"neighbours_uncached", "the same with matrix and x in global memory"},
      {"gathered",
       "one cooperative kernel, threads keep entries and wait for the values that they multiply"},
      {"gathered_uncached", "the same with the matrix in global memory"},
      {"cusparse", "cuSPARSE's product and a kernel, as a graph of several iterations", false,
       false, true},
  };
  return versions;
}

std::vector<std::string> const& all_schedulers() {
  static std::vector<std::string> const names{"time_sliced", "megakernel", "megakernel_1024",
                                              "device_controller", "resident_controller"};
  return names;
}

namespace {

template <typename Value>
std::unique_ptr<solver> make_scheduled(system<Value> const& of, solver_options const& options,
                                       std::string_view version, std::string_view scheduler) {
  using enum dependency_count;
  if (version == "stages_phases") return make_stages_phases(of, options, scheduler);
  if (version == "stages_individual") return make_stages_individual(of, options, scheduler);
  if (version == "checkpoints") return make_checkpoints(of, options, scheduler, tasks);
  if (version == "checkpoints_entries") return make_checkpoints(of, options, scheduler, entries);
  if (version == "autonomous") return make_autonomous(of, options, scheduler, tasks);
  if (version == "autonomous_entries") return make_autonomous(of, options, scheduler, entries);
  return nullptr;
}

}  // namespace

template <typename Value>
std::unique_ptr<solver> make_solver(system<Value> const& of, solver_options const& options,
                                    std::string_view version, std::string_view scheduler) {
  if (version == "cusparse") return make_cusparse(of, options);
  auto made = make_baseline(of, options, version);
  if (!made) made = make_neighbours(of, options, version);
  if (!made) made = make_gathered(of, options, version);
  if (!made) made = make_scheduled(of, options, version, scheduler);
  if (made) return made;
  throw std::invalid_argument("make_solver: no version \"" + std::string(version) +
                              "\" under the scheduler \"" + std::string(scheduler) + "\"");
}

template std::unique_ptr<solver> make_solver(system<float> const&, solver_options const&,
                                             std::string_view, std::string_view);
template std::unique_ptr<solver> make_solver(system<double> const&, solver_options const&,
                                             std::string_view, std::string_view);

}  // namespace gridloom::mhive::jacobi
