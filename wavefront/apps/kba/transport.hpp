#pragma once
// A sweep of the discrete-ordinates transport equation over a box of cells (Koch, Baker and Alcouffe):
// what the paper's lattices stand for. Each of the eight octants of directions begins in another
// corner; in each cell the flux of a direction follows from those that enter through three faces, by
// diamond differences. Nothing enters the box from outside.

#include <cstdint>
#include <memory>
#include <vector>

#include "../tiles/tile_way.hpp"
#include "gridloom/device.hpp"

namespace gridloom::wavefront::kba {

/// Cells of a tile along x; along y and z it is chosen.
inline constexpr std::uint32_t tile_x = 8;
inline constexpr std::uint32_t octants = 8;

/// A direction of the first octant, weight included; the others mirror it.
struct direction {
  /// Twice the cosine over the cell's width, along x, y and z.
  double x;
  double y;
  double z;
  double weight;
};

struct box {
  std::uint32_t nx = 1;
  std::uint32_t ny = 1;
  std::uint32_t nz = 1;
  /// Of an octant.
  std::vector<direction> directions;
  /// Of cell (z · ny + y) · nx + x: how much it takes away, and what it gives.
  std::vector<double> absorption;
  std::vector<double> source;

  [[nodiscard]] std::uint64_t cells() const { return std::uint64_t{nx} * ny * nz; }
  /// Cells times directions of all octants.
  [[nodiscard]] std::uint64_t updates() const { return cells() * directions.size() * octants; }
  [[nodiscard]] std::uint32_t angles() const {
    return static_cast<std::uint32_t>(directions.size());
  }
};

/// A cube of side 1 whose cells absorb and give by random numbers of the seed; so many directions an
/// octant, spread evenly. All are at least 1. Throws usage_error for more than 2^31 cells.
[[nodiscard]] box make_box(std::uint32_t nx, std::uint32_t ny, std::uint32_t nz,
                           std::uint32_t angles, std::uint64_t seed);

/// The scalar flux of each cell, octant by octant, direction by direction. Shares no code with the
/// kernels.
[[nodiscard]] std::vector<double> sweep_serially(box const& of);

/// Throws wrong_result with the first cell whose flux is not that of the serial sweep, but for the
/// order of its sum over directions.
void require_flux(box const& of, std::vector<double> const& expected,
                  std::vector<double> const& found);

struct sweeper_options {
  launch_shape shape{1, 1};
  /// Cells of a tile along y and z.
  std::uint32_t tile = 8;
  /// An octant begins when the one before has left the box, not tile by tile.
  bool one_by_one = false;
  double timeout_s = 60;
};

/// Used by one thread. On a device that lives longer.
class sweeper {
 public:
  sweeper() = default;
  sweeper(sweeper const&) = delete;
  sweeper& operator=(sweeper const&) = delete;
  virtual ~sweeper() = default;
  /// The cells to the device, no flux, and what a run uses up set to its first state.
  virtual void load(box const& of) = 0;
  virtual void run() = 0;
  [[nodiscard]] virtual std::vector<double> flux() = 0;
  virtual void require_done() = 0;
  [[nodiscard]] virtual std::uint32_t tiles() const = 0;
  [[nodiscard]] virtual std::uint32_t waves() const = 0;
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

/// For boxes of this size.
[[nodiscard]] std::unique_ptr<sweeper> make_sweeper(device& machine, box const& of,
                                                    tiles::tile_way how,
                                                    sweeper_options const& options);

}  // namespace gridloom::wavefront::kba
