#include "arms.hpp"

#include <algorithm>
#include <cmath>

#include "apps/heat/app.hpp"
#include "apps/int_hist/app.hpp"
#include "apps/jacobi/app.hpp"
#include "apps/lud/app.hpp"
#include "apps/sat/app.hpp"
#include "apps/sat/inspection.hpp"
#include "apps/strips/tile_grid.hpp"
#include "gridloom/error.hpp"

namespace gridloom::juggler {

namespace {

/// With more tiles in a row, the graph alone takes several gigabytes: the number of tasks grows
/// with the cube or the square.
constexpr std::int64_t most_tiles_cubed = 512;
constexpr std::int64_t most_tiles_squared = 5000;

double one_matrix(subject const&, double cells) { return 8 * cells; }
double borders_of_tiles(subject const& what, double cells) { return 16 * cells / what.tile; }

template <int Threads>
int always(subject const&) {
  return Threads;
}

template <int Brightest(std::int64_t, std::int64_t)>
void make_random_image(inputs const&, subject& what, std::uint64_t seed) {
  if (what.input.image) return;
  int const brightest = Brightest(what.rows, what.cols);
  auto const how = random_pixels{seed, what.cols, brightest};
  what.input.image = std::make_shared<grey_image>(
      what.how == checking::sampled ? grey_image{what.rows, what.cols, {}, how}
                                    : make_image(what.rows, what.cols, brightest, seed));
}
int any_brightness(std::int64_t, std::int64_t) { return 255; }

std::vector<app_entry> const entries{
    {.name = "lud",
     .takes = "rows across tile kernels input check",
     .files = {"input"},
     .types = {"lu0", "fwd", "bdiv", "bmod"},
     .data_bytes = one_matrix,
     .by_cube = true,
     // large_tiles.hpp needs a fixed number. In small_tiles.hpp, 16 × 16 threads share a square.
     .threads =
         [](subject const& what) {
           int const own =
               what.kernels == kernel_kind::own ? lud::threads_of_squares(what.tile) : 0;
           return own != 0 ? own : 256;
         },
     .make_input =
         [](inputs const&, subject& what, std::uint64_t seed) {
           what.input.matrix = std::make_shared<lud::input>(
               what.input.sparse               ? lud::to_dense(*what.input.sparse)
               : what.how == checking::sampled ? lud::input{what.rows, {}, {seed, what.rows}}
                                               : lud::make_input(what.rows, seed));
         },
     .make =
         [](device& machine, subject const& what, std::uint64_t) {
           return make_lud(machine, *what.input.matrix, what.tile, what.kernels);
         }},
    {.name = "dtw",
     .takes = "rows across tile series precision lane-columns check",
     .files = {"series"},
     .types = {"dtw"},
     .largest_tile = strips::largest_tile,
     .data_bytes = borders_of_tiles,
     // One warp per strip of a tile.
     .threads = always<128>,
     .make_input =
         [](inputs const& given, subject& what, std::uint64_t seed) {
           if (what.input.warped) return;
           what.input.warped =
               std::make_shared<dtw::input>(dtw::make_input(what.rows, seed, given.is_single()));
         },
     .make =
         [](device& machine, subject const& what, std::uint64_t) {
           return make_dtw(machine, *what.input.warped, what.tile, what.lane_columns, what.how);
         }},
    {.name = "sw",
     .takes = "rows across tile fasta matrix match mismatch gap-open gap-extend lane-columns check",
     .files = {"fasta"},
     .types = {"sw"},
     .largest_tile = strips::largest_tile,
     .data_bytes = borders_of_tiles,
     .threads = always<128>,
     .make_input =
         [](inputs const& given, subject& what, std::uint64_t seed) {
           if (what.input.aligned) return;
           what.input.aligned =
               std::make_shared<sw::input>(sw::make_input(what.rows, seed, given.scores));
         },
     .make =
         [](device& machine, subject const& what, std::uint64_t) {
           return make_sw(machine, *what.input.aligned, what.tile, what.lane_columns, what.how);
         }},
    {.name = "sat",
     .takes = "rows across tile kernels image check",
     .files = {"image"},
     .types = {"sat"},
     .largest_tile = sat::largest_tile,
     .copies = 2,
     .data_bytes = one_matrix,
     .cell_bytes = 8,
     // One warp per 16 rows of a tile (sat/app.hpp).
     .threads = always<256>,
     .make_input =
         [](inputs const& given, subject& what, std::uint64_t seed) {
           make_random_image<sat::brightest>(given, what, seed);
           if (what.how == checking::all) sat::require_fit(*what.input.image, "--image");
         },
     .make =
         [](device& machine, subject const& what, std::uint64_t) {
           return make_sat(machine, what.input.image, what.tile, what.kernels);
         }},
    {.name = "int_hist",
     .takes = "rows across tile kernels image bins check",
     .files = {"image"},
     .types = {"int_hist"},
     .part = int_hist::largest_part,
     .copies = 2,
     .data_bytes = [](subject const& what, double cells) { return 4 * what.bins * cells; },
     .cell_bytes = 1,
     .bin_bytes = 4,
     // One warp per eighth of the bins.
     .threads = always<256>,
     .make_input = make_random_image<any_brightness>,
     .make =
         [](device& machine, subject const& what, std::uint64_t) {
           return make_int_hist(machine, what.input.image, what.tile, what.bins, what.kernels);
         }},
    {.name = "heat",
     .takes = "rows across tile kernels steps check",
     .types = {"heat"},
     .copies = 4,
     .data_bytes = one_matrix,
     .steps = 1,
     .sampled_steps = 1,
     .cell_bytes = 16,
     // One warp computes a tile; all threads copy it (heat/app.hpp).
     .threads = always<128>,
     .make =
         [](device& machine, subject const& what, std::uint64_t seed) {
           return make_heat(machine, what.rows, what.tile, what.steps, seed, what.kernels,
                            what.how);
         }},
    {.name = "jacobi",
     .takes = "rows across tile kernels steps check",
     .types = {"copy", "compute"},
     .largest_tile = jacobi::largest_tile,
     .copies = 5,
     .device_copies = 2,
     .data_bytes = one_matrix,
     .steps = 2,
     .cell_bytes = 16,
     .threads = always<256>,
     .make =
         [](device& machine, subject const& what, std::uint64_t seed) {
           return make_jacobi(machine, what.rows, what.tile, what.steps, seed, what.kernels,
                              what.how);
         }},
};

/// Bytes of the data, padded to whole tiles.
double bytes_of(subject const& what) {
  return what.is->data_bytes(what, (static_cast<double>(what.rows) + what.tile) *
                                       (static_cast<double>(what.cols) + what.tile));
}

/// The nearest sizes that consist of whole tiles.
std::string nearest(std::int64_t rows, std::int64_t tile) {
  std::int64_t const below = rows / tile * tile;
  if (rows % tile == 0) return std::to_string(rows);
  return (below == 0 ? "" : std::to_string(below) + " or ") + std::to_string(below + tile);
}

}  // namespace

std::span<app_entry const> applications() { return entries; }

void require_fit(device& machine, subject const& what) {
  std::string const app(what.is->name);
  require_tile(app, what.tile, what.is->largest_tile);
  require_parts(app, what.tile, what.is->part);
  if (what.how == checking::sampled && what.steps > what.is->sampled_steps)
    throw usage_error("--steps: --check sampled of " + app + " takes at most " +
                      std::to_string(what.is->sampled_steps) + ", got " +
                      std::to_string(what.steps));
  // Checks memory first: the number of tiles of a larger size might overflow an integer.
  auto const& properties = machine.properties();
  double const share = what.how == checking::sampled ? 0.9 / what.is->device_copies : 0.4;
  if (bytes_of(what) > share * static_cast<double>(properties.memory_bytes))
    throw usage_error((what.input.name.empty() ? "--rows" : what.input.name) + ": the data of " +
                      std::string(what.is->name) + " for " + std::to_string(what.rows) +
                      " rows do not fit into the memory of " + properties.name +
                      "; use fewer rows");
  std::int64_t const tiles = (std::max(what.rows, what.cols) + what.tile - 1) / what.tile;

  std::int64_t const most = what.is->by_cube ? most_tiles_cubed : most_tiles_squared;
  if (tiles > most)
    throw usage_error("--tile: " + std::to_string(what.tile) + " gives " + std::to_string(tiles) +
                      " tiles per row, and the number of tasks grows with their " +
                      (what.is->by_cube ? "cube" : "square") + "; expected at most " +
                      std::to_string(most));
  bool const is_loop = what.kernels == kernel_kind::loops;
  if ((is_loop || what.how == checking::sampled) &&
      (what.rows % what.tile != 0 || what.cols % what.tile != 0))
    throw usage_error(std::string(is_loop ? "--kernels loops" : "--check sampled") +
                      ": expected whole tiles, such as " + nearest(what.rows, what.tile) +
                      " rows, got " + std::to_string(what.rows) + " x " +
                      std::to_string(what.cols) + " in tiles of " + std::to_string(what.tile));
  constexpr std::int64_t most_tasks = most_tiles_squared * most_tiles_squared;
  if (tiles * tiles * what.steps > most_tasks)
    throw usage_error(
        "--steps: " + std::to_string(what.steps) + " steps of " + std::to_string(tiles * tiles) +
        " tiles are too many tasks; expected at most " + std::to_string(most_tasks) + " in all");
}

void require_room(device& machine, subject const& what, std::size_t problems) {
  if (what.how == checking::sampled && problems == 1) return;
  double const all = static_cast<double>(problems) * what.is->copies * bytes_of(what);
  auto const host_bytes = static_cast<double>(bench::host_machine().properties().memory_bytes);
  auto const machine_bytes = static_cast<double>(machine.properties().memory_bytes);
  // About half of the data is on the GPU, and the rest on the host.
  double const room = machine.is_host() ? host_bytes : 2 * std::min(host_bytes, machine_bytes);
  if (all <= 0.8 * room) return;
  auto const gb = [](double bytes) { return std::to_string(std::llround(bytes * 1e-9)) + " GB"; };
  throw usage_error("--method: " + std::to_string(problems) + " copies of the data of " +
                    std::string(what.is->name) + " for " + std::to_string(what.rows) +
                    " rows take " + gb(all) + ", but may take at most 0.8 of " + gb(room) +
                    "; use fewer methods, smaller --rows, or --check sampled");
}

}  // namespace gridloom::juggler
