#include "transport.hpp"

#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <string>

#include "gridloom/error.hpp"
#include "gridloom/host_time_limit.hpp"
#include "gridloom/random.hpp"

namespace gridloom::wavefront::kba {

box make_box(std::uint32_t nx, std::uint32_t ny, std::uint32_t nz, std::uint32_t angles,
             std::uint64_t seed) {
  box made{nx, ny, nz, {}, {}, {}};
  if (made.cells() >> 31U != 0)
    throw usage_error("--nx, --ny, --nz: expected fewer than 2^31 cells, got " +
                      std::to_string(made.cells()));
  for (std::uint32_t a = 0; a < angles; ++a) {
    // The directions are points spread evenly on a sphere, by equal steps along one axis and golden
    // angles around it.
    double const z = (a + 0.5) / angles;
    double const around =
        std::numbers::pi / 2 * std::fmod((a + 0.5) * (std::numbers::phi - 1), 1.0);
    double const flat = std::sqrt(1 - z * z);
    made.directions.push_back({2 * flat * std::cos(around) * nx, 2 * flat * std::sin(around) * ny,
                               2 * z * nz, 1.0 / (octants * angles)});
  }
  random_source random(seed);
  for (std::uint64_t c = 0; c < made.cells(); ++c) {
    made.absorption.push_back(0.5 + random.unit());
    made.source.push_back(random.unit());
  }
  return made;
}

std::vector<double> sweep_serially(box const& of) {
  std::vector<double> flux(of.cells(), 0);
  std::vector<double> into_y(of.nx);
  time_checks check("the serial sweep");
  std::vector<double> into_z(std::size_t{of.nx} * of.ny);
  for (std::uint32_t octant = 0; octant < octants; ++octant) {
    for (direction const& along : of.directions) {
      into_z.assign(into_z.size(), 0);
      double const sum = along.x + along.y + along.z;
      for (std::uint32_t k = 0; k < of.nz; ++k) {
        std::uint64_t const z = octant & 4U ? of.nz - 1 - k : k;
        into_y.assign(into_y.size(), 0);
        for (std::uint32_t j = 0; j < of.ny; ++j) {
          std::uint64_t const y = octant & 2U ? of.ny - 1 - j : j;
          check();
          double into_x = 0;
          for (std::uint32_t i = 0; i < of.nx; ++i) {
            std::uint64_t const x = octant & 1U ? of.nx - 1 - i : i;
            std::uint64_t const cell = (z * of.ny + y) * of.nx + x;
            double& from_z = into_z[y * of.nx + x];
            double const psi =
                (of.source[cell] + along.x * into_x + along.y * into_y[x] + along.z * from_z) /
                (of.absorption[cell] + sum);
            into_x = 2 * psi - into_x;
            into_y[x] = 2 * psi - into_y[x];
            from_z = 2 * psi - from_z;
            flux[cell] += along.weight * psi;
          }
        }
      }
    }
  }
  return flux;
}

void require_flux(box const& of, std::vector<double> const& expected,
                  std::vector<double> const& found) {
  double largest = 0;
  for (double const value : expected) largest = std::max(largest, std::abs(value));
  // Fluxes through faces are computed as differences, which lose digits from cell to cell.
  double const bound = 1e-11 * largest;
  for (std::uint64_t c = 0; c < of.cells(); ++c) {
    if (!(std::abs(found[c] - expected[c]) <= bound)) {
      char text[120];
      std::snprintf(text, sizeof text, "cell %llu: expected the flux %.15g, got %.15g",
                    static_cast<unsigned long long>(c), expected[c], found[c]);
      throw wrong_result(text);
    }
  }
}

}  // namespace gridloom::wavefront::kba
