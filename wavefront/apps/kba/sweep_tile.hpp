#pragma once
// The body of a tile of cells, for all directions of an octant. One warp runs it, with one
// direction per lane, cell by cell. Lanes exchange data only to sum over directions, for eight
// cells at a time.
//
// Fluxes through faces are in memory, direction by direction, and the sweep overwrites them in
// place. Each octant and direction has one flux per line of cells: along x, one for each (y, z).
//
// A tile waits until it is done in the previous octant. So the contributions to a cell's flux are
// added in the order of the octants, and the sum is the same in every run.

#include "gridloom/taskgraph/block_task.hpp"
#include "transport.hpp"

namespace gridloom::wavefront::kba {

struct sweep_tile {
  static constexpr int max_threads = 32;
  using scratch = no_scratch;

  std::uint32_t nx, ny, nz;
  /// Cells of a tile along y and along z.
  std::uint32_t tile;
  std::uint32_t tiles_x, tiles_y, tiles_z;
  std::uint32_t angles;
  direction const* directions;
  double const* absorption;
  double const* source;
  double* flux;
  double* face_x;
  double* face_y;
  double* face_z;

  GRIDLOOM_FN static nothing_early read(std::uint32_t /*task*/) { return {}; }
  /// Runs a tile. The block is one warp of 32 lanes, or of one on the host.
  template <thread_group Block>
  GRIDLOOM_FN void execute(Block const& block, std::uint32_t task, nothing_early, scratch&) const {
    auto const warp = block.warp();
    auto const lanes = static_cast<std::uint32_t>(warp.num_threads());
    std::uint32_t const octant = task / (tiles_x * tiles_y * tiles_z);
    std::uint32_t const in_octant = task - octant * (tiles_x * tiles_y * tiles_z);
    std::uint32_t const k = in_octant / (tiles_x * tiles_y);
    std::uint32_t const j = in_octant / tiles_x - k * tiles_y;
    std::uint32_t const i = in_octant - (k * tiles_y + j) * tiles_x;
    part const along_x(i, tiles_x, tile_x, nx, (octant & 1U) != 0);
    part const along_y(j, tiles_y, tile, ny, (octant & 2U) != 0);
    part const along_z(k, tiles_z, tile, nz, (octant & 4U) != 0);
    for (std::uint32_t first = 0; first < angles; first += lanes) {
      std::uint32_t const angle = first + static_cast<std::uint32_t>(warp.thread_rank());
      bool const live = angle < angles;
      direction const along = directions[live ? angle : 0];
      std::size_t const part_of_octant = octant;
      for (std::uint32_t c = 0; c < along_z.size; ++c) {
        std::size_t const z = along_z.at(c);
        double into_y[tile_x];
        GRIDLOOM_UNROLL
        for (std::uint32_t a = 0; a < tile_x; ++a) {
          into_y[a] = 0;
          if (live && !along_y.enters && a < along_x.size)
            into_y[a] = face_y[((part_of_octant * nx + along_x.at(a)) * nz + z) * angles + angle];
        }
        for (std::uint32_t b = 0; b < along_y.size; ++b) {
          std::size_t const y = along_y.at(b);
          double* const through_x = face_x + ((part_of_octant * ny + y) * nz + z) * angles + angle;
          double into_x = live && !along_x.enters ? *through_x : 0;
          // All work that does not depend on the previous cell comes first; it is mainly divisions.
          double base[tile_x];
          double scale[tile_x];
          double into_z[tile_x];
          double* through_z[tile_x];
          GRIDLOOM_UNROLL
          for (std::uint32_t a = 0; a < tile_x; ++a) {
            base[a] = scale[a] = into_z[a] = 0;
            through_z[a] = nullptr;
            if (!live || a >= along_x.size) continue;
            std::size_t const x = along_x.at(a);
            std::size_t const cell = (z * ny + y) * nx + x;
            through_z[a] = face_z + ((part_of_octant * nx + x) * ny + y) * angles + angle;
            if (!along_z.enters || c != 0) into_z[a] = *through_z[a];
            base[a] = source[cell] + along.y * into_y[a] + along.z * into_z[a];
            scale[a] = 1 / (absorption[cell] + along.x + along.y + along.z);
          }
          double sums[tile_x];
          GRIDLOOM_UNROLL
          for (std::uint32_t a = 0; a < tile_x; ++a) {
            sums[a] = 0;
            if (!live || a >= along_x.size) continue;
            double const psi = (base[a] + along.x * into_x) * scale[a];
            into_x = 2 * psi - into_x;
            into_y[a] = 2 * psi - into_y[a];
            *through_z[a] = 2 * psi - into_z[a];
            sums[a] = along.weight * psi;
          }
          if (live) *through_x = into_x;
          add_to_flux(warp, along_x, (z * ny + y) * nx, sums);
        }
        GRIDLOOM_UNROLL
        for (std::uint32_t a = 0; a < tile_x; ++a) {
          if (live && a < along_x.size)
            face_y[((part_of_octant * nx + along_x.at(a)) * nz + z) * angles + angle] = into_y[a];
        }
      }
    }
  }

 private:
  /// The cells of a tile along one axis, in the octant's direction.
  struct part {
    std::uint32_t begin;
    std::uint32_t size;
    bool backward;
    /// Whether the sweep enters the box at this tile.
    bool enters;

    GRIDLOOM_FN part(std::uint32_t index, std::uint32_t count, std::uint32_t length,
                     std::uint32_t cells, bool from_end)
        : begin(index * length),
          size(length < cells - index * length ? length : cells - index * length),
          backward(from_end),
          enters(index == (from_end ? count - 1 : 0)) {}
    GRIDLOOM_FN std::uint32_t at(std::uint32_t step) const {
      return backward ? begin + size - 1 - step : begin + step;
    }
  };

  /// Sums the lanes' contributions to eight cells. Each exchange halves the number of cells per
  /// lane, until four lanes share one cell.
  template <warp_group Warp>
  GRIDLOOM_FN void add_to_flux(Warp const& warp, part const& along_x, std::size_t row,
                               double (&sums)[tile_x]) const {
    if (warp.num_threads() == 1) {
      GRIDLOOM_UNROLL
      for (std::uint32_t a = 0; a < tile_x; ++a) {
        if (a < along_x.size) flux[row + along_x.at(a)] += sums[a];
      }
      return;
    }
    auto const rank = static_cast<std::uint32_t>(warp.thread_rank());
    std::uint32_t cell = 0;
    GRIDLOOM_UNROLL
    for (std::uint32_t stride = 16, left = tile_x / 2; left > 0; stride /= 2, left /= 2) {
      bool const upper = (rank & stride) != 0;
      GRIDLOOM_UNROLL
      for (std::uint32_t a = 0; a < tile_x / 2; ++a) {
        if (a >= left) continue;
        double const kept = upper ? sums[a + left] : sums[a];
        double const given = upper ? sums[a] : sums[a + left];
        sums[a] = kept + warp.shuffle(given, static_cast<int>(rank ^ stride));
      }
      cell += upper ? left : 0;
    }
    double sum = sums[0];
    sum += warp.shuffle(sum, static_cast<int>(rank ^ 2U));
    sum += warp.shuffle(sum, static_cast<int>(rank ^ 1U));
    if ((rank & 3U) == 0 && cell < along_x.size) flux[row + along_x.at(cell)] += sum;
  }
};

}  // namespace gridloom::wavefront::kba
