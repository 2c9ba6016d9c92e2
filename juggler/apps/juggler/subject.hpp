#pragma once
// The applications by name, and one of them with its size and its input.

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

/// What an application does not have stays 0, empty or null.
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
  /// Names of the input's files; empty where it is made.
  std::string input{};
  /// The application's own input of these: see inputs.hpp.
  std::shared_ptr<csr_graph const> graph{};
  std::shared_ptr<lud::input const> matrix{};
  std::shared_ptr<dtw::input const> warped{};
  std::shared_ptr<sw::input const> aligned{};
  std::shared_ptr<grey_image const> image{};
};

/// Refuses what could not run before anything of that size is made. Throws usage_error.
void require_fit(device& machine, subject const& what);

/// Refuses so many methods whose data would not fit beside each other, since they take turns. Throws
/// usage_error.
void require_room(device& machine, subject const& what, std::size_t methods);

/// With its input, which outlives the problem.
[[nodiscard]] std::unique_ptr<problem> make_problem(device& machine, subject const& what,
                                                    std::uint64_t seed);

/// Whether it has kernels beside its own: those of dtw and sw keep a tile in registers, which loops of
/// OpenMP cannot say.
[[nodiscard]] bool has_loops(std::string const& app);

/// Of its tasks, by kernel type.
[[nodiscard]] std::vector<std::string> type_names(std::string const& app);

/// Threads of a block unless the user says.
[[nodiscard]] int usual_threads(subject const& what);

}  // namespace gridloom::juggler
