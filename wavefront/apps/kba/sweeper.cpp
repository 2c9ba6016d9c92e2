// Host side of the sweep: the tiles of all octants as one graph.

#include <span>

#include "../tiles/tile_run.hpp"
#include "sweep_tile.hpp"

namespace gridloom::wavefront::kba {
namespace {

struct tile_counts {
  std::uint32_t x, y, z;
  std::uint32_t all() const { return x * y * z; }
};

tile_counts count_tiles(box const& of, std::uint32_t tile) {
  return {(of.nx + tile_x - 1) / tile_x, (of.ny + tile - 1) / tile, (of.nz + tile - 1) / tile};
}

/// In each octant, a tile precedes its neighbours downstream and the same tile in the next octant.
csr_graph octant_graph(tile_counts const& n, bool one_by_one) {
  csr_graph graph;
  graph.row_offsets.push_back(0);
  auto const corner = [&](std::uint32_t octant, bool last) {
    std::uint32_t const i = ((octant & 1U) != 0) == last ? 0 : n.x - 1;
    std::uint32_t const j = ((octant & 2U) != 0) == last ? 0 : n.y - 1;
    std::uint32_t const k = ((octant & 4U) != 0) == last ? 0 : n.z - 1;
    return octant * n.all() + (k * n.y + j) * n.x + i;
  };
  for (std::uint32_t octant = 0; octant < octants; ++octant) {
    for (std::uint32_t tile = 0; tile < n.all(); ++tile) {
      std::uint32_t const i = tile % n.x;
      std::uint32_t const j = tile / n.x % n.y;
      std::uint32_t const k = tile / n.x / n.y;
      std::uint32_t const own = octant * n.all() + tile;
      auto const add = [&](bool backward, std::uint32_t at, std::uint32_t count,
                           std::uint32_t apart) {
        if (backward && at > 0) graph.columns.push_back(own - apart);
        if (!backward && at + 1 < count) graph.columns.push_back(own + apart);
      };
      add((octant & 1U) != 0, i, n.x, 1);
      add((octant & 2U) != 0, j, n.y, n.x);
      add((octant & 4U) != 0, k, n.z, n.x * n.y);
      if (octant + 1 < octants) {
        graph.columns.push_back(own + n.all());
        std::uint32_t const next = corner(octant + 1, false);
        if (one_by_one && own == corner(octant, true) && next != own + n.all())
          graph.columns.push_back(next);
      }
      graph.row_offsets.push_back(graph.columns.size());
    }
  }
  return graph;
}

class tiled_sweeper final : public sweeper {
 public:
  tiled_sweeper(device& machine, box const& of, tiles::tile_way how, sweeper_options const& options)
      : machine_(machine),
        tiles_(count_tiles(of, options.tile)),
        directions_(machine.allocate_copy(of.directions)),
        absorption_(machine.allocate<double>(of.cells())),
        source_(machine.allocate<double>(of.cells())),
        flux_(machine.allocate<double>(of.cells())),
        face_x_(machine.allocate<double>(faces(of, of.ny, of.nz))),
        face_y_(machine.allocate<double>(faces(of, of.nx, of.nz))),
        face_z_(machine.allocate<double>(faces(of, of.nx, of.ny))),
        tiles_by_(tiles::make_tile_run(
            machine, octant_graph(tiles_, options.one_by_one),
            sweep_tile{of.nx, of.ny, of.nz, options.tile, tiles_.x, tiles_.y, tiles_.z, of.angles(),
                       directions_.data(), absorption_.data(), source_.data(), flux_.data(),
                       face_x_.data(), face_y_.data(), face_z_.data()},
            how, {options.shape.blocks, machine.is_host() ? 1 : 32}, options.timeout_s)) {}

  void load(box const& of) override {
    machine_.copy_to_device(absorption_, std::span<double const>(of.absorption));
    machine_.copy_to_device(source_, std::span<double const>(of.source));
    machine_.fill_bytes(flux_, 0);
    tiles_by_.by->reset();
  }
  void run() override { tiles_by_.by->run(); }
  std::vector<double> flux() override { return machine_.copy_to_host(flux_); }
  void require_done() override { tiles_by_.by->require_done(); }
  std::uint32_t tiles() const override { return octants * tiles_.all(); }
  std::uint32_t waves() const override { return tiles_by_.waves; }
  std::uint64_t bytes() const override {
    return directions_.bytes() + absorption_.bytes() + source_.bytes() + flux_.bytes() +
           face_x_.bytes() + face_y_.bytes() + face_z_.bytes() + tiles_by_.by->bytes();
  }

 private:
  static std::size_t faces(box const& of, std::uint32_t a, std::uint32_t b) {
    return std::size_t{octants} * a * b * of.angles();
  }

  device& machine_;
  tile_counts tiles_;
  buffer<direction> directions_;
  buffer<double> absorption_, source_, flux_, face_x_, face_y_, face_z_;
  tiles::tile_run tiles_by_;
};

}  // namespace

std::unique_ptr<sweeper> make_sweeper(device& machine, box const& of, tiles::tile_way how,
                                      sweeper_options const& options) {
  return std::make_unique<tiled_sweeper>(machine, of, how, options);
}

}  // namespace gridloom::wavefront::kba
