#pragma once
// A sweep of the discrete-ordinates transport equation over a box of cells (Koch, Baker and
// Alcouffe), the application behind the paper's lattices. Each of the eight octants of directions
// begins in another corner. In each cell, diamond differences compute the flux of a direction from
// the fluxes that enter through three faces. Nothing enters the box from outside.

#include <cstdint>
#include <memory>
#include <vector>

#include "../tiles/tile_way.hpp"
#include "gridloom/device.hpp"

namespace gridloom::wavefront::kba {

/// Cells of a tile along x. The number of cells along y and z is an option.
inline constexpr std::uint32_t tile_x = 8;
inline constexpr std::uint32_t octants = 8;

/// A direction of the first octant, with its weight. The other octants mirror it.
struct direction {
  /// For each axis: twice the direction's cosine, divided by the width of a cell along the axis.
  double x;
  double y;
  double z;
  double weight;
};

struct box {
  std::uint32_t nx = 1;
  std::uint32_t ny = 1;
  std::uint32_t nz = 1;
  /// The directions of the first octant.
  std::vector<direction> directions;
  /// Absorption and source of cell (z · ny + y) · nx + x.
  std::vector<double> absorption;
  std::vector<double> source;

  [[nodiscard]] std::uint64_t cells() const { return std::uint64_t{nx} * ny * nz; }
  /// Number of updates: cells times directions of all octants.
  [[nodiscard]] std::uint64_t updates() const { return cells() * directions.size() * octants; }
  [[nodiscard]] std::uint32_t angles() const {
    return static_cast<std::uint32_t>(directions.size());
  }
};

/// A cube of side 1 with random absorption and sources, and `angles` directions per octant, spread
/// evenly. All sizes are at least 1. Throws usage_error for more than 2^31 cells.
[[nodiscard]] box make_box(std::uint32_t nx, std::uint32_t ny, std::uint32_t nz,
                           std::uint32_t angles, std::uint64_t seed);

/// Computes the scalar flux of each cell, octant by octant and direction by direction. Shares no
/// code with the kernels.
[[nodiscard]] std::vector<double> sweep_serially(box const& of);

/// Throws wrong_result with the first cell whose flux differs from the serial sweep by more than
/// rounding. (Methods add in different orders.)
void require_flux(box const& of, std::vector<double> const& expected,
                  std::vector<double> const& found);

struct sweeper_options {
  launch_shape shape{1, 1};
  /// Cells of a tile along y and z.
  std::uint32_t tile = 8;
  /// Whether an octant begins only after the previous one has left the box. Otherwise it begins
  /// tile by tile.
  bool one_by_one = false;
  double timeout_s = 60;
};

/// Used by one thread. The device must outlive the sweeper.
class sweeper {
 public:
  sweeper() = default;
  sweeper(sweeper const&) = delete;
  sweeper& operator=(sweeper const&) = delete;
  virtual ~sweeper() = default;
  /// Copies the cells to the device, clears the flux, and resets the words for the next run.
  virtual void load(box const& of) = 0;
  virtual void run() = 0;
  [[nodiscard]] virtual std::vector<double> flux() = 0;
  virtual void require_done() = 0;
  [[nodiscard]] virtual std::uint32_t tiles() const = 0;
  [[nodiscard]] virtual std::uint32_t waves() const = 0;
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

/// Makes a sweeper for boxes of the size of `of`.
[[nodiscard]] std::unique_ptr<sweeper> make_sweeper(device& machine, box const& of,
                                                    tiles::tile_way how,
                                                    sweeper_options const& options);

}  // namespace gridloom::wavefront::kba
