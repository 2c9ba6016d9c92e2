// wavefront-kba: a sweep of the transport equation, the application that motivates the paper.

#include <optional>

#include "../tiles/tile_methods.hpp"
#include "transport.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::wavefront::kba;

/// Number of blocks per multiprocessor, each of one warp, as measured on one H200.
constexpr int blocks_per_sm = 8;

struct request {
  int nx = 64, ny = 64, nz = 64, angles = 32;
  std::vector<std::int64_t> tiles{8};
  std::vector<std::string> order{"pipelined"};
};

/// The box and its reference result, which is computed at its first use.
class scene {
 public:
  scene(bench::program& frame, box made) : app(frame), cells(std::move(made)) {}

  void require(std::vector<double> const& flux) {
    if (expected_.empty()) expected_ = sweep_serially(cells);
    require_flux(cells, expected_, flux);
  }

  bench::program& app;
  box const cells;

 private:
  std::vector<double> expected_;
};

struct settings {
  std::optional<int> blocks, threads;
  std::optional<std::int64_t> tile;
  std::string order;
  wavefront::tiles::tile_way how{};
};
struct counters {
  std::optional<std::int64_t> tiles, depth;
  std::int64_t memory_bytes = 0;
};
using row = bench::row_of<scene, settings, counters>;
using method = bench::method<row, wavefront::tiles::tile_traits>;

bench::schema<row> columns() {
  return {{"method", "1", "name of the method, as in --method", &row::method},
          {"nx", "1", "cells along x", &scene::cells, &box::nx},
          {"ny", "1", "cells along y", &scene::cells, &box::ny},
          {"nz", "1", "cells along z", &scene::cells, &box::nz},
          {"angles", "1", "directions per octant", &scene::cells, &box::angles},
          {"cells", "1", "cells of the box", &scene::cells, &box::cells},
          {"updates", "1", "number of cells times directions, for eight octants", &scene::cells,
           &box::updates},
          {"workers", "1", "number of thread blocks or host threads", &row::blocks},
          {"threads", "1", "threads per block", &row::threads},
          {"tile", "1", "cells of a tile along y and z; 8 cells along x", &row::tile},
          {"octants", "1", "pipelined: octants overlap; one_by_one: one octant after the other",
           &row::order},
          {"tiles", "1", "number of tiles of all octants", &row::tiles},
          {"depth", "1", "number of levels of tiles", &row::depth},
          {"memory_bytes", "B", "device memory", &row::memory_bytes}};
}

class serial_work final : public bench::work<row> {
 public:
  serial_work(scene& in, row const& /*what*/) : in_(in) {}
  void run() override { flux_ = sweep_serially(in_.cells); }
  void verify() override { in_.require(flux_); }

 private:
  scene& in_;
  std::vector<double> flux_;
};

class sweeper_work final : public bench::work<row> {
 public:
  sweeper_work(scene& in, row const& what)
      : in_(in),
        by_(make_sweeper(in.app.machine(), in.cells, what.how,
                         {{what.blocks.value(), what.threads.value()},
                          static_cast<std::uint32_t>(what.tile.value()),
                          what.order == "one_by_one",
                          in.app.common().timeout_s})) {}
  void copy_in() override { by_->load(in_.cells); }
  void run() override { by_->run(); }
  void copy_out() override { flux_ = by_->flux(); }
  void check() override { by_->require_done(); }
  void verify() override { in_.require(flux_); }
  void record(row& r) const override {
    r.tiles = by_->tiles();
    if (by_->waves() != 0) r.depth = by_->waves();
    r.memory_bytes = static_cast<std::int64_t>(by_->bytes());
  }

 private:
  scene& in_;
  std::unique_ptr<sweeper> by_;
  std::vector<double> flux_;
};

std::vector<method> const& all_methods() {
  static auto const all =
      wavefront::tiles::with_tiles<sweeper_work, row>({{.name = "serial",
                                                        .what = "one host thread, cell by cell",
                                                        .by = bench::origin::rival,
                                                        .host_code = true,
                                                        .make = bench::makes<serial_work>}},
                                                      "tile octants workers");
  return all;
}

/// Throws usage_error if the box will not fit into memory. Called before the box is made.
void require_memory(request const& wanted, device const& machine) {
  double const nx = wanted.nx;
  double const ny = wanted.ny;
  double const nz = wanted.nz;
  // The host holds the cells twice: the serial sweep has its own copy.
  double const copies = machine.is_host() ? 6 : 3;
  double const faces = octants * (nx * ny + ny * nz + nx * nz) * wanted.angles;
  double const bytes = sizeof(double) * (copies * nx * ny * nz + faces);
  auto const& properties = machine.properties();
  // For larger boxes, make_box throws.
  bool const counted = nx * ny * nz < 0x1p31;
  if (counted && bytes > 0.9 * static_cast<double>(properties.memory_bytes)) {
    throw usage_error("--nx, --ny, --nz, --angles: expected a box that fits the memory of " +
                      properties.name + ", got one of " +
                      std::to_string(static_cast<std::int64_t>(bytes / 1e9)) +
                      " GB; use a smaller one");
  }
}

int body(int argc, char** argv) {
  request wanted;
  bench::program app("wavefront-kba",
                     "Sweeps a box of cells by the transport equation, octant by octant.");
  constexpr int most = 1 << 12;
  app.options()("nx", int_option("nx", wanted.nx, 1, most), "cells along x")(
      "ny", int_option("ny", wanted.ny, 1, most), "cells along y")(
      "nz", int_option("nz", wanted.nz, 1, most), "cells along z")(
      "angles", int_option("angles", wanted.angles, 1, 1024), "directions per octant")(
      "tile", int_list_option("tile", wanted.tiles, 1, most),
      "cells of a tile along y and z; 8 cells along x; one arm per value")(
      "octants", choice_list_option("octants", wanted.order, {"pipelined", "one_by_one"}),
      "pipelined: octants overlap; one_by_one: one octant after the other; one arm per value");
  bench::methods<row, wavefront::tiles::tile_traits> const ways(
      app, "method", "methods to run, see --list; default: all that the machine supports",
      all_methods());
  app.line().add_example("--nx 32 --ny 32 --nz 32 --method serial,in_order",
                         "a small box, compared with one host thread");
  if (!app.parse(argc, argv)) return exit_done;
  require_memory(wanted, app.machine());
  auto const side = [](int n) { return static_cast<std::uint32_t>(n); };
  scene in(app, make_box(side(wanted.nx), side(wanted.ny), side(wanted.nz), side(wanted.angles),
                         app.common().seed));
  bench::sweep<settings> over;
  over.over("tile", wanted.tiles, &settings::tile).over("octants", wanted.order, &settings::order);
  auto const base = [&](method const& one) -> settings {
    if (one.host_code) return {};
    auto shape = app.shape(32);
    if (app.common().workers == 0 && !app.machine().is_host()) shape.blocks *= blocks_per_sm;
    return {shape.blocks, shape.threads, {}, "", one.traits.how};
  };
  auto const arms = ways.arms(in, base, over);
  bench::harness<row> all(app, columns());
  all.show("Gupdates/s", [](row const& r, double ms) {
    return 1e-6 * static_cast<double>(r.problem->cells.updates()) / ms;
  });
  all.run(arms);
  return app.finish(all, {all.runs()});
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
