#pragma once
// The applications by name, and one application with its size and input.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "apps/dtw/input.hpp"
#include "apps/grid/image.hpp"
#include "apps/juggler/problem.hpp"
#include "apps/lud/input.hpp"
#include "apps/sw/input.hpp"
#include "gridloom/device.hpp"
#include "gridloom/sparse/graph_file.hpp"

namespace gridloom::juggler {

[[nodiscard]] std::vector<std::string> const& app_names();

/// What an application does not use stays 0, empty or null.
struct subject {
  std::string experiment = "custom";
  std::string app{};
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  int tile = 0;
  std::int64_t work_ns = 0;
  int bins = 0;
  int steps = 0;
  int lane_columns = 0;
  kernel_kind kernels = kernel_kind::own;
  /// Names of the input's files. Empty for a random input.
  std::string input{};
  /// The application's input is one of these: see inputs.hpp.
  std::shared_ptr<csr_graph const> graph{};
  std::shared_ptr<lud::input const> matrix{};
  std::shared_ptr<dtw::input const> warped{};
  std::shared_ptr<sw::input const> aligned{};
  std::shared_ptr<grey_image const> image{};
};

/// Refuses a subject that could not run, before its data is made. Throws usage_error.
void require_fit(device& machine, subject const& what);

/// Refuses a number of methods whose data would not fit in memory together, since they take turns.
/// Throws usage_error.
void require_room(device& machine, subject const& what, std::size_t methods);

/// The problem of a subject with its input. The input outlives the problem.
[[nodiscard]] std::unique_ptr<problem> make_problem(device& machine, subject const& what,
                                                    std::uint64_t seed);

/// Whether the application also has the kernels of --kernels loops. Those of dtw and sw keep a tile
/// in registers, which OpenMP loops cannot express.
[[nodiscard]] bool has_loops(std::string const& app);

/// The names of its kernel types.
[[nodiscard]] std::vector<std::string> type_names(std::string const& app);

/// Threads per block unless the user chooses.
[[nodiscard]] int usual_threads(subject const& what);

}  // namespace gridloom::juggler
