#include "solver.hpp"

#include <stdexcept>

#include "cusparse.hpp"
#include "gridloom/error.hpp"

namespace gridloom::mhive::jacobi {

std::vector<version_info> const& all_versions() {
  static std::vector<version_info> const versions{
      {"kernel_by_kernel", "two kernels an iteration, residual read back each time (7.4.4)"},
      {"stream", "the same without reading back each time"},
      {"graph", "the same as a graph of several iterations"},
      {"graph_overlap", "that graph with programmatic dependent launches"},
      {"graph_fused", "that with one kernel an iteration"},
      {"grid_sync", "one cooperative kernel, a barrier of the grid an iteration"},
      {"cusparse", "cuSPARSE's product and a kernel, as a graph of several iterations", false,
       false, true},
  };
  return versions;
}

std::vector<std::string> const& all_schedulers() {
  static std::vector<std::string> const names{"time_sliced", "megakernel", "device_controller",
                                              "resident_controller"};
  return names;
}

template <typename Value>
std::unique_ptr<solver> make_solver(system<Value> const& of, solver_options const& options,
                                    std::string_view version, std::string_view /*scheduler*/) {
  if (version == "cusparse") return make_cusparse(of, options);
  auto made = make_baseline(of, options, version);
  if (!made) throw std::invalid_argument("no version \"" + std::string(version) + "\"");
  return made;
}

template std::unique_ptr<solver> make_solver(system<float> const&, solver_options const&,
                                             std::string_view, std::string_view);
template std::unique_ptr<solver> make_solver(system<double> const&, solver_options const&,
                                             std::string_view, std::string_view);

}  // namespace gridloom::mhive::jacobi
