// Discretisations on grids, written row by row. In the numbering of nodes, x varies fastest, then
// y, then z. A row of a box stencil is a few ranges of adjacent columns, so nothing is sorted.

#include <algorithm>
#include <array>
#include <cmath>

#include "generators.hpp"

namespace gridloom::sparse {

namespace {

struct grid {
  std::uint64_t nx = 1;
  std::uint64_t ny = 1;
  std::uint64_t nz = 1;

  [[nodiscard]] std::uint64_t nodes() const { return times(times(nx, ny), nz); }
};

grid read_grid(generator_arguments const& arguments, bool is_solid) {
  return {arguments.whole("nx", 1), arguments.whole("ny", 1),
          is_solid ? arguments.whole("nz", 1) : 1};
}

// The stencil of a node and its direct neighbours along the axes: 5 points in 2D, 7 in 3D.
extent measure_cross(grid const& nodes) {
  std::uint64_t const all = nodes.nodes();
  // Counts the pairs of neighbours along each axis, in both directions.
  std::uint64_t entries = all;
  for (std::uint64_t const length : {nodes.nx, nodes.ny, nodes.nz}) {
    entries = plus(entries, times(2, all - all / length));
  }
  return {all, entries, true, 0};
}

csr_matrix<double> make_cross(grid const& nodes, double diagonal) {
  csr_matrix<double> matrix = allocated(measure_cross(nodes));
  std::uint64_t at = 0;
  std::uint64_t row = 0;
  auto const put = [&](std::uint64_t column, double value) {
    matrix.columns[at] = static_cast<std::uint32_t>(column);
    matrix.values[at++] = value;
  };
  std::uint64_t const plane = nodes.nx * nodes.ny;
  for (std::uint64_t z = 0; z < nodes.nz; ++z) {
    for (std::uint64_t y = 0; y < nodes.ny; ++y) {
      for (std::uint64_t x = 0; x < nodes.nx; ++x, ++row) {
        if (z > 0) put(row - plane, -1.0);
        if (y > 0) put(row - nodes.nx, -1.0);
        if (x > 0) put(row - 1, -1.0);
        put(row, diagonal);
        if (x + 1 < nodes.nx) put(row + 1, -1.0);
        if (y + 1 < nodes.ny) put(row + nodes.nx, -1.0);
        if (z + 1 < nodes.nz) put(row + plane, -1.0);
        matrix.row_offsets[row + 1] = at;
      }
    }
  }
  return matrix;
}

// The stencil of all nodes at most one step away in every direction: 9 points in 2D, 27 in 3D. Each
// node has `unknowns` rows, which are all coupled.
struct box_stencil {
  std::uint64_t unknowns = 1;
  double diagonal = 0.0;
  // Value for the same unknown of another node.
  double same = -1.0;
  // Value for another unknown of any node.
  double other = 0.0;
};

extent measure_box(grid const& nodes, std::uint64_t unknowns) {
  std::uint64_t entries = times(unknowns, unknowns);
  // Along an axis, 3 length - 2 pairs of nodes are at most one step apart.
  for (std::uint64_t const length : {nodes.nx, nodes.ny, nodes.nz}) {
    entries = times(entries, 3 * length - 2);
  }
  return {times(nodes.nodes(), unknowns), entries, true, 0};
}

csr_matrix<double> make_box(grid const& nodes, box_stencil const& stencil) {
  std::uint64_t const unknowns = stencil.unknowns;
  csr_matrix<double> matrix = allocated(measure_box(nodes, unknowns));
  struct range {
    std::uint64_t first;
    std::uint64_t last;
  };
  auto const around = [](std::uint64_t place, std::uint64_t length) {
    return range{place == 0 ? 0 : place - 1, std::min(place + 1, length - 1)};
  };
  std::uint64_t at = 0;
  auto const put_row = [&](std::uint64_t row, std::uint64_t own, range xs, range ys, range zs) {
    for (std::uint64_t z = zs.first; z <= zs.last; ++z) {
      for (std::uint64_t y = ys.first; y <= ys.last; ++y) {
        std::uint64_t const line = (z * nodes.ny + y) * nodes.nx;
        std::uint64_t column = (line + xs.first) * unknowns;
        for (std::uint64_t x = xs.first; x <= xs.last; ++x) {
          for (std::uint64_t k = 0; k < unknowns; ++k, ++column, ++at) {
            matrix.columns[at] = static_cast<std::uint32_t>(column);
            matrix.values[at] = k == own ? stencil.same : stencil.other;
            if (column == row) matrix.values[at] = stencil.diagonal;
          }
        }
      }
    }
    matrix.row_offsets[row + 1] = at;
  };
  std::uint64_t row = 0;
  for (std::uint64_t z = 0; z < nodes.nz; ++z) {
    for (std::uint64_t y = 0; y < nodes.ny; ++y) {
      for (std::uint64_t x = 0; x < nodes.nx; ++x) {
        for (std::uint64_t k = 0; k < unknowns; ++k, ++row) {
          put_row(row, k, around(x, nodes.nx), around(y, nodes.ny), around(z, nodes.nz));
        }
      }
    }
  }
  return matrix;
}

constexpr std::array<std::uint64_t, 2> plane_points{5, 9};
constexpr std::array<std::uint64_t, 2> solid_points{7, 27};

// The Dirichlet problem: -1 for each neighbour, and on the diagonal the number of neighbours of an
// inner node. The matrix is weakly dominant, and strictly dominant at the boundary.
extent measure_poisson(generator_arguments const& arguments, bool is_solid) {
  grid const nodes = read_grid(arguments, is_solid);
  std::uint64_t const points = arguments.choice("points", is_solid ? solid_points : plane_points);
  return points == 5 || points == 7 ? measure_cross(nodes) : measure_box(nodes, 1);
}

csr_matrix<double> make_poisson(generator_arguments const& arguments, bool is_solid) {
  grid const nodes = read_grid(arguments, is_solid);
  std::uint64_t const points = arguments.choice("points", is_solid ? solid_points : plane_points);
  double const diagonal = static_cast<double>(points - 1);
  if (points == 5 || points == 7) return make_cross(nodes, diagonal);
  return make_box(nodes, {1, diagonal});
}

extent measure_poisson2d(generator_arguments const& arguments) {
  return measure_poisson(arguments, false);
}
any_csr make_poisson2d(generator_arguments const& arguments, std::uint64_t) {
  return make_poisson(arguments, false);
}
extent measure_poisson3d(generator_arguments const& arguments) {
  return measure_poisson(arguments, true);
}
any_csr make_poisson3d(generator_arguments const& arguments, std::uint64_t) {
  return make_poisson(arguments, true);
}

constexpr std::uint64_t most_unknowns = 100;

extent measure_stencil27(generator_arguments const& arguments) {
  return measure_box(read_grid(arguments, true), arguments.whole("unknowns", 1, most_unknowns));
}

// Entries of other unknowns are -1/4, at all 27 nodes. The diagonal of an inner node equals the sum
// of the other entries of its row, without their sign.
any_csr make_stencil27(generator_arguments const& arguments, std::uint64_t) {
  std::uint64_t const unknowns = arguments.whole("unknowns", 1, most_unknowns);
  double const diagonal = 26.0 + 6.75 * static_cast<double>(unknowns - 1);
  return make_box(read_grid(arguments, true), {unknowns, diagonal, -1.0, -0.25});
}

constexpr std::array<generator_entry, 4> entries{{
    {"poisson2d", "nx=100,ny=nx,points=5",
     "Poisson's equation on nx x ny nodes, 5 or 9 points: points - 1 on the diagonal, else -1.",
     measure_poisson2d, make_poisson2d},
    {"poisson3d", "nx=30,ny=nx,nz=nx,points=7",
     "Poisson's equation on nx x ny x nz nodes, 7 or 27 points: points - 1 on the diagonal, else "
     "-1.",
     measure_poisson3d, make_poisson3d},
    {"stencil27", "nx=20,ny=nx,nz=nx,unknowns=3",
     "27 points with coupled unknowns at each node; with 3 unknowns, 81 entries per row, as dense "
     "as inline_1, F1 and dielFilterV3real.",
     measure_stencil27, make_stencil27},
    {"p1", "nx=129,ny=65,diffusion=0.1",
     "Linear triangles on a rectangle of nx x ny vertices, diffusion * stiffness + mass: "
     "nx=513,ny=1025 has the structure and size of parabolic_fem.",
     measure_p1, make_p1},
}};

}  // namespace

std::span<generator_entry const> grid_generators() { return entries; }

// P1 elements (linear triangles) on a rectangle of nx x ny vertices. Each square is cut from its
// lower right to its upper left corner. The matrix is one implicit step of the heat equation,
// diffusion * stiffness + mass, with natural boundaries. The shorter side of the rectangle has
// length 1. Every row is strictly dominant: inside, the diagonal exceeds the sum of the other
// entries by 8 * min(diffusion, mass), where mass is that of a diagonal edge.

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
