// wavefront-kba: a sweep of the transport equation, the aim of the paper's authors.

#include <optional>

#include "../distinct.hpp"
#include "../host_workers.hpp"
#include "../tiles/tile_methods.hpp"
#include "gridloom/bench/harness.hpp"
#include "gridloom/bench/program.hpp"
#include "transport.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::wavefront::kba;
using gridloom::wavefront::tiles::tile_method;

/// Blocks of a warp a multiprocessor, on one H200.
constexpr int blocks_per_sm = 8;

std::vector<tile_method> const& all_methods() {
  static std::vector<tile_method> const methods = [] {
    std::vector<tile_method> all{
        {"serial", "rival: cell after cell, one thread of the host", true}};
    auto const& tiled = wavefront::tiles::all_tile_methods;
    all.insert(all.end(), std::begin(tiled), std::end(tiled));
    return all;
  }();
  return methods;
}

struct request {
  int nx = 64, ny = 64, nz = 64, angles = 32;
  std::vector<std::int64_t> tiles{8};
  std::vector<std::string> order{"pipelined"};
  std::vector<std::string> methods;
};

struct row {
  std::string method;
  std::int64_t nx = 0, ny = 0, nz = 0, angles = 0, cells = 0, updates = 0;
  std::optional<int> blocks, threads;
  std::optional<std::int64_t> tile;
  std::string order;
  // After it ran:
  std::optional<std::int64_t> tiles, waves;
  std::int64_t memory_bytes = 0;
};

bench::schema<row> columns() {
  return {{"method", "1", "who sweeps, see --list", &row::method},
          {"nx", "1", "cells along x", &row::nx},
          {"ny", "1", "cells along y", &row::ny},
          {"nz", "1", "cells along z", &row::nz},
          {"angles", "1", "directions of an octant", &row::angles},
          {"cells", "1", "cells of the box", &row::cells},
          {"updates", "1", "cells times directions of eight octants", &row::updates},
          {"blocks", "1", "thread blocks or host threads", &row::blocks},
          {"threads", "1", "threads of a block", &row::threads},
          {"tile", "1", "cells of a tile along y and z; 8 along x", &row::tile},
          {"octants", "1", "pipelined, or one by one", &row::order},
          {"tiles", "1", "tiles of all octants", &row::tiles},
          {"waves", "1", "waves of tiles", &row::waves},
          {"memory_bytes", "B", "of the device", &row::memory_bytes}};
}

/// The reference, computed once, when it is first asked for.
class scene {
 public:
  explicit scene(box cells) : of(std::move(cells)) {}
  box const of;

  void require(std::vector<double> const& flux) {
    if (expected_.empty()) expected_ = sweep_serially(of);
    require_flux(of, expected_, flux);
  }

 private:
  std::vector<double> expected_;
};

class serial_work final : public bench::work<row> {
 public:
  explicit serial_work(scene& in) : in_(in) {}
  void run() override { flux_ = sweep_serially(in_.of); }
  void verify() override { in_.require(flux_); }

 private:
  scene& in_;
  std::vector<double> flux_;
};

class sweeper_work final : public bench::work<row> {
 public:
  sweeper_work(scene& in, std::unique_ptr<sweeper> by) : in_(in), by_(std::move(by)) {}
  void copy_in() override { by_->load(in_.of); }
  void run() override { by_->run(); }
  void copy_out() override { flux_ = by_->flux(); }
  void check() override { by_->require_done(); }
  void verify() override { in_.require(flux_); }
  void record(row& r) const override {
    r.tiles = by_->tiles();
    if (by_->waves() != 0) r.waves = by_->waves();
    r.memory_bytes = static_cast<std::int64_t>(by_->bytes());
  }

 private:
  scene& in_;
  std::unique_ptr<sweeper> by_;
  std::vector<double> flux_;
};

std::vector<bench::arm<row>> arms_of(bench::program& app, request const& wanted, scene& in) {
  auto& machine = app.machine();
  row base;
  base.nx = in.of.nx;
  base.ny = in.of.ny;
  base.nz = in.of.nz;
  base.angles = in.of.angles();
  base.cells = static_cast<std::int64_t>(in.of.cells());
  base.updates = static_cast<std::int64_t>(in.of.updates());
  std::vector<bench::arm<row>> arms;
  for (tile_method const* one : wavefront::tiles::chosen(all_methods(), wanted.methods, machine)) {
    row r = base;
    r.method = one->name;
    if (one->name == "serial") {
      arms.push_back({r.method, r, [&in] { return std::make_unique<serial_work>(in); }, true});
      continue;
    }
    for (std::int64_t const tile : wanted.tiles) {
      for (std::string const& order : wanted.order) {
        sweeper_options options;
        options.shape = app.shape(32);
        if (app.common().workers == 0 && !machine.is_host()) options.shape.blocks *= blocks_per_sm;
        options.tile = static_cast<std::uint32_t>(tile);
        options.one_by_one = order == "one_by_one";
        options.timeout_s = app.common().timeout_s;
        r.blocks = options.shape.blocks;
        r.threads = options.shape.threads;
        r.tile = tile;
        r.order = order;
        std::string name = r.method;
        if (wanted.tiles.size() > 1) name += " " + std::to_string(tile);
        if (wanted.order.size() > 1) name += " " + order;
        bench::arm<row> arm{name, r, [&in, &machine, options, how = one->name] {
                              return std::make_unique<sweeper_work>(
                                  in, make_sweeper(machine, in.of, how, options));
                            }};
        arm.as_it_is = one->name == "free";
        arms.push_back(std::move(arm));
      }
    }
  }
  return arms;
}

/// Refuses a box that has no room, before it is filled. Throws usage_error.
void require_memory(request const& wanted, device const& machine) {
  double const nx = wanted.nx;
  double const ny = wanted.ny;
  double const nz = wanted.nz;
  // On the host the cells are there once more, for the serial sweep.
  double const copies = machine.is_host() ? 6 : 3;
  double const faces = octants * (nx * ny + ny * nz + nx * nz) * wanted.angles;
  double const bytes = sizeof(double) * (copies * nx * ny * nz + faces);
  auto const& properties = machine.properties();
  bool const counted = nx * ny * nz < 0x1p31;  // else make_box refuses it
  if (counted && bytes > 0.9 * static_cast<double>(properties.memory_bytes)) {
    throw usage_error("--nx, --ny, --nz, --angles: expected a box that fits the memory of " +
                      properties.name + ", got one of " +
                      std::to_string(static_cast<std::int64_t>(bytes / 1e9)) + " GB");
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
      "angles", int_option("angles", wanted.angles, 1, 1024), "directions of an octant")(
      "tile", int_list_option("tile", wanted.tiles, 1, most),
      "cells of a tile along y and z, an arm each; along x it has 8")(
      "octants", choice_list_option("octants", wanted.order, {"pipelined", "one_by_one"}),
      "whether an octant begins tile by tile, or after the whole one before; an arm each")(
      "method",
      choice_list_option("method", wanted.methods, bench::names_of<tile_method>(all_methods())),
      "who sweeps, see --list; default: all that the machine has");
  app.line().add_example("--nx 32 --ny 32 --nz 32 --method serial,in_order",
                         "a small box, against one thread of the host");
  app.line().set_list(bench::list_of<tile_method>(all_methods()));
  if (!app.parse(argc, argv)) return exit_done;
  wavefront::require_distinct(wanted.tiles, "--tile");
  for (auto const* option : {"tile", "octants"}) {
    if (app.line().given(option))
      wavefront::tiles::require_tiled(wanted.methods, std::string("--") + option);
  }
  wavefront::require_host_workers(app);
  require_memory(wanted, app.machine());
  auto const side = [](int n) { return static_cast<std::uint32_t>(n); };
  scene in(make_box(side(wanted.nx), side(wanted.ny), side(wanted.nz), side(wanted.angles),
                    app.common().seed));
  auto const arms = arms_of(app, wanted, in);
  bench::harness<row> all(app, columns());
  all.show("Gupdates/s",
           [](row const& r, double ms) { return 1e-6 * static_cast<double>(r.updates) / ms; });
  all.run(arms);
  return app.finish(all, {all.runs()});
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
