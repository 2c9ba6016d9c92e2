// P1 elements (linear triangles) on a rectangle of nx x ny vertices. Each square is cut from its
// lower right to its upper left corner. The matrix is one implicit step of the heat equation,
// diffusion * stiffness + mass, with natural boundaries. The shorter side of the rectangle has
// length 1. Every row is strictly dominant: inside, the diagonal exceeds the sum of the other
// entries by 8 * min(diffusion, mass), where mass is that of a diagonal edge.

#include <algorithm>
#include <array>
#include <cmath>

#include "generators.hpp"

namespace gridloom::sparse {

extent measure_p1(generator_arguments const& arguments) {
  std::uint64_t const nx = arguments.whole("nx", 2);
  std::uint64_t const ny = arguments.whole("ny", 2);
  (void)arguments.real("diffusion", 1e-6, 1e3);
  std::uint64_t const edges =
      plus(plus(times(nx - 1, ny), times(nx, ny - 1)), times(nx - 1, ny - 1));
  return {times(nx, ny), plus(times(nx, ny), times(2, edges)), true, 0};
}

any_csr make_p1(generator_arguments const& arguments, std::uint64_t) {
  std::uint64_t const nx = arguments.whole("nx", 2);
  std::uint64_t const ny = arguments.whole("ny", 2);
  double const diffusion = arguments.real("diffusion", 1e-6, 1e3);
  double const h = 1.0 / static_cast<double>(std::min(nx, ny) - 1);
  // `mass` is a sixth of a triangle's area. A triangle adds half of this mass to each of its edges.
  double const mass = h * h / 12.0;
  // Values of horizontal and vertical edges, indexed by the number of triangles at the edge.
  std::array<double, 3> straight{};
  for (unsigned triangles = 1; triangles <= 2; ++triangles) {
    double const halves = 0.5 * triangles;
    // std::fma rounds once on every machine, but a * b + c may round once or twice.
    straight[triangles] = std::fma(-diffusion, halves, mass * halves);
  }
  auto const at_vertex = [&](unsigned squares, unsigned triangles) {
    return std::fma(diffusion, squares, mass * triangles);
  };

  csr_matrix<double> matrix = allocated(measure_p1(arguments));
  std::uint64_t at = 0;
  std::uint64_t row = 0;
  auto const put = [&](std::uint64_t column, double value) {
    matrix.columns[at] = static_cast<std::uint32_t>(column);
    matrix.values[at++] = value;
  };
  for (std::uint64_t y = 0; y < ny; ++y) {
    for (std::uint64_t x = 0; x < nx; ++x, ++row) {
      bool const left = x > 0;
      bool const right = x + 1 < nx;
      bool const below = y > 0;
      bool const above = y + 1 < ny;
      double const vertical = straight[left + right];
      double const horizontal = straight[below + above];
      unsigned const squares = (left + right) * (below + above);
      // A square has one triangle at two of its corners (the right angles), and two at the others.
      unsigned const triangles = squares + (left && above) + (right && below);
      if (below) put(row - nx, vertical);
      if (below && right) put(row - nx + 1, mass);
      if (left) put(row - 1, horizontal);
      put(row, at_vertex(squares, triangles));
      if (right) put(row + 1, horizontal);
      if (above && left) put(row + nx - 1, mass);
      if (above) put(row + nx, vertical);
      matrix.row_offsets[row + 1] = at;
    }
  }
  return matrix;
}

}  // namespace gridloom::sparse
