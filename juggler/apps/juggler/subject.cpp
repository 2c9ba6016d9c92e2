#include "subject.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "apps/heat/app.hpp"
#include "apps/int_hist/app.hpp"
#include "apps/jacobi/app.hpp"
#include "apps/lud/app.hpp"
#include "apps/sat/app.hpp"
#include "apps/strips/tile_grid.hpp"
#include "gridloom/error.hpp"

namespace gridloom::juggler {

namespace {

/// With this number of tasks, the graph alone takes some gigabytes.
constexpr std::int64_t most_tiles_cubed = 512;
constexpr std::int64_t most_tiles_squared = 5000;

bool is_of_strips(std::string const& app) { return app == "dtw" || app == "sw"; }

/// Bytes of the data, padded to whole tiles. A double, since the largest sizes exceed integers.
double data_bytes(subject const& what) {
  double const cells =
      (static_cast<double>(what.rows) + what.tile) * (static_cast<double>(what.cols) + what.tile);
  if (is_of_strips(what.app)) return 16 * cells / what.tile;
  return what.app == "int_hist" ? 4 * what.bins * cells : 8 * cells;
}

/// How many times this size a method keeps, on the machine and on the host: its data, its input in
/// tiles, and its results. Measured on the host.
double copies_of(std::string const& app) {
  if (app == "jacobi") return 5;
  if (app == "heat") return 4;
  return app == "sat" || app == "int_hist" ? 2 : 3;
}

/// The nearest sizes of whole tiles.
std::string nearest(std::int64_t rows, std::int64_t tile) {
  std::int64_t const below = rows / tile * tile;
  if (rows % tile == 0) return std::to_string(rows);
  return (below == 0 ? "" : std::to_string(below) + " or ") + std::to_string(below + tile);
}

int largest_tile_of(std::string const& app) {
  if (is_of_strips(app)) return strips::largest_tile;
  if (app == "sat") return sat::largest_tile;
  if (app == "int_hist") return int_hist::largest_tile;
  if (app == "heat") return heat::largest_tile;
  if (app == "jacobi") return jacobi::largest_tile;
  return std::numeric_limits<int>::max();
}

}  // namespace

std::vector<std::string> const& app_names() {
  static std::vector<std::string> const names{"lud",      "dtw",  "sw",     "sat",
                                              "int_hist", "heat", "jacobi", "graph"};
  return names;
}

void require_fit(device& machine, subject const& what) {
  if (what.app == "graph") return;
  require_tile(what.app, what.tile, largest_tile_of(what.app));
  // Memory is checked first: the number of tiles of a larger size might not fit an integer.
  auto const& properties = machine.properties();
  if (data_bytes(what) > 0.4 * static_cast<double>(properties.memory_bytes))
    throw usage_error((what.input.empty() ? "--rows" : what.input) + ": the data of " + what.app +
                      " for " + std::to_string(what.rows) + " rows are more than the memory of " +
                      properties.name + " holds");
  std::int64_t const tiles = (std::max(what.rows, what.cols) + what.tile - 1) / what.tile;
  bool const by_cube = what.app == "lud";
  std::int64_t const most = by_cube ? most_tiles_cubed : most_tiles_squared;
  if (tiles > most)
    throw usage_error("--tile: " + std::to_string(what.tile) + " gives " + std::to_string(tiles) +
                      " tiles in a row, and tasks by their " + (by_cube ? "cube" : "square") +
                      "; expected at most " + std::to_string(most));
  if (what.kernels == kernel_kind::loops &&
      (what.rows % what.tile != 0 || what.cols % what.tile != 0))
    throw usage_error("--kernels loops: expected whole tiles, such as " +
                      nearest(what.rows, what.tile) + " rows, got " + std::to_string(what.rows) +
                      " x " + std::to_string(what.cols) + " in tiles of " +
                      std::to_string(what.tile));
  constexpr std::int64_t most_tasks = most_tiles_squared * most_tiles_squared;
  if (tiles * tiles * what.steps > most_tasks)
    throw usage_error(
        "--steps: " + std::to_string(what.steps) + " steps of " + std::to_string(tiles * tiles) +
        " tiles are too many tasks; expected at most " + std::to_string(most_tasks) + " in all");
}

void require_room(device& machine, subject const& what, std::size_t methods) {
  if (what.app == "graph") return;
  double const all = static_cast<double>(methods) * copies_of(what.app) * data_bytes(what);
  device const host("host", 0);
  auto const host_bytes = static_cast<double>(host.properties().memory_bytes);
  auto const machine_bytes = static_cast<double>(machine.properties().memory_bytes);
  // About half of the data is on a GPU.
  double const room = machine.is_host() ? host_bytes : 2 * std::min(host_bytes, machine_bytes);
  if (all <= 0.8 * room) return;
  auto const gb = [](double bytes) { return std::to_string(std::llround(bytes * 1e-9)) + " GB"; };
  throw usage_error("--method: the data of " + std::to_string(methods) + " methods of " + what.app +
                    " for " + std::to_string(what.rows) + " rows takes " + gb(all) + ", of " +
                    gb(room) + "; expected fewer methods, or smaller --rows");
}

std::unique_ptr<problem> make_problem(device& machine, subject const& what, std::uint64_t seed) {
  if (what.app == "lud") return make_lud(machine, *what.matrix, what.tile, what.kernels);
  if (what.app == "dtw") return make_dtw(machine, *what.warped, what.tile, what.lane_columns);
  if (what.app == "sw") return make_sw(machine, *what.aligned, what.tile, what.lane_columns);
  if (what.app == "sat") return make_sat(machine, what.image, what.tile, what.kernels);
  if (what.app == "int_hist")
    return make_int_hist(machine, what.image, what.tile, what.bins, what.kernels);
  if (what.app == "heat")
    return make_heat(machine, what.rows, what.tile, what.steps, seed, what.kernels);
  if (what.app == "jacobi")
    return make_jacobi(machine, what.rows, what.tile, what.steps, seed, what.kernels);
  return make_graph(machine, *what.graph, what.work_ns);
}

bool has_loops(std::string const& app) { return app != "graph" && !is_of_strips(app); }

std::vector<std::string> type_names(std::string const& app) {
  if (app == "lud") return {"lu0", "fwd", "bdiv", "bmod"};
  if (app == "jacobi") return {"copy", "compute"};
  return {app};
}

int usual_threads(subject const& what) {
  std::string const& app = what.app;
  if (app == "lud" && what.kernels == kernel_kind::own && lud::threads_of_squares(what.tile) != 0)
    return lud::threads_of_squares(what.tile);
  // One square of a product (lud/small_tiles.hpp), one warp for each 16 rows of a tile
  // (sat/app.hpp) or for each eighth of the bins.
  if (app == "lud" || app == "sat" || app == "int_hist" || app == "jacobi") return 256;
  // The warps of a tile's strips, or some cells of a diagonal. One warp if a single thread does the
  // work.
  return is_of_strips(app) || app == "heat" ? 128 : 32;
}

}  // namespace gridloom::juggler
